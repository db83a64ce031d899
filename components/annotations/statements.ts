"use client";

import type { Route } from "next";
import { usePathname, useSearchParams, useRouter } from "next/navigation";
import {
  type RefObject,
  startTransition,
  useActionState,
  useEffect,
  useLayoutEffect,
  useEffectEvent,
  useRef,
} from "react";

import { announce } from "@/components/shell/announcer";
import { isTyping, findCommands, isCovered } from "@/components/shell/commands";
import { isFocusLost, makeFocusHold } from "@/components/shell/hold-focus";
import { readKeyChoice } from "@/components/shell/key-choice";
import { readChords } from "@/components/shell/key-chord";
import type { CommandId } from "@/components/shell/key-map";
import { useHeldRenewals } from "@/components/shell/live-state";
import { isFailure } from "@/components/shell/use-action";
import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { withBasePath } from "@/lib/core/domain/base-path";
import { buildHref } from "@/lib/pages/address/href";
import type { ActionFailure } from "@/lib/pages/shell/act";

import { unansweredSaves } from "./drafts";

/** The last judgment or decision of this browser, which the page opened from its own can still undo. */
export interface LastStatement {
  readonly author: string;
  readonly draftKey: string;
  readonly href: string;
  readonly words: string;
  readonly undoneWords: string;
  readonly undo: () => Promise<{ readonly status: "undone" } | ActionFailure>;
}

let last: (LastStatement & { readonly opened: URL | null }) | null = null;
let arrival: { readonly draftKey: string; readonly words: string } | null = null;

function rememberStatement(statement: LastStatement | null): void {
  last = statement && { ...statement, opened: null };
}

/** Records the page opened from a trial or conflict: only that page can undo what was said there. */
function noteWayOn(draftKey: string, nextHref: string): void {
  last = last?.draftKey === draftKey ? { ...last, opened: new URL(nextHref, location.origin) } : null;
}

/** @param isOpen - true for the address of the current page */
export function findLastStatement(author: string, isOpen: (opened: URL) => boolean): LastStatement | null {
  if (last === null || computeReviewerKey(last.author) !== computeReviewerKey(author)) return null;
  return last.opened !== null && isOpen(last.opened) ? last : null;
}

export async function undoLastStatement({ undo, draftKey, href, undoneWords }: LastStatement) {
  const result = await undo();
  if (!isFailure(result) || result.status === "conflict") last = null;
  if (isFailure(result)) {
    if (result.status === "conflict") announce(`Not undone. ${result.message}`, { isShown: true });
    return result;
  }
  arrival = { draftKey, words: undoneWords };
  return { ...result, href: buildHref(href) };
}

/** Announces what was undone from the page before; else what was saved there, and `place`. */
export function announceArrival(draftKey: string, before: LastStatement | null, place = ""): void {
  const undone = arrival?.draftKey === draftKey ? arrival.words : "";
  arrival = null;
  const saved = undone === "" ? (before?.words ?? "") : "";
  announce([undone, saved, place].filter((words) => words !== "").join(" "), { isShown: undone !== "" });
}

/** Returns the last statement if this is the page that opened after it. @param hasSearch - true if pages differ in their search only */
export function useLastStatement(author: string, { hasSearch = false } = {}): LastStatement | null {
  const { path, search } = usePageAddress();
  return findLastStatement(
    author,
    ({ pathname, searchParams }) => pathname === path && (!hasSearch || searchParams.toString() === search),
  );
}

export function usePageAddress() {
  const path = usePathname();
  const search = useSearchParams().toString();
  return { path, search, href: search === "" ? path : `${path}?${search}` };
}

/** Small, and behind the same guard as every page. */
const PROBE = "/icon.svg";

/** Tells an unreachable server from a refusal, because a server action throws the same for both. */
export async function askWhy(): Promise<{ readonly status: "offline" } | ActionFailure> {
  const status = await fetch(withBasePath(PROBE), { method: "HEAD", cache: "no-store" }).then(
    (answer) => answer.status,
    () => null,
  );
  // A proxy answers for a server that is down, and Assay itself answers 503 while it starts.
  if (status === null || status >= 502) return { status: "offline" };
  return { status: "failed", message: status === 401 ? SHUT_OUT : NOT_TAKEN, fields: {} };
}

const SHUT_OUT =
  "Not saved: you are signed out. Sign in in another tab and save again. Your draft is kept in this browser.";
const NOT_TAKEN =
  "Not saved: the server rejected the request. Your role may not allow it, or Assay was updated. Reload the page; if it " +
  "happens again, check the terminal that runs Assay.";

interface Said {
  readonly status: string;
  readonly nextHref?: string | null;
}

/** `offline` if there was no answer; null before the first command. */
type Answer<Result> =
  | Result
  | { readonly status: "undone" }
  | ActionFailure
  | { readonly status: "offline" }
  | null;

type UndoLast = { readonly kind: "undoLast"; readonly last: LastStatement };
type Resend = { readonly kind: "resend"; readonly thenNext: false };

/**
 * Sends the commands of a form that judges or decides, one at a time, and opens the next page. Keys typed meanwhile are kept for
 * that page. A save that had no answer when the page was left is sent again first.
 * @param note - the form's text field
 * @param describe - returns a statement just saved, for the page opened from it
 * @param onAnswer - changes the form's draft
 */
export function useStatement<Command extends LeavingCommand, Result extends Said>({
  draftKey,
  note,
  inBrowser,
  send,
  resend,
  describe,
  onAnswer,
}: {
  readonly draftKey: string;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  readonly inBrowser: boolean;
  readonly send: (command: Command) => Promise<Result | ActionFailure>;
  readonly resend: () => Promise<Result | ActionFailure | null>;
  readonly describe: (result: Extract<Result, { readonly status: "saved" }>) => LastStatement;
  readonly onAnswer: (result: Result | ActionFailure) => void;
}) {
  const leaving = useTypeAhead(note, inBrowser);

  function remember(result: Result): void {
    if (isSaved(result)) rememberStatement(describe(result));
    if (result.status === "undone") rememberStatement(null);
    if (result.nextHref != null) noteWayOn(draftKey, result.nextHref);
  }

  async function run(
    before: Answer<Result>,
    command: Command | UndoLast | Resend,
    open: OpenNext,
  ): Promise<Answer<Result>> {
    const leave = rememberField();
    try {
      if ("last" in command) {
        const undone = await undoLastStatement(command.last);
        if (undone.status === "conflict") return before;
        if ("href" in undone) open(undone.href);
        return undone;
      }
      const result = await (isResend(command) ? resend() : send(command));
      if (result === null) return before;
      if (!isFailure(result)) remember(result);
      if (result.status === "saved") leave();
      startTransition(() => onAnswer(result));
      if (!isFailure(result) && result.nextHref != null) open(buildHref(result.nextHref));
      return result;
    } catch (error) {
      // An action that throws got no usable answer: the draft stays.
      if (error instanceof Error) return askWhy();
      throw error;
    }
  }

  const [answer, dispatch, isPending] = useActionState<Answer<Result>, Command | UndoLast | Resend>(
    (before, command) => leaving(command, (open) => run(before, command, open)),
    null,
  );
  useHeldRenewals(isPending);
  useEffect(() => {
    if (inBrowser && unansweredSaves.read(draftKey) !== null)
      startTransition(() => dispatch({ kind: "resend", thenNext: false }));
  }, [inBrowser, draftKey, dispatch]);
  return {
    answer,
    isPending,
    send: (command: Command | UndoLast) => startTransition(() => dispatch(command)),
  };
}

function isResend(command: LeavingCommand): command is Resend {
  return command.kind === "resend";
}

function isSaved<Result extends Said>(
  result: Result,
): result is Extract<Result, { readonly status: "saved" }> {
  return result.status === "saved";
}

const ONWARD = "[data-command='review.saveNext']";

/** Returns a function that focuses the save button if the field is unchanged, so that single keys are commands again. */
function rememberField(): () => void {
  const field = document.activeElement;
  if (!isTyping(field) || !("value" in field)) return () => undefined;
  const text = field.value;
  return () => {
    const next = field.closest("form")?.querySelector<HTMLElement>(ONWARD);
    if (document.activeElement === field && field.value === text) next?.focus();
  };
}

interface HeldKey {
  readonly init: KeyboardEventInit;
  readonly commands: readonly CommandId[];
  readonly isTypedOn: boolean;
}

interface LeavingCommand {
  readonly kind: string;
  readonly thenNext?: boolean;
}

type OpenNext = (href: Route) => void;

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
function useTypeAhead(note: RefObject<HTMLTextAreaElement | null>, inBrowser: boolean) {
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

const CURRENT_STEP = ".step-current [data-row-link]";

export function focusWhereLost(...selectors: readonly string[]): void {
  if (!isFocusLost()) return;
  const found = selectors.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  found?.focus();
}

const holdInQueue = makeFocusHold();

export function goOnInQueue(): void {
  holdInQueue(() => focusWhereLost(CURRENT_STEP, "[data-review-next]", "#main"));
}

export function useAfter(moment: string, act: () => void): void {
  const seen = useRef(moment);
  const run = useEffectEvent(act);
  useEffect(() => {
    if (seen.current === moment) return;
    seen.current = moment;
    run();
  }, [moment]);
}
