"use client";

import { ChevronDown, ChevronUp, Search } from "lucide-react";
import type { Route } from "next";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type KeyboardEvent, useEffect, useRef, useState, useTransition } from "react";

import { ButtonLink } from "@/components/ui/button";
import { useEarlyText } from "@/components/ui/use-early-text";
import { buildHref } from "@/lib/pages/address/href";

import { focusOpen, showWithin, useFoundMarks } from "./use-found-marks";

const TYPING_PAUSE_MS = 250;

/** Searches steps or files through the URL. Enter: next; Shift+Enter: previous; Alt+R: pattern; Alt+C: case; Escape: back. */
export function FindField({
  label,
  noun,
  isFilter = true,
  nextHref,
  previousHref,
}: {
  label: string;
  noun: "step that matches" | "match";
  /** False if another field filters the list, which then takes `/`. */
  isFilter?: boolean;
  nextHref: Route | null;
  previousHref: Route | null;
}) {
  const router = useRouter();
  const { text, applied, isPattern, isCased, pending, type, apply } = useFindAddress();
  const field = useRef<HTMLInputElement>(null);
  useEarlyText(field, text, type);
  useFoundMarks(applied, { isPattern, isCased });
  const togglePattern = () => apply({ find: text, pattern: isPattern ? "" : "1" });
  const toggleCase = () => apply({ find: text, case: isCased ? "" : "1" });

  /** Focuses the match, or what was open before the search. */
  function leave(input: HTMLInputElement) {
    const hasFound = nextHref !== null && text.trim() === applied;
    if (hasFound && focusOpen()) return;
    if (text === "" || hasFound) input.blur();
    else type("", 0);
  }

  function act(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const letter = event.altKey ? event.code : "";
    if (event.key === "Escape") leave(event.currentTarget);
    else if (event.key === "Enter" && text.trim() !== applied) apply({ find: text });
    else if (event.key === "Enter") {
      const href = event.shiftKey ? previousHref : nextHref;
      if (!showWithin(event.shiftKey ? -1 : 1) && href !== null) router.push(href, { scroll: false });
    } else if (letter === "KeyR") togglePattern();
    else if (letter === "KeyC") toggleCase();
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="field find-field" aria-busy={pending}>
        <Search size={14} aria-hidden />
        <input
          ref={field}
          type="search"
          value={text}
          placeholder={label}
          aria-label={label}
          title={label}
          data-find=""
          data-filter-text={isFilter ? "" : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => type(event.target.value)}
          onKeyDown={act}
        />
        <Switch isOn={isCased} title="Match case (Alt C)" onClick={toggleCase}>
          Aa
        </Switch>
        <Switch isOn={isPattern} title="Regular expression (Alt R)" onClick={togglePattern}>
          .*
        </Switch>
      </div>
      {previousHref === null || nextHref === null ? null : (
        <span className="nowrap">
          <ButtonLink look="bare" href={previousHref} title={`Previous ${noun}`}>
            <ChevronUp size={14} aria-label={`Previous ${noun}`} />
          </ButtonLink>
          <ButtonLink look="bare" href={nextHref} title={`Next ${noun}`}>
            <ChevronDown size={14} aria-label={`Next ${noun}`} />
          </ButtonLink>
        </span>
      )}
    </>
  );
}

function Switch(props: { isOn: boolean; title: string; onClick: () => void; children: string }) {
  const { isOn, title, onClick, children } = props;
  return (
    <button type="button" aria-pressed={isOn} aria-label={title} title={title} onClick={onClick}>
      {children}
    </button>
  );
}

function useFindAddress() {
  const router = useRouter();
  const pathname = usePathname();
  const shown = useSearchParams();
  const [pending, startTransition] = useTransition();
  const [next, setNext] = useState<URLSearchParams>(shown);
  // A pending change builds on the one before, not on the page still shown.
  const query: Pick<URLSearchParams, "get" | "toString"> = pending ? next : shown;
  const applied = shown.get("find") ?? "";
  const [text, setText] = useState(applied);
  const [asked, setAsked] = useState(applied);
  const [seen, setSeen] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Follows links and the back button, but never overwrites typed text.
  if (applied !== seen) {
    setSeen(applied);
    if (applied !== asked) {
      setText(applied);
      setAsked(applied);
    }
  }

  function apply({ find, ...switches }: Readonly<Record<string, string>>) {
    clearTimeout(timer.current);
    const changed = new URLSearchParams(query.toString());
    const change = { ...switches, find: (find ?? "").trim() };
    for (const name of ["step", "from", ...Object.keys(change)]) changed.delete(name);
    for (const [name, value] of Object.entries(change)) if (value !== "") changed.set(name, value);
    setAsked(change.find);
    setNext(changed);
    const href = buildHref(changed.size === 0 ? pathname : `${pathname}?${changed.toString()}`);
    startTransition(() => router.replace(href, { scroll: false }));
  }

  function type(next: string, pauseMs = TYPING_PAUSE_MS) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply({ find: next }), pauseMs);
  }

  const isOn = (name: string) => query.get(name) === "1";
  return { text, applied, isPattern: isOn("pattern"), isCased: isOn("case"), pending, type, apply };
}
