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
import { folderName, type LoadRoot } from "../discover/load-root";
import { closeReading } from "../harbor/read-trial";
import { describeConfigured, prepareBareFiles, type TrialReading } from "../harbor/trial-files";
import { describeRefusal, listAnnotations, type LedgerRecord, readLedgerRecord } from "./read-record";

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
