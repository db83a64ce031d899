"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type RefObject, startTransition, useEffect, useLayoutEffect } from "react";

import { announce } from "@/components/shell/announcer";
import { findCommands, isCovered, isTyping } from "@/components/shell/commands";
import { readKeyChoice } from "@/components/shell/key-choice";
import { readChords } from "@/components/shell/key-chord";
import type { CommandId } from "@/components/shell/key-map";

import { ONWARD } from "./leave-field";

interface HeldKey {
  readonly init: KeyboardEventInit;
  readonly commands: readonly CommandId[];
  readonly isTypedOn: boolean;
}

export interface LeavingCommand {
  readonly kind: string;
  readonly thenNext?: boolean;
}

export type OpenNext = (href: Route) => void;

interface Held {
  readonly field: HTMLElement | null;
  readonly isCutOff: boolean;
  readonly keys: HeldKey[];
  isDelivered: boolean;
}

let held: Held | null = null;

const VERDICTS: ReadonlySet<CommandId> = new Set([
  "review.pass",
  "review.fail",
  "review.defer",
  "adjudication.open",
]);
const JUDGES: ReadonlySet<CommandId> = new Set([
  ...VERDICTS,
  "review.category",
  "review.confidence",
  "review.evidence",
  "adjudication.basis",
]);
/** Commands that focus a field, so that following keys are text. */
const FIELDS: ReadonlySet<CommandId> = new Set(["review.note", "review.search"]);
const EDITS = new Set(["Enter", "Backspace", "Escape"]);

/** True if keys typed on the previous page are not delivered yet. */
export function isHoldingKeys(): boolean {
  return held !== null && (held.isCutOff || held.keys.length > 0);
}

function isSave({ commands }: HeldKey): boolean {
  return commands.includes("review.saveNext");
}

/** Delivers held keys to this form, and holds keys back after it is left: they belong to the next trial's form. */
export function useTypeAhead(note: RefObject<HTMLTextAreaElement | null>, inBrowser: boolean) {
  const router = useRouter();
  useLayoutEffect(() => {
    const form = note.current?.form;
    return () => {
      if (isTyping(document.activeElement) && form?.contains(document.activeElement) === true) hold(true);
    };
  }, [note]);
  useEffect(() => {
    if (inBrowser) void deliverKeys(note.current);
  }, [note, inBrowser]);
  return async <T>(command: LeavingCommand, run: (open: OpenNext) => Promise<T>): Promise<T> => {
    let isStaying = command.thenNext ?? command.kind !== "undo";
    if (isStaying) {
      hold(false);
      note.current?.form?.querySelector<HTMLElement>(ONWARD)?.focus();
    }
    try {
      return await run((href) => {
        isStaying = false;
        startTransition(() => router.push(href));
      });
    } finally {
      if (isStaying) returnKeys(note.current);
    }
  };
}

function hold(isCutOff: boolean): void {
  const field = isTyping(document.activeElement) ? document.activeElement : null;
  held = { field, isCutOff, keys: held?.keys ?? [], isDelivered: false };
  addEventListener("keydown", capture, { capture: true });
}

async function deliverKeys(note: HTMLElement | null): Promise<void> {
  const own = held;
  if (own === null) return;
  const end = own.keys.findIndex(isSave);
  const isText = own.isCutOff || isTypedOn(end === -1 ? own.keys : own.keys.slice(0, end));
  if (isText && note === null) {
    dropKeys();
    return;
  }
  if (isText) note?.focus();
  own.isDelivered = true;
  // React does not render typed text within an effect.
  await nextTask();
  for (let key = own.keys.shift(); key !== undefined; key = own.keys.shift()) {
    if (!press(key)) await nextTask();
    // Saved: the remaining keys belong to the next trial.
    if (held !== own) return;
    if (isSave(key)) note?.focus();
  }
  release();
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}

function returnKeys(note: HTMLElement | null): void {
  const [field, keys] = [held?.field, held?.keys ?? []];
  const isThere = field?.isConnected === true;
  if (!isThere && note === null) {
    dropKeys();
    return;
  }
  release();
  if (isThere) field.focus();
  else if (keys.length > 0) note?.focus();
  for (const key of keys) if (!isSave(key)) press(key);
}

function release(): void {
  held = null;
  removeEventListener("keydown", capture, { capture: true });
}

function isTypedOn(keys: readonly HeldKey[]): boolean {
  const does = (ids: ReadonlySet<CommandId>) => (key: HeldKey | undefined) =>
    key?.commands.some((id) => ids.has(id)) === true;
  const end = keys.findIndex(does(FIELDS));
  const isJudgment =
    does(VERDICTS)(keys[0]) && keys.slice(0, end === -1 ? undefined : end).every(does(JUDGES));
  return keys[0]?.isTypedOn === true && !isJudgment;
}

function press({ init }: HeldKey): boolean {
  const field = document.activeElement ?? document.body;
  const isOpen = field.dispatchEvent(
    new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }),
  );
  const takesText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
  if (!isOpen || !takesText || field !== document.activeElement) return false;
  const { key = "" } = init;
  const end = field.selectionEnd ?? field.value.length;
  const start = field.selectionStart ?? end;
  if (key === "Backspace") field.setRangeText("", start === end ? Math.max(0, start - 1) : start, end, "end");
  else field.setRangeText(key === "Enter" ? "\n" : key, start, end, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  return true;
}

function capture(event: KeyboardEvent): void {
  if (held === null || isElsewhere(event, held)) return;
  if (document.querySelector(".review-panel") === null) {
    dropKeys();
    return;
  }
  const one = readKey(event, held);
  if (!isSave(one) && isSystemKey(event)) return;
  // Arrow keys scroll here instead of opening another trial.
  event.stopImmediatePropagation();
  if (!isSave(one) && event.key.length > 1 && !EDITS.has(event.key)) return;
  event.preventDefault();
  const last = held.keys.at(-1);
  // A repeated save while nothing happened must not skip a trial.
  if (!isSave(one) || (last !== undefined && !isSave(last))) held.keys.push(one);
}

function isElsewhere(event: KeyboardEvent, { isDelivered }: Held): boolean {
  if (!event.isTrusted || event.isComposing || isCovered()) return true;
  return isTyping(event.target) && !isDelivered;
}

function isSystemKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph");
}

function readKey(event: KeyboardEvent, { field }: Held): HeldKey {
  const { key, code, shiftKey, ctrlKey, metaKey } = event;
  const commands = readChords(event).flatMap((chord) => findCommands(readKeyChoice(), chord));
  return {
    init: { key, code, shiftKey, ctrlKey, metaKey },
    commands,
    isTypedOn: field?.isConnected === true,
  };
}

/** Stops holding keys back on a page without a form, such as the end of a queue. */
function dropKeys(): void {
  const text = (held?.keys ?? []).flatMap(({ init: { key = "" } }) => (key.length === 1 ? key : []));
  release();
  if (text.length > 0) announce(`Ignored keys after the last trial: ${text.join("")}`, { isShown: true });
}
