"use client";

import { ChevronDown, ChevronUp, Search } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect } from "react";

import { ButtonLink } from "@/components/ui/button";
import { useAddressText } from "@/components/ui/use-address-text";

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
  const { field, text, inAddress, query, pending, type, apply, flush } = useAddressText("find", {
    resets: ["step", "from"],
    pauseMs: TYPING_PAUSE_MS,
  });
  const isOn = (name: "pattern" | "case") => query.get(name) === "1";
  const toggle = (name: "pattern" | "case") => apply(text, { [name]: isOn(name) ? "" : "1" });
  useFoundMarks(inAddress, { isPattern: isOn("pattern"), isCased: isOn("case") });

  /** Focuses the match, or what was open before the search. */
  function leave(input: HTMLInputElement) {
    const hasFound = nextHref !== null && text.trim() === inAddress;
    if (hasFound && focusOpen()) return;
    if (text === "" || hasFound) input.blur();
    else type("", 0);
  }

  function act(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const letter = event.altKey ? event.code : "";
    if (event.key === "Escape") leave(event.currentTarget);
    else if (event.key === "Enter") {
      flush();
      const href = event.shiftKey ? previousHref : nextHref;
      const stays = text.trim() !== inAddress || showWithin(event.shiftKey ? -1 : 1);
      if (!stays && href !== null) router.push(href, { scroll: false });
    } else if (letter === "KeyR") toggle("pattern");
    else if (letter === "KeyC") toggle("case");
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
          data-command="trial.find"
          data-filter-text={isFilter ? "" : undefined}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => type(event.target.value)}
          onKeyDown={act}
        />
        <Switch isOn={isOn("case")} title="Match case (Alt C)" onClick={() => toggle("case")}>
          Aa
        </Switch>
        <Switch isOn={isOn("pattern")} title="Regular expression (Alt R)" onClick={() => toggle("pattern")}>
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
    <button
      type="button"
      className="text-button"
      aria-pressed={isOn}
      aria-label={title}
      title={title}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** Marked ranges; more would make scrolling slow. */
const MAX_MARKS = 2_000;

/** Marks matches without changing the document. Patterns run on the server only, which can stop them, so they are not marked. */
function useFoundMarks(
  text: string,
  { isPattern, isCased }: { readonly isPattern: boolean; readonly isCased: boolean },
): void {
  useEffect(() => {
    const steps = document.querySelector(".steps, .file-text");
    if (!("highlights" in CSS) || steps === null || text === "" || isPattern) return;
    const draw = () => {
      CSS.highlights.set("found", new Highlight(...findRanges(steps, text, isCased)));
      if (current?.startContainer.isConnected === true)
        CSS.highlights.set("found-current", new Highlight(current));
    };
    draw();
    showFirst(steps);
    // Texts expand and steps load later.
    const watcher = new MutationObserver(draw);
    watcher.observe(steps, { childList: true, subtree: true, characterData: true });
    return () => {
      watcher.disconnect();
      CSS.highlights.delete("found");
      CSS.highlights.delete("found-current");
    };
  });
}

/** Search and step whose first match was last scrolled to, so that further reading is not interrupted. */
let shown = "";
let current: Range | null = null;

function showFirst(steps: Element): void {
  const search = new URLSearchParams(location.search);
  search.delete("from");
  if (shown === search.toString()) return;
  shown = search.toString();
  const [first] = listOpen();
  if (first !== undefined && steps.isConnected) show(first);
}

function showWithin(direction: 1 | -1): boolean {
  const ranges = listOpen();
  const at = ranges.findIndex(
    (range) =>
      current?.startContainer.isConnected === true &&
      range.compareBoundaryPoints(Range.START_TO_START, current) === 0,
  );
  const next = at === -1 ? undefined : ranges[at + direction];
  if (next === undefined) return false;
  show(next);
  return true;
}

function focusOpen(): boolean {
  const open = document.querySelector<HTMLElement>(".step-current a[data-row-link], .file-text");
  open?.focus({ preventScroll: true });
  return open !== null;
}

function listOpen(): readonly Range[] {
  if (!("highlights" in CSS)) return [];
  const all: readonly unknown[] = [...(CSS.highlights.get("found") ?? [])];
  return all.filter(
    (range): range is Range =>
      range instanceof Range &&
      range.startContainer.parentElement?.closest(".step-current, .file-text") !== null &&
      range.getClientRects().length > 0,
  );
}

function show(range: Range): void {
  current = range;
  CSS.highlights.set("found-current", new Highlight(range));
  const place = range.getBoundingClientRect();
  const isInView = place.top > innerHeight / 4 && place.bottom < (3 * innerHeight) / 4;
  if (!isInView) scrollBy({ top: place.top - innerHeight / 2 });
  // Long lines scroll to the right.
  const box = range.startContainer.parentElement?.closest("pre, .json-tree");
  const edges = box?.getBoundingClientRect();
  if (box && edges && (place.right > edges.right || place.left < edges.left))
    box.scrollBy({ left: place.left - edges.left - edges.width / 3 });
}

function findRanges(steps: Element, text: string, isCased: boolean): readonly Range[] {
  const ranges: Range[] = [];
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), isCased ? "g" : "gi");
  const walker = document.createTreeWalker(steps, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_MARKS; node = walker.nextNode())
    for (const { index, 0: match } of (node.nodeValue ?? "").matchAll(pattern)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + match.length);
      ranges.push(range);
    }
  return ranges;
}
