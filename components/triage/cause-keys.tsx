"use client";

import { useEffect } from "react";

import { useCommands } from "@/components/shell/commands";
import { getBasePath } from "@/lib/core/domain/base-path";
import { BENCHMARK_COOKIE } from "@/lib/pages/triage/address";

function press(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  const menu = element?.closest("details");
  if (menu) menu.open = true;
  element?.click();
  return element !== null;
}

/** The first example without an answer of this browser. */
const UNANSWERED = ".cause-example .suggestion:not(:has([aria-pressed=true]))";

export function CauseKeys() {
  useCommands({
    // Enter on any other control is that control's.
    "triage.trials": () =>
      (document.activeElement === document.body ||
        document.activeElement?.matches("main, .cause-row[aria-current]") === true) &&
      press("[data-cause-trials]"),
    "triage.right": () => press(`${UNANSWERED} button`),
    "triage.wrong": () => press(`${UNANSWERED} button + button`),
    "triage.dismiss": () => press("[data-command='triage.dismiss']"),
    "triage.owner": (nth) => press(`.owner-bar > :nth-child(${String(nth)}) > a`),
  });
  return null;
}

/** Keeps the benchmark for the next visit, and puts a default one into the URL. Opens closed filters for their key. */
export function BenchmarkMemory({ dataset }: { dataset: string }) {
  useEffect(() => {
    document.cookie = `${BENCHMARK_COOKIE}=${encodeURIComponent(dataset)}; path=${getBasePath() || "/"}; max-age=31536000; samesite=lax`;
    const url = new URL(location.href);
    if (url.searchParams.has("dataset")) return;
    url.searchParams.append("dataset", dataset);
    history.replaceState(null, "", url);
  }, [dataset]);
  useCommands({
    "everywhere.filter": () => {
      const field = document.querySelector<HTMLInputElement>("[data-filter-text]");
      // Already focused: the browser handles the key.
      if (field === null || field === document.activeElement) return false;
      const menu = field.closest("details");
      if (menu !== null) menu.open = true;
      field.focus();
      field.select();
      return true;
    },
  });
  return null;
}
