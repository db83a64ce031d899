"use client";

import { useEffect, useRef } from "react";

import { useCommands } from "@/components/shell/commands";
import { COMMANDS } from "@/components/shell/key-map";

const TARGETS = {
  "list.queue": COMMANDS["list.queue"].target,
  "triage.dismiss": "[data-command='triage.dismiss']",
} as const;

function press(command: keyof typeof TARGETS): false | undefined {
  const element = document.querySelector<HTMLElement>(TARGETS[command]);
  element?.click();
  return element === null ? false : undefined;
}

function findFocused(): HTMLElement | null {
  return document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-finding]") ?? null;
}

/** Keys act on the row with the focus, else the expanded one; actions are in the expanded row, so it opens first. */
export function FindingKeys({ open }: { open: string | null }) {
  const waiting = useRef<{ readonly finding: string; readonly command: keyof typeof TARGETS } | null>(null);
  useEffect(() => {
    const asked = waiting.current;
    waiting.current = null;
    if (asked !== null && asked.finding === open) press(asked.command);
  }, [open]);
  const act = (command: keyof typeof TARGETS) => {
    const link = findFocused();
    const finding = link?.dataset["finding"];
    if (link === null || finding === undefined || finding === open) return press(command);
    waiting.current = { finding, command };
    link.click();
    return undefined;
  };
  useCommands({
    "triage.unfold": () => {
      const link = findFocused();
      link?.click();
      return link !== null;
    },
    "triage.dismiss": () => act("triage.dismiss"),
    "list.queue": () => act("list.queue"),
  });
  return null;
}
