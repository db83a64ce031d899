"use client";

import { useEffect, useEffectEvent } from "react";

import { areSingleKeysOn, isTyping } from "@/components/shell/single-keys";
import type { Judgment } from "@/lib/domain/judgment";

/** What the keys of the review form do. */
export interface ReviewKeyActions {
  readonly judge: (judgment: Judgment) => void;
  /** Toggles the category at this place, from 0. */
  readonly toggleCategory: (index: number) => void;
  readonly focusCategory: () => void;
  readonly focusNote: () => void;
  readonly undo: () => void;
  readonly save: (thenNext: boolean) => void;
}

const VERDICT_KEYS: Readonly<Record<string, Judgment>> = {
  "1": "pass",
  "2": "fail",
  "3": "defer",
  d: "defer",
};

const OPEN_LAYER = "dialog[open], [popover]:popover-open, details[data-menu][open]";

/** AltGr reports itself as Ctrl with Alt on some systems and types a letter: neither of the two below. */
function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.getModifierState("AltGraph");
}

function isSingleKey(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey && !event.getModifierState("AltGraph");
}

function actOnCommand(event: KeyboardEvent, actions: ReviewKeyActions): boolean {
  const isNext = event.key === "Enter";
  if (!isNext && event.key.toLowerCase() !== "s") return false;
  if (!event.repeat) actions.save(isNext);
  return true;
}

/** Runs the action of a key; says whether there was one. */
function actOnKey(event: KeyboardEvent, actions: ReviewKeyActions): boolean {
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (event.shiftKey) {
    if (digit === undefined || event.repeat) return false;
    actions.toggleCategory(Number(digit) - 1);
    return true;
  }
  const judgment = VERDICT_KEYS[event.key];
  if (judgment !== undefined) {
    if (!event.repeat) actions.judge(judgment);
    return true;
  }
  if (event.key === "t") actions.focusCategory();
  else if (event.key === "n") actions.focusNote();
  else if (event.key === "u") {
    if (!event.repeat) actions.undo();
  } else return false;
  return true;
}

/**
 * Binds the keys of the review form while it is shown. Keys without Ctrl do nothing while somebody types or composes,
 * while a dialog or menu is open, when they repeat by being held, and when single keys are switched off.
 */
export function useReviewKeys(actions: ReviewKeyActions): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector(OPEN_LAYER) !== null) return;
    const isAct = isCommand(event)
      ? actOnCommand(event, actions)
      : isSingleKey(event) && !isTyping(event.target) && areSingleKeysOn() && actOnKey(event, actions);
    if (isAct) event.preventDefault();
  });
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("keydown", (event) => handle(event), { signal: stop.signal });
    return () => stop.abort();
  }, []);
}
