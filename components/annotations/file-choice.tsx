"use client";

import { FileUp } from "lucide-react";

import "./file-choice.css";

/** Lists the last chosen files, because the browser's field forgets them once it is emptied. */
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
    <span className="flow file-choice">
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
            // Allows the same files to be chosen again after a correction.
            target.value = "";
            if (files.length > 0) onChoose(files);
          }}
        />
      </label>
      <span id="file-choice-names" className={names.length === 0 ? "muted" : "file-choice-names"}>
        {names.length === 0 ? "No file chosen" : names.join(", ")}
      </span>
    </span>
  );
}
