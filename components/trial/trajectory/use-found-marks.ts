import { useEffect } from "react";

/** Marked ranges; more would make scrolling slow. */
const MAX_MARKS = 2_000;

/** Marks matches without changing the document. Patterns run on the server only, which can stop them, so they are not marked. */
export function useFoundMarks(
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

export function showWithin(direction: 1 | -1): boolean {
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

export function focusOpen(): boolean {
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
