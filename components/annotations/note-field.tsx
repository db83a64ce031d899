import type { RefObject } from "react";

import { KeyCap } from "@/components/ui/button";

import { leaveOnEscape } from "./reviewer-fields";

/** The note: plain text, kept with its line breaks. */
export function NoteField({
  value,
  problem,
  inputRef,
  onChange,
}: {
  value: string | null;
  problem: string | undefined;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onChange: (notes: string | null) => void;
}) {
  return (
    <div className="review-part">
      <h3>
        <label htmlFor="review-note">Note</label> <KeyCap>n</KeyCap>
      </h3>
      <textarea
        id="review-note"
        ref={inputRef}
        className="review-note"
        rows={4}
        value={value ?? ""}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : "review-note-problem"}
        onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      {problem === undefined ? null : (
        <p className="review-problem" id="review-note-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
