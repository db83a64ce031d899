"use client";

import { useEffect, useState } from "react";

/** Counts and lists the ticked boxes of a page that belong to a form by its id, and unticks them all. */
export function useTicked(formId: string): {
  readonly count: number;
  readonly clear: () => void;
  /** Their values now, in the order of the page. */
  readonly list: () => readonly string[];
} {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const read = () => setCount(listTicked(formId).length);
    read();
    document.addEventListener("change", read);
    return () => document.removeEventListener("change", read);
  }, [formId]);
  return {
    count,
    clear: () => {
      for (const box of listTicked(formId)) box.checked = false;
      setCount(0);
    },
    list: () => listTicked(formId).map(({ value }) => value),
  };
}

function listTicked(formId: string): readonly HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`input[form="${formId}"]:checked`)];
}
