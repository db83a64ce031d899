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

type Act = (actions: ReviewKeyActions) => void;

const SINGLE_KEYS: Readonly<Record<string, Act>> = {
  "1": ({ judge }) => judge("pass"),
  "2": ({ judge }) => judge("fail"),
  "3": ({ judge }) => judge("defer"),
  d: ({ judge }) => judge("defer"),
  t: ({ focusCategory }) => focusCategory(),
  n: ({ focusNote }) => focusNote(),
  u: ({ undo }) => undo(),
};

const OPEN_LAYER = "dialog[open], [popover]:popover-open, details[data-menu][open]";

/** What a key with Ctrl does, if anything. */
function findCommand({ key }: KeyboardEvent): Act | undefined {
  if (key === "Enter") return ({ save }) => save(true);
  return key.toLowerCase() === "s" ? ({ save }) => save(false) : undefined;
}

/** What a key without Ctrl does, if anything. */
function findAct({ key, code, shiftKey }: KeyboardEvent): Act | undefined {
  if (!shiftKey) return SINGLE_KEYS[key];
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  return digit === undefined ? undefined : ({ toggleCategory }) => toggleCategory(Number(digit) - 1);
}

/**
 * Binds the keys of the review form while it is shown. Keys without Ctrl do nothing while somebody types or composes,
 * while a dialog or menu is open, when they repeat by being held, and when single keys are switched off.
 */
export function useReviewKeys(actions: ReviewKeyActions): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector(OPEN_LAYER) !== null) return;
    // AltGr reports itself as Ctrl with Alt on some systems and types a letter.
    if (event.altKey || event.getModifierState("AltGraph")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (!isCommand && (isTyping(event.target) || !areSingleKeysOn())) return;
    const act = isCommand ? findCommand(event) : findAct(event);
    if (act === undefined) return;
    event.preventDefault();
    if (!event.repeat) act(actions);
  });
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("keydown", (event) => handle(event), { signal: stop.signal });
    return () => stop.abort();
  }, []);
}
