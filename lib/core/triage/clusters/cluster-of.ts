import { createHash } from "node:crypto";

import type { Outcome } from "@/lib/core/domain/trial";

import { FAILED_COMMAND, findStderr, leaveOutCommand } from "../quoted-command";
import type { Signal, SignalKind } from "../signals";
import { findPattern } from "./pattern";

export type ClusterKind = SignalKind | "dimensions" | "outcome";

interface ClusterTraits {
  readonly outcome: Outcome;
  readonly taskName: string;
  readonly failedDimensions: readonly string[];
}

export interface FailureCluster {
  /** 16 hexadecimal digits of kind, scope and pattern only, so that other trials do not change it. */
  readonly key: string;
  readonly kind: ClusterKind;
  readonly scope: string;
  readonly pattern: string;
  readonly slots: readonly string[];
  readonly signal: Signal | null;
}

/** Pure: the key depends on the signals and traits only. Linear in the signals. */
export function clusterOf(
  signals: readonly Signal[],
  { outcome, taskName, failedDimensions }: ClusterTraits,
): FailureCluster {
  const telling = chooseTellingText(signals);
  if (telling === null) {
    const isOfDimensions = failedDimensions.length > 0;
    return nameCluster({
      kind: isOfDimensions ? "dimensions" : "outcome",
      scope: taskName,
      pattern: isOfDimensions ? failedDimensions.toSorted().join(", ").slice(0, 300) : outcome,
      slots: [],
      signal: null,
    });
  }
  const { kind, text, signal, isOfTask } = telling;
  const { text: pattern, slots } = findPattern(text, taskName);
  const type = kind === "exception" ? (/^[\w.]*/u.exec(text)?.[0].split(".").at(-1) ?? "") : "";
  return nameCluster({ kind, scope: isOfTask ? taskName : type, pattern, slots, signal });
}

function nameCluster(cluster: Omit<FailureCluster, "key">): FailureCluster {
  const { kind, scope, pattern } = cluster;
  const hash = createHash("sha256")
    .update(JSON.stringify([kind, scope, pattern]))
    .digest("hex");
  return { key: hash.slice(0, 16), ...cluster };
}

interface TellingText {
  readonly kind: SignalKind;
  readonly text: string;
  readonly signal: Signal;
  readonly isOfTask: boolean;
}

const ERROR_LINE = /^(?:E\s{1,20})?(?:[\w.]{1,120}(?:Error|Exception|Failure)|Failed)\b\s?[:(]\s?\S/u;
const FRAME =
  /^(?:[=_-]{3,}|\d+ (?:failed|passed)\b|\[?\s*\d+%)|\b\d+ (?:failed|passed)\b.{0,80}\bin [\d.]+ ?s|\bFAILED\s+\[\s*\d+%\]/u;
const FAILED_LINE =
  /\bFAIL(?:ED)?\b|^(?:not ok|[✗✘×])|\[verifier\] [✗✘×]|\b(?:error|fatal|cannot|missing)\b/iu;
const SAYS_NOTHING = /^(?:The test failed in the \w+ phase\b.*|.{0,60}\.\.\.|)$/u;
const COMPARES_ONLY = /^(?:E\s+)?(?:AssertionError:\s)?assert\b/u;
const FORMULA_AT_MOST = 80;
const TESTS_AT_MOST = 24;

/**
 * Chooses the most telling text of a failure: the exception, with the words of the model's service if a command failed; else what
 * ended the run at the service; else failed tests, the verifier's output, the last error of the trajectory, and the last words of
 * agent or log.
 */
function chooseTellingText(signals: readonly Signal[]): TellingText | null {
  const byKind = Map.groupBy(signals, ({ kind }) => kind);
  const get = (kind: SignalKind) => byKind.get(kind) ?? [];
  return (
    chooseException(get("exception"), get("provider-error")) ??
    chooseRefusal(get("provider-error"), get("end")) ??
    chooseTests(get("failed-test"), get("verifier-output")) ??
    chooseOutput(get("verifier-output")) ??
    chooseEnd(get("step-error"), get("end")) ??
    chooseLog(get("agent-log")) ??
    chooseFirst(get("judge"))
  );
}

/** True for a service's own words, not for a log that repeats the exception. */
function isOwnWords({ text }: Signal): boolean {
  return !/^(?:Trial \S+ failed|Classified failed command|Unknown Error in)/u.test(text);
}

function chooseException([signal]: readonly Signal[], refusals: readonly Signal[]): TellingText | null {
  if (signal === undefined) return null;
  const said = /\bCommand failed\b|^\w+:$/u.test(signal.text) ? refusals.findLast(isOwnWords) : undefined;
  const text = said === undefined ? cutCommand(signal.text) : `${cutCommand(signal.text)} ${said.text}`;
  return { kind: "exception", text, signal: said ?? signal, isOfTask: false };
}

/** Removes the command, which contains the whole prompt, but not its output. */
function cutCommand(text: string): string {
  const failed = FAILED_COMMAND.exec(text);
  if (failed === null) return leaveOutCommand(text);
  const end = failed.index + failed[0].length - 1;
  const said = findStderr(text).slice("\nstderr:".length).trim().split("\n").at(-1) ?? "";
  return said === "" || said === "None" ? text.slice(0, end) : `${text.slice(0, end)}: ${said}`;
}

/** Returns a refusal that nothing followed: it is the agent's last message, or there is none. */
function chooseRefusal(refusals: readonly Signal[], [end]: readonly Signal[]): TellingText | null {
  const signal = refusals.findLast(
    (one) => isOwnWords(one) && (end === undefined || end.text.includes(one.text)),
  );
  return signal === undefined ? null : { kind: "provider-error", text: signal.text, signal, isOfTask: false };
}

function chooseTests(tests: readonly Signal[], output: readonly Signal[]): TellingText | null {
  const [signal] = tests;
  if (signal === undefined) return null;
  const named = tests.slice(0, TESTS_AT_MOST).map(({ text }) => splitTest(text));
  const names = [...new Set(named.map(({ name }) => name))].toSorted();
  const lines = output.filter(({ text }) => ERROR_LINE.test(text));
  const line = lines.find(({ text }) => !COMPARES_ONLY.test(text)) ?? lines[0];
  const messages = named.map(({ message }) => message).filter((one) => !SAYS_NOTHING.test(one));
  const message =
    messages.find((one) => !COMPARES_ONLY.test(one)) ?? (line === undefined ? messages[0] : undefined);
  const isOfLine = message === undefined && line !== undefined;
  const why = message ?? line?.text.replace(/^E\s+/u, "") ?? "failed";
  const text = names.length === 1 ? `${names.join("")}: ${why}` : `${why}; ${names.join(", ")}`;
  return { kind: "failed-test", text, signal: isOfLine ? line : signal, isOfTask: true };
}

function splitTest(text: string): { readonly name: string; readonly message: string } {
  const end = text.indexOf(": ");
  const whole = end === -1 ? text : text.slice(0, end);
  const [file = "", ...inside] = whole.split("::");
  const name = inside.length === 0 ? whole : inside.join("::");
  return { name: name === "" ? file : name, message: end === -1 ? "" : text.slice(end + 2).trim() };
}

function chooseOutput(output: readonly Signal[]): TellingText | null {
  const signal =
    output.find(({ text }) => ERROR_LINE.test(text) && !COMPARES_ONLY.test(text)) ??
    output.find(({ text }) => ERROR_LINE.test(text)) ??
    output.find(({ text }) => FAILED_LINE.test(text) && !FRAME.test(text)) ??
    output.findLast(({ text }) => !FRAME.test(text)) ??
    output.at(-1);
  if (signal === undefined) return null;
  return { kind: "verifier-output", text: signal.text.replace(/^E\s+/u, ""), signal, isOfTask: true };
}

/** Returns the last error if it ended the run or the agent has no last message, else that message. */
function chooseEnd(errors: readonly Signal[], [end]: readonly Signal[]): TellingText | null {
  const error = errors.at(-1);
  if (error !== undefined && (end === undefined || end.place.step === error.place.step))
    return { kind: "step-error", text: error.text, signal: error, isOfTask: isPoor(error.text) };
  if (end === undefined) return null;
  return { kind: "end", text: end.text, signal: end, isOfTask: end.text.length > FORMULA_AT_MOST };
}

function isPoor(text: string): boolean {
  return (text.match(/[A-Za-z]{3,}/gu)?.length ?? 0) < 4;
}

/** An agent's log is full of meaningless words. Its errors have a type, and Harbor's own are about the trial. */
function chooseLog(lines: readonly Signal[]): TellingText | null {
  const signal = lines.findLast(({ text, place }) => ERROR_LINE.test(text) || place.file === "trial.log");
  if (signal === undefined) return null;
  return { kind: "agent-log", text: signal.text, signal, isOfTask: isPoor(signal.text) };
}

function chooseFirst([signal]: readonly Signal[]): TellingText | null {
  return signal === undefined ? null : { kind: signal.kind, text: signal.text, signal, isOfTask: true };
}
