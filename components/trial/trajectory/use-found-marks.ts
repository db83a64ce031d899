import { useEffect } from "react";

/** Ranges that are marked; a page with more would be slow to scroll. */
const MAX_MARKS = 2_000;

/**
 * Marks what was found where it is drawn, without a change to the document: the text of a trace stays text. Patterns run in
 * the server alone, which can stop them; of those nothing is marked.
 */
export function useFoundMarks(
  text: string,
  { isPattern, isCased }: { readonly isPattern: boolean; readonly isCased: boolean },
): void {
  useEffect(() => {
    const steps = document.querySelector(".steps, .file-text");
    if (!("highlights" in CSS) || steps === null || text === "" || isPattern) return;
    const draw = () => CSS.highlights.set("found", new Highlight(...findRanges(steps, text, isCased)));
    draw();
    showFirst(steps);
    // Texts that are unfolded, and steps that come.
    const watcher = new MutationObserver(draw);
    watcher.observe(steps, { childList: true, subtree: true, characterData: true });
    return () => {
      watcher.disconnect();
      CSS.highlights.delete("found");
    };
  });
}

/** What was looked for, and in which step, when its first match was last brought into view: reading on is left alone. */
let shown = "";

/** Brings the first match of the open step into view, once. */
function showFirst(steps: Element): void {
  const search = new URLSearchParams(location.search);
  search.delete("from");
  if (shown === search.toString()) return;
  shown = search.toString();
  const ranges: readonly Range[] = [...(CSS.highlights.get("found") ?? [])].filter(
    (one) => one instanceof Range,
  );
  // A text that is shown as a tree is there as it was written too, and only one of the two is seen.
  const first = ranges.find(
    (range) =>
      range.startContainer.parentElement?.closest(".step-current") !== null &&
      range.getClientRects().length > 0,
  );
  const place = first?.getBoundingClientRect();
  if (place === undefined || !steps.isConnected) return;
  const isInView = place.top > innerHeight / 4 && place.bottom < (3 * innerHeight) / 4;
  if (!isInView) scrollBy({ top: place.top - innerHeight / 2 });
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
