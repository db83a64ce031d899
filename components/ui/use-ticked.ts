"use client";

import { useEffect, useState } from "react";

/** Counts and lists the ticked boxes of a page that belong to a form by its id, and ticks or unticks them all. */
export function useTicked(formId: string): {
  readonly count: number;
  /** Boxes, ticked or not. */
  readonly total: number;
  readonly tickAll: (checked: boolean) => void;
  readonly clear: () => void;
  /** Their values now, in the order of the page. */
  readonly list: () => readonly string[];
  /** The same oldest first, as their `data-when` says in milliseconds. */
  readonly listOldestFirst: () => readonly string[];
} {
  const [count, setCount] = useState(0);
  const [total, setTotal] = useState(0);
  // After every drawing: a filter takes boxes away.
  useEffect(() => {
    const read = () => {
      setCount(listTicked(formId).length);
      setTotal(listBoxes(formId).length);
    };
    read();
    document.addEventListener("change", read);
    return () => document.removeEventListener("change", read);
  });
  const tickAll = (checked: boolean): void => {
    for (const box of listBoxes(formId)) box.checked = checked;
    // For whatever else counts them.
    document.dispatchEvent(new Event("change"));
  };
  return {
    count,
    total,
    tickAll,
    clear: () => tickAll(false),
    list: () => listTicked(formId).map(({ value }) => value),
    listOldestFirst: () =>
      listTicked(formId)
        .toSorted(compareWhen)
        .map(({ value }) => value),
  };
}

function listBoxes(formId: string): readonly HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`input[type="checkbox"][form="${formId}"]`)];
}

/** Those that say no time stay beside one another, behind the others. */
function compareWhen({ dataset: a }: HTMLInputElement, { dataset: b }: HTMLInputElement): number {
  const [one, other] = [Number(a["when"] ?? Infinity), Number(b["when"] ?? Infinity)];
  return one === other ? 0 : one - other;
}

function listTicked(formId: string): readonly HTMLInputElement[] {
  return listBoxes(formId).filter(({ checked }) => checked);
}
