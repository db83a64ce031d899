import type { ClockInterval } from "@/lib/core/domain/clock-time";
import type { RecordedJudgment } from "@/lib/core/domain/judgment";
import {
  NO_POLICY,
  type TrialException,
  type Trial,
  type TrialState,
  type TrialFiles,
} from "@/lib/core/domain/trial";
import {
  type Contract,
  type EvaluationIssue,
  type EvaluationResult,
  parseAnnotation,
  parseEvaluationResult,
} from "@/lib/core/evaluation";
import { listNames } from "@/lib/core/format/list-names";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import { type LedgerRecordFile, parseLedgerRecord } from "@/lib/read/schema/ledger-record";

import { isObject, type JsonObject, listOr } from "../detail/json-shape";
import { folderName, type LoadRoot } from "../discover/load-root";
import { FolderReader } from "../folder-reader";
import { closeReading } from "../harbor/read-trial";
import { describeConfigured, prepareBareFiles, type TrialReading } from "../harbor/trial-files";
import { computeDigest } from "../hashes";

export const NO_LEDGER: NonNullable<Trial["ledger"]> = {
  version: null,
  runId: null,
  attempt: null,
  status: null,
  annotations: [],
};

/** Converts a ledger record to a trial, see README.md. The job adds the manifest's fields. */
export function readLedgerTrial(root: LoadRoot, file: string): TrialReading {
  const { record, isThere, reader } = readLedgerRecord(root, file);
  const name = folderName(root, file).replace(/\.json$/, "");
  if (record?.facts.taskId === null)
    reader.report(
      "field_invalid",
      "",
      `task_id: is missing; the task is taken to be "${record.facts.trialId}"`,
    );
  return closeReading(reader, {
    record: record === null ? prepareUnread(file, name, isThere) : prepareTrial(record),
    configured: describeConfigured(null),
  });
}

function prepareUnread(file: string, name: string, isThere: boolean): TrialFiles {
  return {
    ...prepareBareFiles({ folder: file }, null, isThere ? "unreadable" : "missing", name),
    ledger: NO_LEDGER,
  };
}

function prepareTrial({ file, facts, evaluation, bytes }: LedgerRecord): TrialFiles {
  const { cost } = facts;
  const state = readState(facts);
  return {
    ...prepareUnread(file, facts.trialId, true),
    ledger: {
      version: facts.version,
      runId: facts.runId,
      attempt: facts.attempt,
      status: facts.executionStatus ?? facts.outputStatus,
      annotations: listAnnotations(file, evaluation),
    },
    id: facts.trialId,
    jobUuid: facts.experimentId,
    taskName: facts.taskId ?? facts.trialId,
    taskDigest: facts.taskRevision,
    source: facts.dataset,
    agent: facts.adapter ?? "unknown",
    agentVersion: facts.adapterRevision,
    model: facts.model,
    recordedModel: facts.model,
    state,
    resultDigest: state === "finished" ? computeDigest(bytes) : null,
    rewards: evaluation.result === null ? null : new Map([["reward", evaluation.result.reward]]),
    rewardsProblem: describeRefusal(evaluation),
    exception: readException(facts),
    time: readTime(facts),
    tokens: {
      inputTokens: cost.tokensIn,
      cacheTokens: cost.cacheRead,
      outputTokens: cost.tokensOut,
      costUsd: cost.usd,
    },
  };
}

/** Planned and running trials have no result. Only the whole job reveals whether its run is alive. */
function readState({ executionStatus }: LedgerRecordFile): TrialState {
  return executionStatus === "planned" || executionStatus === "running" ? "missing" : "finished";
}

const FAILED: ReadonlySet<string> = new Set(["failed", "cancelled", "invalid"]);
const ERROR_NAME = /^(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*(?:Error|Exception))(?::|\s*$)/;

function readException(facts: LedgerRecordFile): TrialException | null {
  const status = facts.executionStatus ?? facts.outputStatus;
  if (status === null || !FAILED.has(status)) return null;
  const message = facts.errorMessage ?? facts.finalReason ?? "";
  return {
    type: ERROR_NAME.exec(message)?.[1] ?? status,
    message,
    traceback: null,
    occurredAt: parseClockTime(facts.completedAt),
    ...NO_POLICY,
  };
}

/** Version 1 states one moment and a duration. It is the start, as version 2 converts such records. */
function readTime({ version, startedAt, completedAt, timing }: LedgerRecordFile): ClockInterval {
  const start = parseClockTime(startedAt);
  if (version === 2 || start === null || timing.total === null)
    return { startedAt: start, finishedAt: parseClockTime(completedAt) };
  const epochMs = start.epochMs + Math.round(timing.total * 1000);
  const text = formatMoment(epochMs, start.zoned);
  return { startedAt: start, finishedAt: text === null ? null : { text, epochMs, zoned: start.zoned } };
}

function formatMoment(epochMs: number, zoned: boolean): string | null {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return zoned ? text : text.slice(0, -1);
}

export interface LedgerEvaluation {
  /** A record without an evaluation has no verifier result, which is not a reward of 0. */
  readonly isStated: boolean;
  /** Null if absent, or if the contract refuses its reward or validity. */
  readonly result: EvaluationResult | null;
  readonly issues: readonly EvaluationIssue[];
  readonly stated: JsonObject | null;
}

/** Parts independent of the reward: a broken one loses only itself. */
const OTHER_PARTS: ReadonlySet<string | number | undefined> = new Set([
  "breakdown",
  "error_taxonomy",
  "confidence",
  "annotations",
  "stewardship",
]);

/** Parses a record's evaluation. Never throws; never clamps, rounds or fills in values. */
function parseLedgerEvaluation(value: unknown, contract: Contract): LedgerEvaluation {
  if (value === undefined || value === null)
    return { isStated: false, result: null, issues: [], stated: null };
  if (!isObject(value)) {
    const issue = { path: [], code: "model_type", message: "Input should be an object" };
    return { isStated: true, result: null, issues: [issue], stated: null };
  }
  const whole = parseEvaluationResult(value, { contract });
  if (whole.ok) return { isStated: true, result: whole.value, issues: [], stated: value };
  const { issues } = whole;
  const broken = new Set(issues.map(({ path }) => path[0]));
  const isBeside = issues.every(
    ({ path, code }) => OTHER_PARTS.has(path[0]) || (code === "extra_forbidden" && path.length === 1),
  );
  if (!isBeside) return { isStated: true, result: null, issues, stated: value };
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !broken.has(key)));
  const partial = parseEvaluationResult(rest, { contract });
  return partial.ok
    ? { isStated: true, result: partial.value, issues, stated: value }
    : { isStated: true, result: null, issues: [...partial.issues, ...issues], stated: value };
}

function describeRefusal({ isStated, result, issues }: LedgerEvaluation): string | null {
  return isStated && result === null ? describeIssues(issues) : null;
}

function describeIssues(issues: readonly EvaluationIssue[]): string {
  return listNames(
    issues.map(({ path, message }) => `${["evaluation", ...path].join(".")}: ${message}`),
    "; ",
  );
}

/** Parses annotations separately, so that a broken one hides no other. */
function listAnnotations(file: string, { stated }: LedgerEvaluation): readonly RecordedJudgment[] {
  return listOr(stated?.["annotations"]).flatMap((entry): RecordedJudgment[] => {
    const parsed = isObject(entry) ? parseAnnotation(entry) : null;
    if (!parsed?.ok) return [];
    const { reviewer_id, reviewer_discipline, timestamp, judgment, categories, notes } = parsed.value;
    return [
      {
        kind: "evaluation",
        file,
        reviewerId: reviewer_id,
        discipline: reviewer_discipline,
        judgment,
        categories,
        notes,
        time: parseClockTime(timestamp),
        calibrationVersion: null,
        status: null,
      },
    ];
  });
}

export interface LedgerRecord {
  readonly file: string;
  readonly facts: LedgerRecordFile;
  readonly evaluation: LedgerEvaluation;
  readonly bytes: Buffer;
}

export type LedgerRecordReading = ReturnType<typeof readLedgerRecord>;

export function readLedgerRecord(root: LoadRoot, file: string) {
  const reader = new FolderReader(root, file);
  const read = reader.readLooseBytes("");
  const value = read?.value;
  const reading = { isThere: reader.probes.stamp !== "", issues: reader.issues, reader };
  const facts = read === null ? null : reader.take("", parseLedgerRecord(value));
  if (read === null || facts === null) return { record: null, ...reading };
  const stated = isObject(value) ? value["evaluation"] : null;
  const evaluation = parseLedgerEvaluation(stated, facts.version === 2 ? "head" : "seed");
  const { result, issues } = evaluation;
  if (issues.length > 0)
    reader.report(result === null ? "rewards_invalid" : "field_invalid", "", describeIssues(issues));
  return { record: { file, facts, evaluation, bytes: read.bytes }, ...reading };
}
