import { basename, dirname } from "node:path";

import { compareNames } from "@/lib/domain/compare-text";
import type { EarlierAttempt } from "@/lib/domain/trial-file";

import { readEntries } from "../discover/folder-entries";
import { type JsonValue, parseJsonValues } from "./files/json-values";
import { parseJsonText } from "./json-shape";
import { readTextInside, useFolderInside } from "./open-inside";
import { stripTerminal } from "./terminal-text";

/** Folder of a job below which the earlier attempts of each trial lie, where the job was downloaded from Harbor's Hub. */
export const RETRIES_FOLDER = "_retries";

const MAX_ATTEMPTS = 20;
const MAX_RESULT_BYTES = 4 * 1024 * 1024;
const MAX_WORD = 100;
const MAX_REWARDS = 5;

/**
 * The attempts at a trial that were retried, oldest first, at most 20: folders of `_retries/<trial>/` beside the trial's own.
 * Their figures count nowhere.
 * @param trialPath - real absolute path of the trial's folder
 */
export async function readEarlierAttempts(trialPath: string): Promise<readonly EarlierAttempt[]> {
  const jobPath = dirname(trialPath);
  const folder = `${RETRIES_FOLDER}/${basename(trialPath)}`;
  const listed = await useFolderInside(jobPath, folder, (place) =>
    Promise.resolve(readEntries(place).entries),
  );
  if (!listed.ok) return [];
  const names = listed.value
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => ATTEMPT_NAME.test(name))
    .sort((a, b) => readNumber(a) - readNumber(b) || compareNames(a, b));
  const attempts: EarlierAttempt[] = [];
  for (const name of names.slice(0, MAX_ATTEMPTS))
    attempts.push({ name, outcome: await readOutcome(jobPath, `${folder}/${name}`) });
  return attempts;
}

/** What folders of attempts are called, such as `retry-1`. */
export const ATTEMPT_NAME = /^\w[\w-]{0,99}$/;

function readNumber(name: string): number {
  return Number(/\d{1,9}$/.exec(name)?.[0] ?? 0);
}

/** What ended an attempt, or its rewards as result.json writes them; null where that says neither. */
async function readOutcome(jobPath: string, folder: string): Promise<string | null> {
  const text = await readTextInside(jobPath, `${folder}/result.json`, MAX_RESULT_BYTES);
  if (text === null) return "no result.json";
  const value = text.ok ? parseJsonValues(text.value) : null;
  if (!text.ok || value === null || "what" in value) return "result.json cannot be read";
  const source = text.value;
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
