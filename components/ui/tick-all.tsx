"use client";

import { useEffect, useState } from "react";

export function useTicked(formId: string) {
  const [count, setCount] = useState(0);
  const [total, setTotal] = useState(0);
  // After every render: a filter removes checkboxes.
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
    // Notifies other listeners that count them.
    document.dispatchEvent(new Event("change"));
  };
  return {
    count,
    total,
    tickAll,
    clear: () => tickAll(false),
    list: (): readonly string[] => listTicked(formId).map(({ value }) => value),
    listData: (): readonly DOMStringMap[] => listTicked(formId).map(({ dataset }) => dataset),
    /** Oldest first, by `data-when` in milliseconds. */
    listOldestFirst: () =>
      listTicked(formId)
        .toSorted(compareWhen)
        .map(({ value }) => value),
  };
}

function listBoxes(formId: string): readonly HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`input[type="checkbox"][form="${formId}"]`)];
}

function compareWhen({ dataset: a }: HTMLInputElement, { dataset: b }: HTMLInputElement): number {
  const [one, other] = [Number(a["when"] ?? Infinity), Number(b["when"] ?? Infinity)];
  return one === other ? 0 : one - other;
}

function listTicked(formId: string): readonly HTMLInputElement[] {
  return listBoxes(formId).filter(({ checked }) => checked);
}

export function TickAll({ formId, label }: { formId: string; label: string }) {
  const { count, total, tickAll } = useTicked(formId);
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      checked={total > 0 && count === total}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < total;
      }}
      onChange={({ currentTarget }) => tickAll(currentTarget.checked)}
    />
  );
}
