"use client";

import { Search } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useRef, useState, useTransition } from "react";

import { buildHref } from "@/lib/pages/address/href";

import { useEarlyText } from "./use-early-text";

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
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const inAddress = search.get("q") ?? "";
  const [text, setText] = useState(inAddress);
  const [applied, setApplied] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const [pending, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const field = useRef<HTMLInputElement>(null);
  const [isLeaving, setIsLeaving] = useState(false);
  useEffect(() => {
    if (isLeaving && !pending) focusFirstRow(field.current);
  }, [isLeaving, pending]);
  // Follows links and the back button, but keeps typed text and the focus.
  if (inAddress !== seen) {
    setSeen(inAddress);
    if (inAddress !== applied) {
      setText(inAddress);
      setApplied(inAddress);
    }
  }

  function apply(next: string) {
    setApplied(next.trim());
    const query = new URLSearchParams(search.toString());
    for (const name of ["q", "page", ...resets]) query.delete(name);
    if (next.trim() !== "") query.set("q", next.trim());
    const suffix = query.toString();
    startTransition(() => {
      router.replace(buildHref(suffix === "" ? pathname : `${pathname}?${suffix}`), { scroll: false });
    });
  }

  function change(next: string, pauseMs: number) {
    setText(next);
    setIsLeaving(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(next), pauseMs);
  }

  useEarlyText(field, text, (typed) => change(typed, TYPING_PAUSE_MS));

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
        onChange={(event) => change(event.target.value, TYPING_PAUSE_MS)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            if (text === "") event.currentTarget.blur();
            else change("", 0);
          }
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
          event.preventDefault();
          clearTimeout(timer.current);
          if (text.trim() !== applied) apply(text);
          setIsLeaving(true);
        }}
        onBlur={() => setIsLeaving(false)}
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
