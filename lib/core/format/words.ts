import { PLAN_SOURCE_WORDS, type PlannedTrials } from "@/lib/core/domain/job";
import type { Flip, RegradedShare } from "@/lib/core/domain/lineage";
import type { NOT_PASSED, Outcome, TaskVersion } from "@/lib/core/domain/trial";
import type { HarborRule, CheckVerdict } from "@/lib/core/domain/verification";
import {
  type LogPlace,
  type Suspicion,
  tellsCancelled,
  type UncomparedReason,
} from "@/lib/core/domain/verifier-check";
import type { SignalKind } from "@/lib/core/triage/signals";

import { formatCost, formatCount, formatPlural } from "./number";

export const OUTCOME_WORDS: Readonly<Record<Outcome | "defer", string>> = {
  passed: "passed",
  partial: "partial",
  failed: "failed",
  errored: "errored",
  timeout: "timeout",
  cancelled: "cancelled",
  invalid: "invalid",
  running: "running",
  missing: "missing",
  unreadable: "unreadable",
  unscored: "unscored",
  defer: "deferred",
};

export const FAILURE_NOUNS: Readonly<Record<(typeof NOT_PASSED)[number], string>> = {
  failed: "wrong answer",
  timeout: "timeout",
  errored: "error",
  cancelled: "cancelled trial",
  invalid: "invalid reward",
  unreadable: "unreadable result",
  partial: "partial reward",
};

export const SIGNAL_WORDS: Readonly<Record<SignalKind, string>> = {
  exception: "Exception",
  traceback: "Traceback",
  "failed-test": "Failed test",
  "verifier-output": "Verifier log",
  "step-error": "Error in a step",
  end: "Last message",
  "provider-error": "Model service",
  "agent-log": "Agent log",
  stop: "Stop reason",
  judge: "Analysis",
};

/** Data keeps an empty task name, which people cannot read or click. */
export function formatTask({ taskName, trialName = "" }: { taskName: string; trialName?: string }): string {
  return taskName.trim() === "" ? `${trialName} (no task name)`.trim() : taskName;
}

export function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

export function formatVerdict(verdict: CheckVerdict, ulps: number | null = null): string {
  switch (verdict) {
    case "exact":
      return "exact";
    case "ulp":
      return ulps === null ? "last bits" : `${ulps} ulp`;
    case "explained":
      return "explained";
    case "mismatch":
      return "mismatch";
    case "unknown-rule":
      return "unknown rule";
    case "not-recorded":
      return "not recorded";
    case "incomplete":
      return "incomplete data";
    case "interim":
      return "interim";
  }
}

export const VERDICT_MEANINGS: Readonly<Record<CheckVerdict, string>> = {
  exact: "The recorded and the recomputed number have the same bits.",
  ulp: "Equal except for the last bits: the numbers were added in another order or way.",
  explained: "The trials alone give another number; a known Harbor rule accounts for the difference.",
  mismatch:
    "The recorded number does not follow from the trials under the rules of any Harbor version. Both are shown.",
  "unknown-rule": "A Harbor newer than this Assay wrote the number, and it differs under every known rule.",
  "not-recorded": "The file holds no figure to compare with.",
  incomplete: "Recorded, but some of the data it was computed from is missing.",
  interim: "The job is still running, so its figures are not final.",
};

export const RULE_NAMES: Readonly<Record<HarborRule, string>> = {
  "reward-text-first": "reward.txt first",
  "dataset-metric": "Metric of the dataset",
  "dataset-lookup": "Metrics looked up by name",
  cancellation: "Cancelled, then ended",
  retry: "Retries",
  "rebuilt-job": "Rebuilt from archives",
  "older-names": "Older counter names",
};

export const SUSPECT_WORDS = { short: "suspect", full: "verifier may not have finished" } as const;

export const NONDETERMINISTIC_WORDS = "verifier not deterministic";

export function describePlan({ count, source }: PlannedTrials): string {
  return `${PLAN_SOURCE_WORDS[source]} ${formatCount(count)}`;
}

export function describeSuspicion({ traceback, lacksDetails }: Suspicion): string {
  const place = traceback?.line == null ? "" : `, line ${traceback.line}`;
  return [
    ...(traceback === null ? [] : [`${describeEnd(traceback)}${place}.`]),
    ...(lacksDetails ? ["It left no details, unlike other trials of this task."] : []),
  ].join(" ");
}

function describeEnd(log: LogPlace): string {
  return tellsCancelled(log)
    ? `${log.file} says that the verifier was cancelled`
    : `${log.file} ends with a traceback of the verifier`;
}

export const UNCOMPARED_WORDS: Readonly<Record<UncomparedReason, string>> = {
  no_output: "without an output to compare",
  output_too_large: "with an output too large to read",
  output_unreadable: "with an output that cannot be read whole",
  task_unknown: "without a digest of the task",
  no_reward: "without a reward",
  verifier_failed: "whose verifier failed",
};

export const FLIP_WORDS: Readonly<Record<Flip, string>> = {
  up: "up",
  down: "down",
  unchanged: "unchanged",
  "newly-scored": "newly scored",
  "no-longer-scored": "no longer scored",
  "never-scored": "never scored",
  unfinished: "not regraded yet",
  "source-not-open": "source not open",
};

export const COPIED_COST_WORDS = "tokens and cost are the source's";

/** Describes the part of a cost copied from source trials, not spent again; null for none. */
export function describeCopiedCost({
  regraded,
  nTrials,
}: {
  readonly regraded: RegradedShare;
  readonly nTrials: number;
}): string | null {
  if (regraded.nTrials === 0 || regraded.costUsd === null) return null;
  if (regraded.nTrials === nTrials) return "not run again: cost is the source's";
  return `$${formatCost(regraded.costUsd)} of it copied from the source`;
}

/** Returns the version or the first digits of the digest: `1.1.0`, `b3f0a1c2d4`; null if no lock records either. */
export function formatTaskVersion({ version, digest }: TaskVersion): string | null {
  return version ?? digest?.slice(0, 10) ?? null;
}

export function formatTextSource(files: readonly string[]): string | null {
  const [first, ...others] = new Set(files.map((file) => file.split("/").at(-1) ?? file));
  if (first === undefined) return null;
  const more = others.length === 0 ? "" : ` and ${formatPlural(others.length, "other log")}`;
  return `read from the text of ${first}${more}`;
}

export function nameSome(groups: readonly { readonly label: string }[]): string {
  const [first = "", second, ...others] = groups.map(({ label }) => label);
  if (second === undefined) return first;
  return others.length === 0 ? `${second} vs ${first}` : `${first} and ${others.length + 1} more`;
}
