"use client";

import { Plus } from "lucide-react";
import { useId, useState } from "react";
import type { RefObject } from "react";

import { DRAFT_LIMITS } from "@/lib/domain/annotation";

/** The field for a category that no chip shows. Enter or leaving the field adds it; a known one is found again. */
export function CategoryField({
  labels,
  chosen,
  isInvalid,
  inputRef,
  onChange,
}: {
  labels: readonly string[];
  chosen: readonly string[];
  isInvalid: boolean;
  inputRef: RefObject<HTMLInputElement | null>;
  onChange: (chosen: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const listId = useId();

  function add() {
    const typed = text.trim().replace(/\s+/g, " ");
    if (typed === "") return;
    const label = labels.find((known) => known.toLowerCase() === typed.toLowerCase()) ?? typed;
    if (!chosen.includes(label)) onChange([...chosen, label]);
    setText("");
  }

  return (
    <label className="review-category-field">
      <Plus size={14} aria-hidden />
      <span className="screen-reader">Other category, Enter adds it</span>
      <input
        ref={inputRef}
        value={text}
        placeholder="Other category"
        autoComplete="off"
        list={listId}
        maxLength={DRAFT_LIMITS.category}
        aria-invalid={isInvalid}
        onChange={(event) => setText(event.target.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      <datalist id={listId}>
        {labels
          .filter((label) => !chosen.includes(label))
          .map((label) => (
            <option key={label} value={label} />
          ))}
      </datalist>
    </label>
  );
}
