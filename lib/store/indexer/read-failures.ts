import { selectHeadlineReward } from "@/lib/core/domain/trial";
import { computeLostReward } from "@/lib/core/stats";
import { hasFailed, hasPassedInSpite } from "@/lib/core/triage/classified";
import { clusterOf } from "@/lib/core/triage/clusters/cluster-of";
import type { FailureFacts } from "@/lib/core/triage/facts";
import { Classifier, type FailureVerdict, type RuleSet } from "@/lib/core/triage/rules";
import { readFailureSignals } from "@/lib/read/loader";
import { toColumnText } from "@/lib/store/database";
import {
  encodeValue,
  finishFailures,
  type IndexStore,
  type JobRow,
  namePlace,
  type PlacedTrial,
  readFailedParts,
  readClassified,
  writeFailures,
} from "@/lib/store/tables";

import { describeStopped, prepareIssueRows } from "./issue-rows";
import { readInBatches } from "./progress";
import type { DerivedDetailsTask } from "./read-derived-details";

export interface FailuresTask extends DerivedDetailsTask {
  readonly rules: RuleSet;
}

const TRIALS_A_WRITE = 200;

/** Kept for the next job, since a rule's time limit spans all jobs. */
let last: { readonly version: string; readonly classifier: Classifier } | null = null;

/**
 * Reads the files of trials that did not pass, or passed with an exception, and writes their classes. Skips trials that these
 * rules classified with the current result, unless no rule matched.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 */
export async function readJobFailures(
  store: IndexStore,
  { root, job, rules }: FailuresTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  if (last?.version !== rules.version) last = { version: rules.version, classifier: new Classifier(rules) };
  const { classifier } = last;
  const parts = await readFailedParts(store, job.id);
  const known = await readClassified(store, job.id, rules.version);
  const stopped = new Map<string, number>();
  const isRead = await readInBatches(store, job, TRIALS_A_WRITE, onTrials, async (trials, onTrial) => {
    const read: { readonly placed: PlacedTrial; readonly facts: FailureFacts }[] = [];
    for (const placed of trials) {
      onTrial();
      const { trial, position } = placed;
      if (known.has(position) || !(hasFailed(trial) || hasPassedInSpite(trial))) continue;
      read.push({ placed, facts: await readFailureSignals(root, trial) });
    }
    const rows: FailureRowLists = { trialFailures: [], failureEvidence: [], passedFailures: [] };
    const verdicts = classifier.classifyAll(read.map(({ facts }) => facts));
    for (const [at, { placed, facts }] of read.entries()) {
      const verdict = verdicts[at];
      if (verdict === undefined) continue;
      if (verdict.stopped !== null) stopped.set(verdict.stopped, (stopped.get(verdict.stopped) ?? 0) + 1);
      const failedParts = parts.get(namePlace({ jobRowId: job.id, position: placed.position }));
      addRows(rows, placed, facts, verdict, failedParts);
    }
    return read.length === 0 ? null : () => writeFailures(store, job, rows);
  });
  if (!isRead) return false;
  const issues = Array.from(stopped, ([rule, n]) => describeStopped(root, job.folder, rule, n));
  const scope = { root, folder: job.folder, trials: [], origin: "failures" as const };
  return finishFailures(store, job, rules.version, prepareIssueRows(issues, scope));
}

type FailureRowLists = {
  readonly [Table in "trialFailures" | "failureEvidence" | "passedFailures"]: JobRow<Table>[];
};

function addRows(
  { trialFailures, failureEvidence, passedFailures }: FailureRowLists,
  { trial, taskName, position, groupKey }: PlacedTrial,
  { signals }: FailureFacts,
  { failureClass, rule, version, why, evidence }: FailureVerdict,
  failedParts: { readonly dimensions: readonly string[] } | undefined,
): void {
  const { key, resultDigest } = trial;
  const said = { position, key, resultDigest, groupKey, taskName, failureClass, rule: rule ?? "", version };
  if (!hasFailed(trial)) {
    passedFailures.push({ ...said, why, evidence: encodeValue(evidence) });
    return;
  }
  const headline = selectHeadlineReward(trial.rewards);
  const lostReward = computeLostReward(headline === null ? null : Number(headline.value));
  const cluster = clusterOf(signals, { ...trial, taskName, failedDimensions: failedParts?.dimensions ?? [] });
  trialFailures.push({ ...said, lostReward, clusterKey: cluster.key });
  failureEvidence.push({
    position,
    why,
    evidence: encodeValue(evidence),
    clusterKind: cluster.kind,
    clusterScope: cluster.scope,
    clusterText: cluster.pattern,
    clusterSlots: encodeValue(cluster.slots),
    clusterSignal: encodeValue(cluster.signal),
    search: toColumnText([why ?? "", ...evidence.map(({ text }) => text)].join("\n").toLowerCase()),
  });
}
