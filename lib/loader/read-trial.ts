import type { LoadIssue } from "@/lib/domain/load-issue";
import type { StepRecord, TrialState } from "@/lib/domain/trial";
import type { PyValue } from "@/lib/scoring";
import { parseTrialText, prepareTrialDocument, type TrialDocument } from "@/lib/schema/trial-document";
import { parseTrialConfig, parseTrialResult, type TrialConfigFile } from "@/lib/schema/trial-files";

import { canEnterFolder, describeStamp, MAX_BYTES, statFile } from "./file-access";
import { folderName, joinFolder, type LoadRoot, prepareIssue } from "./load-root";
import { parseDocument, readDocument, readText, type TextReading } from "./read-document";
import { readRewardFolder, stampRewardFolder } from "./read-rewards";
import type { StringPool } from "./string-pool";
import { describeConfigured, prepareBareRecord, prepareRecord } from "./trial-record";
import type { TrialReading } from "./trial-reading";

/** What reading a trial needs besides its folder. */
export interface TrialContext {
  readonly root: LoadRoot;
  readonly pool: StringPool;
}

/** Reads one trial folder: result.json, else config.json, and the verifier's reward files. */
export function readTrial(context: TrialContext, folder: string): TrialReading {
  const { root } = context;
  const issues: LoadIssue[] = [];
  const rewards = readRewardFolder(root, joinFolder(folder, "verifier"), issues);
  const base = { folder, rewardFile: rewards.reading };
  const file = joinFolder(folder, "result.json");
  const reading = readText(root, file, MAX_BYTES.result);
  const stamps = [reading.kind === "absent" ? "" : reading.stamp, rewards.stamp];
  const parsed = parseTrialFile(context, file, reading, issues);
  if (parsed !== null) {
    const { record, configured } = parsed;
    const steps = record.steps?.map((step) => readStepRewards(root, folder, step, stamps, issues)) ?? null;
    return { record: { ...record, ...base, steps }, configured, issues, stamp: stamps.join("|") };
  }
  const state: TrialState = reading.kind === "absent" ? "missing" : "unreadable";
  const config = readConfig(root, folder, stamps, issues);
  const bare = prepareBareRecord(context.pool, config, state, folderName(root, folder));
  return {
    record: { ...bare, ...base },
    configured: describeConfigured(config),
    issues,
    stamp: stamps.join("|"),
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
  const parsed = document && parseTrialDocument(context, jobFile, document, issues);
  return parsed && { ...parsed, issues, stamp: "" };
}

/** The stamp that {@link readTrial} would give `reading`'s folder now; another one means that a file may have changed. */
export function stampTrial(root: LoadRoot, folder: string, { record }: TrialReading): string {
  const stamps = [
    stampFile(root, joinFolder(folder, "result.json")),
    stampRewardFolder(root, joinFolder(folder, "verifier")),
  ];
  if (record.state !== "finished") stamps.push(stampFile(root, joinFolder(folder, "config.json")));
  for (const { stepName } of record.steps ?? []) {
    const verifier = findStepVerifier(root, folder, stepName);
    stamps.push(verifier === null ? "" : stampRewardFolder(root, verifier));
  }
  return stamps.join("|");
}

function stampFile(root: LoadRoot, file: string): string {
  return describeStamp(statFile(root, file));
}

type ParsedTrial = Pick<TrialReading, "record" | "configured">;

function parseTrialFile(
  context: TrialContext,
  file: string,
  reading: TextReading,
  issues: LoadIssue[],
): ParsedTrial | null {
  const quick = reading.kind === "read" ? parseTrialText(reading.text) : null;
  if (quick !== null) return parseTrialDocument(context, file, quick, issues);
  const exact = parseDocument(context.root, file, reading);
  if (exact.kind === "refused") issues.push(exact.issue);
  if (exact.kind !== "read") return null;
  const document = prepareTrialDocument(exact.value);
  if (document !== null) return parseTrialDocument(context, file, document, issues);
  const detail = "The file is not a trial result that Harbor wrote.";
  issues.push(prepareIssue(context.root, "result_foreign", file, detail));
  return null;
}

function parseTrialDocument(
  { root, pool }: TrialContext,
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
    record: prepareRecord(pool, result, exact, report),
    configured: describeConfigured(result.config ?? null),
  };
}

function readConfig(
  root: LoadRoot,
  folder: string,
  stamps: string[],
  issues: LoadIssue[],
): TrialConfigFile | null {
  const file = joinFolder(folder, "config.json");
  const reading = readDocument(root, file, MAX_BYTES.config);
  stamps.push(reading.kind === "absent" ? "" : reading.stamp);
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
  stamps: string[],
  issues: LoadIssue[],
): StepRecord {
  const verifier = findStepVerifier(root, folder, step.stepName);
  const rewards = verifier === null ? null : readRewardFolder(root, verifier, issues);
  stamps.push(rewards?.stamp ?? "");
  return rewards === null ? step : { ...step, rewardFile: rewards.reading };
}

/** The step's verifier folder; null when a name in the file would lead elsewhere or a link stands on the way. */
function findStepVerifier(root: LoadRoot, folder: string, stepName: string): string | null {
  if (stepName === "" || stepName === "." || stepName === ".." || /[/\\\0]/.test(stepName)) return null;
  const steps = joinFolder(folder, "steps");
  const step = joinFolder(steps, stepName);
  return canEnterFolder(root, steps) && canEnterFolder(root, step) ? joinFolder(step, "verifier") : null;
}
