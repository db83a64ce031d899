"use client";

import { useEffect } from "react";

/** Scrolls to a line and marks it without changing the document. */
export function ShowLine({
  step,
  line,
}: {
  step: string;
  /** Counted over all lines of the step, from 1. */
  line: number;
}) {
  useEffect(() => {
    const row = document.getElementById(`step-${step}`);
    const text = [...(row?.querySelectorAll<HTMLElement>("pre[data-line]") ?? [])].findLast(
      (one) => Number(one.dataset["line"]) <= line,
    );
    if (text === undefined) return;
    const fold = text.closest("details");
    if (fold !== null) fold.open = true;
    const range = findLine(text, line - Number(text.dataset["line"]));
    if ("highlights" in CSS) CSS.highlights.set("line", new Highlight(range));
    // Lines shown as a tree are not visible.
    const place = [range, text, row].map((one) => one?.getBoundingClientRect()).find((one) => one?.height);
    if (place !== undefined) scrollBy({ top: place.top - innerHeight / 2 });
    return () => {
      if ("highlights" in CSS) CSS.highlights.delete("line");
    };
  }, [step, line]);
  return null;
}

/** Returns line `nth` of a text, from 0, or its last one. */
function findLine(text: HTMLElement, nth: number): Range {
  const range = new Range();
  range.selectNodeContents(text);
  let left = nth;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const { index } of (node.nodeValue ?? "").matchAll(/\n/g)) {
      if (left-- === 0) {
        // An empty line is visible only at its end.
        range.setEnd(node, range.startContainer === node && range.startOffset === index ? index + 1 : index);
        return range;
      }
      range.setStart(node, index + 1);
    }
  return range;
}
