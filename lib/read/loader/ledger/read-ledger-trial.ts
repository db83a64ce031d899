import type { ClockInterval } from "@/lib/core/domain/clock-time";
import {
  NO_POLICY,
  type TrialException,
  type Trial,
  type TrialState,
  type TrialFiles,
} from "@/lib/core/domain/trial";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import type { LedgerRecordFile } from "@/lib/read/schema/ledger-record";

import { computeDigest } from "../digest";
import { folderName } from "../discover/load-root";
import { closeReading, type TrialContext } from "../harbor/read-trial";
import { describeConfigured, prepareBareFiles, type WholeReading } from "../harbor/trial-files";
import type { StringPool } from "../string-pool";
import { describeRefusal, listAnnotations, type LedgerRecord, readLedgerRecord } from "./read-record";

export const NO_LEDGER: NonNullable<Trial["ledger"]> = {
  version: null,
  runId: null,
  attempt: null,
  status: null,
  annotations: [],
};

/** Converts a ledger record to a trial, see README.md. The job adds the manifest's fields. */
export function readLedgerTrial({ root, pool }: TrialContext, file: string): WholeReading {
  const { record, isThere, reader } = readLedgerRecord(root, file);
  const name = folderName(root, file).replace(/\.json$/, "");
  if (record?.facts.taskId === null)
    reader.report(
      "field_invalid",
      "",
      `task_id: is missing; the task is taken to be "${record.facts.trialId}"`,
    );
  return closeReading(pool, reader, {
    record: record === null ? prepareUnread(pool, file, name, isThere) : prepareTrial(pool, record),
    configured: describeConfigured(null),
  });
}

function prepareUnread(pool: StringPool, file: string, name: string, isThere: boolean): TrialFiles {
  return {
    ...prepareBareFiles(pool, { folder: file }, null, isThere ? "unreadable" : "missing", name),
    ledger: NO_LEDGER,
  };
}

function prepareTrial(pool: StringPool, { file, facts, evaluation, bytes }: LedgerRecord): TrialFiles {
  const { cost } = facts;
  const state = readState(facts);
  return {
    ...prepareUnread(pool, file, facts.trialId, true),
    ledger: {
      version: facts.version,
      runId: pool.share(facts.runId),
      attempt: facts.attempt,
      status: pool.share(facts.executionStatus ?? facts.outputStatus),
      annotations: listAnnotations(file, evaluation),
    },
    id: facts.trialId,
    jobUuid: pool.share(facts.experimentId),
    taskName: pool.shareText(facts.taskId ?? facts.trialId),
    taskDigest: pool.share(facts.taskRevision),
    source: pool.share(facts.dataset),
    agent: pool.shareText(facts.adapter ?? "unknown"),
    agentVersion: pool.share(facts.adapterRevision),
    model: pool.share(facts.model),
    recordedModel: pool.share(facts.model),
    state,
    resultDigest: state === "finished" ? computeDigest(bytes) : null,
    rewards: evaluation.result === null ? null : new Map([["reward", evaluation.result.reward]]),
    rewardsProblem: describeRefusal(evaluation),
    exception: readException(pool, facts),
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

function readException(pool: StringPool, facts: LedgerRecordFile): TrialException | null {
  const status = facts.executionStatus ?? facts.outputStatus;
  if (status === null || !FAILED.has(status)) return null;
  const message = facts.errorMessage ?? facts.finalReason ?? "";
  return {
    type: pool.shareText(ERROR_NAME.exec(message)?.[1] ?? status),
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
