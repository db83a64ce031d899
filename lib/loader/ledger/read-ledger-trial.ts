import type { ClockInterval } from "@/lib/domain/clock-time";
import { NO_POLICY, type TrialException, type TrialRecord, type TrialState } from "@/lib/domain/trial";
import { parseClockTime } from "@/lib/schema/clock-time";
import type { LedgerRecordFile } from "@/lib/schema/ledger-record";

import { computeDigest } from "../digest";
import { folderName } from "../discover/load-root";
import { NO_REWARD_FILES } from "../harbor/read-rewards";
import { closeReading, type TrialContext } from "../harbor/read-trial";
import {
  describeConfigured,
  prepareBareRecord,
  type RawRecord,
  type WholeReading,
} from "../harbor/trial-record";
import type { StringPool } from "../string-pool";
import { describeRefusal, listAnnotations } from "./parse-evaluation";
import { type LedgerRecord, readLedgerRecord } from "./read-record";

export const NO_LEDGER: NonNullable<TrialRecord["ledger"]> = {
  version: null,
  runId: null,
  attempt: null,
  status: null,
  annotations: [],
};

/** Reads the record of a ledger as a trial, see README.md; what stands in a manifest is filled in by the job. */
export function readLedgerTrial({ root, pool }: TrialContext, file: string): WholeReading {
  const { record, isThere, reader } = readLedgerRecord(root, file);
  const name = folderName(root, file).replace(/\.json$/, "");
  return closeReading(pool, reader, {
    record: record === null ? prepareUnread(pool, file, name, isThere) : prepareTrial(pool, record),
    configured: describeConfigured(null),
  });
}

function prepareUnread(pool: StringPool, file: string, name: string, isThere: boolean): RawRecord {
  const place = { folder: file, ...NO_REWARD_FILES };
  return {
    ...prepareBareRecord(pool, place, null, isThere ? "unreadable" : "missing", name),
    ledger: NO_LEDGER,
  };
}

function prepareTrial(pool: StringPool, { file, facts, evaluation, bytes }: LedgerRecord): RawRecord {
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

/** A trial that is planned or runs has no result yet; whether its run is still alive is told from the whole job. */
function readState({ executionStatus }: LedgerRecordFile): TrialState {
  return executionStatus === "planned" || executionStatus === "running" ? "missing" : "finished";
}

const FAILED: ReadonlySet<string> = new Set(["failed", "cancelled", "invalid"]);
/** How Python's tracebacks end: the name of the error, a colon, and its text. */
const ERROR_NAME = /^(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*(?:Error|Exception))(?::|\s*$)/;

/** What ended the trial: an error that the record's message names, else its status as it is written. */
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

/** Version 1 states one moment and a length: the moment is taken as the start, as version 2 puts the same records. */
function readTime({ version, startedAt, completedAt, timing }: LedgerRecordFile): ClockInterval {
  const start = parseClockTime(startedAt);
  if (version === 2 || start === null || timing.total === null)
    return { startedAt: start, finishedAt: parseClockTime(completedAt) };
  const epochMs = start.epochMs + Math.round(timing.total * 1000);
  const text = formatMoment(epochMs, start.zoned);
  return { startedAt: start, finishedAt: text === null ? null : { text, epochMs, zoned: start.zoned } };
}

/** Null for a moment beyond what a date can be. */
function formatMoment(epochMs: number, zoned: boolean): string | null {
  const date = new Date(epochMs);
  if (Number.isNaN(date.getTime())) return null;
  const text = date.toISOString();
  return zoned ? text : text.slice(0, -1);
}
