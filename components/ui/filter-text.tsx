"use client";

import { Search } from "lucide-react";
import { useEffect, useState } from "react";

import { useAddressText } from "./use-address-text";

const TYPING_PAUSE_MS = 180;
const USUAL_HINT = "Rows that contain this text, in any case";

interface FilterTextProps {
  readonly label: string;
  readonly resets?: readonly string[];
  readonly hint?: string;
  readonly isWide?: boolean;
}

/** Filters through `q` in the URL, which resets the page and `resets`. `/` focuses, Escape clears, Enter and Down go to the rows. */
export function FilterText({ label, resets = [], hint = USUAL_HINT, isWide = false }: FilterTextProps) {
  const { field, text, pending, type, flush } = useAddressText("q", {
    resets: ["page", ...resets],
    pauseMs: TYPING_PAUSE_MS,
  });
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    if (isLeaving && !pending) focusFirstRow(field.current);
  }, [isLeaving, pending, field]);

  function change(next: string, pauseMs?: number) {
    setIsLeaving(false);
    type(next, pauseMs);
  }

  return (
    <label
      className={isWide ? "field filter-text filter-text-wide" : "field filter-text"}
      aria-busy={pending}
      title={hint}
    >
      <Search size={14} aria-hidden />
      <span className="screen-reader">{label}</span>
      <input
        ref={field}
        type="search"
        value={text}
        placeholder={label}
        data-filter-text=""
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            if (text === "") event.currentTarget.blur();
            else change("", 0);
          }
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
          event.preventDefault();
          flush();
          setIsLeaving(true);
        }}
        onBlur={() => {
          setIsLeaving(false);
          flush();
        }}
      />
    </label>
  );
}

function focusFirstRow(element: Element | null): void {
  if (element === null) return;
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
  rows
    .find(
      (row) =>
        row.offsetParent !== null &&
        (element.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    )
    ?.focus();
}
