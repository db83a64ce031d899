import { basename, dirname, relative } from "node:path";

import { compareNames, compareText } from "@/lib/core/domain/compare-text";
import type { EarlierAttempt } from "@/lib/core/domain/trial-file";

import { SERVER_ID } from "../served/data-folder";
import { type JsonValue, parseJsonValues } from "./files/json-tree";
import { parseJsonText } from "./json-shape";
import { listFolderInside, readTextInside, resolveInside } from "./open-inside";
import { stripTerminal } from "./terminal-text";

/** Folder with each trial's earlier attempts in jobs downloaded from Harbor's Hub. */
export const RETRIES_FOLDER = "_retries";

const MAX_ATTEMPTS = 20;
const MAX_WORD = 100;
const MAX_REWARDS = 5;

export function placeAttempt(trialFolder: string, attempt: string): string {
  const parts = trialFolder.split("/");
  const name = parts.at(-1) ?? "";
  return isServed(parts)
    ? [...parts.slice(0, -2), attempt, name].join("/")
    : [...parts.slice(0, -1), RETRIES_FOLDER, name, attempt].join("/");
}

function isServed(parts: readonly string[]): boolean {
  return parts.at(-3) === "rollouts" && SERVER_ID.test(parts.at(-2) ?? "");
}

/** Returns retried attempts, oldest first, at most 20. No metric counts them. @param trialPath - real absolute path */
export async function readEarlierAttempts(trialPath: string): Promise<readonly EarlierAttempt[]> {
  const isRollout = isServed(trialPath.split("/"));
  const base = isRollout ? dirname(dirname(trialPath)) : dirname(trialPath);
  const place = (name: string) => relative(base, placeAttempt(trialPath, name));
  // The server never names another trial like this.
  const exists = (name: string) =>
    resolveInside(base, isRollout ? `${place(name)}/config.json` : place(name)).ok;
  const folder = isRollout ? "." : `${RETRIES_FOLDER}/${basename(trialPath)}`;
  const names = (await listFolderInside(base, folder))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => ATTEMPT_NAME.test(name) && place(name) !== relative(base, trialPath) && exists(name))
    .sort((a, b) => readNumber(a) - readNumber(b) || compareNames(a, b));
  const attempts: (EarlierAttempt & { readonly start: string })[] = [];
  for (const name of names.slice(0, MAX_ATTEMPTS))
    attempts.push({ name, ...(await readResult(base, place(name))) });
  // Rollout ids have no order.
  attempts.sort((a, b) => compareText(a.start, b.start));
  return attempts.map(({ name, outcome }) => ({ name, outcome }));
}

export const ATTEMPT_NAME = /^\w[\w-]{0,99}$/;

function readNumber(name: string): number {
  return Number(/\d{1,9}$/.exec(name)?.[0] ?? 0);
}

async function readResult(base: string, folder: string) {
  const text = await readTextInside(base, `${folder}/result.json`);
  if (text === null) return { outcome: "no result.json", start: "" };
  const value = text.ok ? parseJsonValues(text.value) : null;
  if (!text.ok || value === null || "what" in value)
    return { outcome: "result.json cannot be read", start: "" };
  const start = findMember(text.value, value, "started_at");
  const outcome = describeOutcome(text.value, value);
  return { outcome, start: start === null ? "" : slice(text.value, start) };
}

function describeOutcome(source: string, value: JsonValue): string | null {
  const exception = findMember(source, findMember(source, value, "exception_info"), "exception_type");
  if (exception?.kind === "text") return cut(String(parseJsonText(slice(source, exception))));
  const rewards = findMember(source, findMember(source, value, "verifier_result"), "rewards");
  const words = (rewards?.kind === "object" ? rewards.children : []).slice(0, MAX_REWARDS).map((one) => {
    const name = one.key === null ? "" : String(parseJsonText(source.slice(...one.key)));
    return `${name} ${slice(source, one)}`;
  });
  return words.length === 0 ? null : cut(words.join(", "));
}

function findMember(text: string, value: JsonValue | null, name: string): JsonValue | null {
  if (value?.kind !== "object") return null;
  const quoted = JSON.stringify(name);
  return value.children.find(({ key }) => key !== null && text.slice(...key) === quoted) ?? null;
}

function slice(text: string, { start, end }: JsonValue): string {
  return text.slice(start, Math.min(end, start + 1_000));
}

function cut(word: string): string {
  return stripTerminal(word).slice(0, MAX_WORD).toWellFormed();
}
