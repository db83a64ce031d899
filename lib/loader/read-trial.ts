import type { LoadIssue } from "@/lib/domain/load-issue";
import type { TrialState } from "@/lib/domain/trial";
import type { PyValue } from "@/lib/scoring";
import { recogniseHarborDocument } from "@/lib/schema/recognise";
import { parseTrialConfig, parseTrialResult, type TrialConfigFile } from "@/lib/schema/trial-files";

import { canEnterFolder, MAX_BYTES, statFile } from "./file-access";
import { folderName, joinFolder, type LoadRoot, prepareIssue } from "./load-root";
import { readDocument } from "./read-document";
import { readRewardFolder } from "./read-rewards";
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
  // Stamped first: a write during the read then shows up as a change at the next refresh.
  const stamp = stampTrial(root, folder, null);
  const rewardFile = readRewardFolder(root, joinFolder(folder, "verifier"), issues);
  const file = joinFolder(folder, "result.json");
  const reading = readDocument(root, file, MAX_BYTES.result);
  const base = { folder, rewardFile };
  if (reading.kind === "read") {
    const record = parseTrialDocument(context, folder, reading.value, issues);
    if (record !== null) {
      const { steps, ...rest } = record.record;
      const read = steps?.map((step) => ({ ...step, rewardFile: readStepRewards(root, folder, step.stepName, issues) })) ?? null;
      const stepNames = read === null ? null : read.map((step) => step.stepName);
      return {
        record: { ...rest, ...base, steps: read },
        configured: record.configured,
        issues,
        stamp: stepNames === null ? stamp : stampTrial(root, folder, stepNames),
      };
    }
    issues.push(prepareIssue(root, "result_foreign", file, "The file is not a trial result that Harbor wrote."));
  } else if (reading.kind === "refused") {
    issues.push(reading.issue);
  }
  const state: TrialState = reading.kind === "absent" ? "missing" : "unreadable";
  const config = readConfig(root, folder, issues);
  const bare = prepareBareRecord(context.pool, config, state, folderName(root, folder));
  return { record: { ...bare, ...base }, configured: describeConfigured(config), issues, stamp };
}

/** Reads a trial that a job's result.json carries inside itself; null when it is none. */
export function readEmbeddedTrial(context: TrialContext, jobFile: string, value: PyValue): TrialReading | null {
  const issues: LoadIssue[] = [];
  const parsed = parseTrialDocument(context, jobFile, value, issues);
  return parsed && { ...parsed, issues, stamp: "" };
}

/**
 * A text that changes whenever one of the trial's files that Assay reads may have changed.
 *
 * @param stepNames - steps whose reward files were read; null for a trial of one step
 */
export function stampTrial(root: LoadRoot, folder: string, stepNames: readonly string[] | null): string {
  const result = stampFile(root, joinFolder(folder, "result.json"));
  const parts = [result, stampRewards(root, joinFolder(folder, "verifier"))];
  if (result === "") parts.push(stampFile(root, joinFolder(folder, "config.json")));
  for (const name of stepNames ?? []) {
    const verifier = findStepVerifier(root, folder, name);
    parts.push(verifier === null ? "" : stampRewards(root, verifier));
  }
  return parts.join("|");
}

function stampRewards(root: LoadRoot, verifierFolder: string): string {
  if (!canEnterFolder(root, verifierFolder)) return "";
  const json = stampFile(root, joinFolder(verifierFolder, "reward.json"));
  return json === "" ? stampFile(root, joinFolder(verifierFolder, "reward.txt")) : json;
}

function stampFile(root: LoadRoot, file: string): string {
  const state = statFile(root, file);
  if (state.kind === "absent") return "";
  return state.kind === "file" ? state.stamp : "refused";
}

function parseTrialDocument(
  { root, pool }: TrialContext,
  folder: string,
  value: PyValue,
  issues: LoadIssue[],
): Pick<TrialReading, "record" | "configured"> | null {
  if (!(value instanceof Map) || recogniseHarborDocument(value) !== "trial-result") return null;
  const file = folder.endsWith(".json") ? folder : joinFolder(folder, "result.json");
  const { value: result, problems } = parseTrialResult(value);
  for (const { field, detail } of problems) issues.push(prepareIssue(root, "field_invalid", file, `${field}: ${detail}`));
  if (result === null) return null;
  const report = (code: "rewards_invalid" | "field_invalid", detail: string) =>
    issues.push(prepareIssue(root, code, file, detail));
  return { record: prepareRecord(pool, result, value, report), configured: describeConfigured(result.config ?? null) };
}

function readConfig(root: LoadRoot, folder: string, issues: LoadIssue[]): TrialConfigFile | null {
  const file = joinFolder(folder, "config.json");
  const reading = readDocument(root, file, MAX_BYTES.config);
  if (reading.kind === "refused") issues.push(reading.issue);
  if (reading.kind !== "read") return null;
  const { value, problems } = parseTrialConfig(reading.value);
  for (const { field, detail } of problems) issues.push(prepareIssue(root, "field_invalid", file, `${field}: ${detail}`));
  return value;
}

function readStepRewards(root: LoadRoot, folder: string, stepName: string, issues: LoadIssue[]) {
  const verifier = findStepVerifier(root, folder, stepName);
  return verifier === null ? ({ kind: "absent" } as const) : readRewardFolder(root, verifier, issues);
}

/** The step's verifier folder; null when a name in the file would lead elsewhere or a link stands on the way. */
function findStepVerifier(root: LoadRoot, folder: string, stepName: string): string | null {
  if (stepName === "" || stepName === "." || stepName === ".." || /[/\\\0]/.test(stepName)) return null;
  const steps = joinFolder(folder, "steps");
  const step = joinFolder(steps, stepName);
  return canEnterFolder(root, steps) && canEnterFolder(root, step) ? joinFolder(step, "verifier") : null;
}
