import type { LoadIssue } from "@/lib/domain/load-issue";
import type { StepRecord, TrialState } from "@/lib/domain/trial";
import type { PyValue } from "@/lib/scoring";
import { parseTrialText, prepareTrialDocument, type TrialDocument } from "@/lib/schema/trial-document";
import { parseTrialConfig, parseTrialResult, type TrialConfigFile } from "@/lib/schema/trial-files";

import { FILE_LIMITS } from "../file-access";
import { findLock, stampFile, statFolder } from "../file-stamp";
import { enterTrial } from "../large-files";
import { folderName, joinFolder, type LoadRoot, prepareIssue } from "../discover/load-root";
import { parseDocument, readDocument, readText, type TextReading } from "../read-document";
import { readRewardFolder } from "./read-rewards";
import { completeSourceTrial } from "./source-trial";
import type { StringPool } from "../string-pool";
import { ProbeLog } from "./trial-probes";
import {
  describeConfigured,
  NO_PLACE,
  prepareBareRecord,
  prepareRecord,
  type TrialPlace,
} from "./trial-record";
import type { TrialReading } from "./trial-reading";

const RESULT = "result.json";
const CONFIG = "config.json";
/** Larger than nearly every result.json; its content does not outlive a reading. */
const SCRATCH = Buffer.allocUnsafeSlow(64 << 10);

/** What reading a trial needs besides its folder. */
export interface TrialContext {
  readonly root: LoadRoot;
  readonly pool: StringPool;
}

/** Reads one trial folder: result.json, else config.json, and the verifier's reward files. */
export function readTrial(context: TrialContext, folder: string): TrialReading {
  const { root, pool } = context;
  const issues: LoadIssue[] = [];
  const log = new ProbeLog();
  const file = joinFolder(folder, RESULT);
  const refusal = enterTrial(`${root.path}/${folder}`, "result");
  if (refusal !== null) {
    log.add(RESULT, stampFile(root, file), false);
    return prepareUnread(context, folder, prepareIssue(root, "reader_stopped", folder, refusal), log);
  }
  const reading = readText(root, file, FILE_LIMITS.trial, SCRATCH);
  log.add(RESULT, reading.stamp, reading.kind === "refused" && reading.isDenied);
  const lock = reading.kind === "refused" ? findLock(root, folder) : null;
  if (lock !== null) return prepareUnread(context, folder, lock, log);
  // Before another file is opened: a process that it ends was at this one.
  const document = parseResult(root, file, reading, issues);
  const place = { folder, ...readRewardFolder(root, folder, "verifier", issues, log) };
  const parsed = document && parseTrialDocument(context, place, file, document, issues);
  if (parsed !== null) {
    const { configured } = parsed;
    const record = completeSourceTrial(root, folder, parsed.record, issues, log);
    if (record.steps === null) return { record, configured, issues, ...log.close(pool) };
    const steps = record.steps.map((step) => readStepRewards(root, folder, step, issues, log));
    return { record: { ...record, steps }, configured, issues, ...log.close(pool) };
  }
  const state: TrialState = reading.kind === "absent" ? "missing" : "unreadable";
  const config = readConfig(root, folder, issues, log);
  const bare = prepareBareRecord(pool, place, config, state, folderName(root, folder));
  return {
    record: completeSourceTrial(root, folder, bare, issues, log),
    configured: describeConfigured(config),
    issues,
    ...log.close(pool),
  };
}

/** A trial of which nothing but its folder's name is known. */
function prepareUnread(
  { root, pool }: TrialContext,
  folder: string,
  issue: LoadIssue,
  log: ProbeLog,
): TrialReading {
  const place = { ...NO_PLACE, folder };
  return {
    record: prepareBareRecord(pool, place, null, "unreadable", folderName(root, folder)),
    configured: describeConfigured(null),
    issues: [issue],
    ...log.close(pool),
  };
}

/** Reads a trial that a job's result.json carries inside itself; null when it is none. */
export function readEmbeddedTrial(
  context: TrialContext,
  jobFile: string,
  value: PyValue,
): TrialReading | null {
  const issues: LoadIssue[] = [];
  const document = prepareTrialDocument(value);
  const parsed = document && parseTrialDocument(context, NO_PLACE, jobFile, document, issues);
  return parsed && { ...parsed, issues, probes: [], stamp: "" };
}

type ParsedTrial = Pick<TrialReading, "record" | "configured">;

/** What result.json says; null where it is none that Harbor wrote, which is an issue unless it is absent. */
function parseResult(
  root: LoadRoot,
  file: string,
  reading: TextReading,
  issues: LoadIssue[],
): TrialDocument | null {
  const quick = reading.kind === "read" ? parseTrialText(reading.text) : null;
  if (quick !== null) return quick;
  const exact = parseDocument(root, file, reading);
  if (exact.kind === "refused") issues.push(exact.issue);
  if (exact.kind !== "read") return null;
  const document = prepareTrialDocument(exact.value);
  if (document === null) {
    const detail = "The file is not a trial result that Harbor wrote.";
    issues.push(prepareIssue(root, "result_foreign", file, detail));
  }
  return document;
}

function parseTrialDocument(
  { root, pool }: TrialContext,
  place: TrialPlace,
  file: string,
  { plain, exact }: TrialDocument,
  issues: LoadIssue[],
): ParsedTrial | null {
  const { value: result, problems } = parseTrialResult(plain);
  for (const { field, detail } of problems) {
    issues.push(prepareIssue(root, "field_invalid", file, `${field}: ${detail}`));
  }
  if (result === null) return null;
  const report = (code: "rewards_invalid" | "field_invalid", detail: string) =>
    issues.push(prepareIssue(root, code, file, detail));
  return {
    record: prepareRecord(pool, place, result, exact, report),
    configured: describeConfigured(result.config ?? null),
  };
}

function readConfig(
  root: LoadRoot,
  folder: string,
  issues: LoadIssue[],
  log: ProbeLog,
): TrialConfigFile | null {
  const file = joinFolder(folder, CONFIG);
  const reading = readDocument(root, file, FILE_LIMITS.config);
  log.add(CONFIG, reading.stamp, reading.kind === "refused" && reading.isDenied);
  if (reading.kind === "refused") issues.push(reading.issue);
  if (reading.kind !== "read") return null;
  const { value, problems } = parseTrialConfig(reading.value);
  for (const { field, detail } of problems)
    issues.push(prepareIssue(root, "field_invalid", file, `${field}: ${detail}`));
  return value;
}

function readStepRewards(
  root: LoadRoot,
  folder: string,
  step: StepRecord,
  issues: LoadIssue[],
  log: ProbeLog,
): StepRecord {
  const verifier = findStepVerifier(root, folder, step.stepName, issues, log);
  if (verifier === null) return step;
  return { ...step, ...readRewardFolder(root, folder, verifier, issues, log) };
}

/** The step's verifier folder; null when a name in the file would lead elsewhere or a link stands on the way. */
function findStepVerifier(
  root: LoadRoot,
  folder: string,
  stepName: string,
  issues: LoadIssue[],
  log: ProbeLog,
): string | null {
  if (stepName === "" || stepName === "." || stepName === ".." || /[/\\\0]/.test(stepName)) return null;
  const step = `steps/${stepName}`;
  for (const path of ["steps", step]) {
    const state = statFolder(root, joinFolder(folder, path));
    if (state.stamp !== null) log.add(path, state.stamp);
    // Once, however many steps lie behind one link.
    if (state.issue !== null && !issues.some((issue) => issue.path === state.issue?.path))
      issues.push(state.issue);
    if (!state.canEnter) return null;
  }
  return `${step}/verifier`;
}
