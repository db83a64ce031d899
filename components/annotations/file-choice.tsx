"use client";

import { FileUp } from "lucide-react";

import "@/components/ui/button.css";
import "./file-choice.css";

/** A button that chooses files, with the names of those that were chosen last: a field of the browser forgets them once it is emptied. */
export function FileChoice({
  label,
  names,
  accept,
  multiple = false,
  disabled = false,
  onChoose,
}: {
  label: string;
  names: readonly string[];
  accept: string;
  multiple?: boolean;
  disabled?: boolean;
  onChoose: (files: readonly File[]) => void;
}) {
  return (
    <span className="row file-choice">
      <label className="button" aria-disabled={disabled}>
        <FileUp size={14} aria-hidden />
        <span aria-hidden>{multiple ? "Choose files" : "Choose a file"}</span>
        <input
          className="screen-reader"
          type="file"
          aria-label={label}
          aria-describedby="file-choice-names"
          multiple={multiple}
          accept={accept}
          disabled={disabled}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            // So that the same files can be chosen again once they were corrected.
            target.value = "";
            if (files.length > 0) onChoose(files);
          }}
        />
      </label>
      <span id="file-choice-names" className={names.length === 0 ? "muted" : "file-choice-names"}>
        {names.length === 0 ? "Nothing chosen yet" : names.join(", ")}
      </span>
    </span>
  );
}
