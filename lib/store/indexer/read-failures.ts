import { selectHeadlineReward } from "@/lib/core/domain/trial";
import { computeLostReward } from "@/lib/core/stats";
import { hasFailed, hasPassedInSpite } from "@/lib/core/triage/classified";
import { clusterOf } from "@/lib/core/triage/clusters/cluster-of";
import type { FailureFacts } from "@/lib/core/triage/facts";
import { Classifier, type FailureVerdict, type RuleSet } from "@/lib/core/triage/rules";
import { type LoadRoot, readFailureSignals } from "@/lib/read/loader";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent } from "@/lib/read/processes/serve";
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
  readTrialBatches,
  writeFailures,
} from "@/lib/store/tables";

import { describeStopped, prepareIssueRows } from "./issue-rows";
import { ProgressReport } from "./progress-report";
import type { DerivedDetailsTask } from "./read-derived-details";

export interface FailuresTask extends DerivedDetailsTask {
  readonly rules: RuleSet;
}

const TRIALS_A_WRITE = 500;
const TRIALS_AT_ONCE = 50;

/** Kept for the next job, since a rule's time limit spans all jobs. */
let last: { readonly version: string; readonly classifier: Classifier } | null = null;

/**
 * Reads the files of trials that did not pass, or passed with an exception, and writes their classes. Skips trials that these
 * rules classified with the current result, unless no rule matched.
 *
 * @returns false when the job changed meanwhile, so that this must be repeated
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobFailures(
  store: IndexStore,
  { root, job, rules }: FailuresTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  if (last?.version !== rules.version) last = { version: rules.version, classifier: new Classifier(rules) };
  const { classifier } = last;
  const report = new ProgressReport(onTrials);
  const parts = await readFailedParts(store, job.id);
  const known = await readClassified(store, job.id, rules.version);
  const stopped = new Map<string, number>();
  for await (const trials of readTrialBatches(store, job.id, TRIALS_A_WRITE)) {
    const rows: FailureRowLists = { trialFailures: [], failureEvidence: [], passedFailures: [] };
    for await (const { placed, facts, verdict } of classifyTrials(root, classifier, trials, known, report)) {
      if (verdict.stopped !== null) stopped.set(verdict.stopped, (stopped.get(verdict.stopped) ?? 0) + 1);
      addRows(
        rows,
        placed,
        facts,
        verdict,
        parts.get(namePlace({ jobRowId: job.id, position: placed.position })),
      );
    }
    leaveTrial();
    await hearOfParent();
    const isWritten =
      rows.trialFailures.length + rows.passedFailures.length === 0 || (await writeFailures(store, job, rows));
    if (!isWritten) return false;
    report.tell();
  }
  const issues = Array.from(stopped, ([rule, n]) => describeStopped(root, job.folder, rule, n));
  const scope = { root, folder: job.folder, trials: [], origin: "failures" as const };
  return finishFailures(store, job, rules.version, prepareIssueRows(issues, scope));
}

type FailureRowLists = {
  readonly [Table in "trialFailures" | "failureEvidence" | "passedFailures"]: JobRow<Table>[];
};

async function* classifyTrials(
  root: LoadRoot,
  classifier: Classifier,
  trials: readonly PlacedTrial[],
  known: ReadonlySet<number>,
  report: ProgressReport,
) {
  for (let from = 0; from < trials.length; from += TRIALS_AT_ONCE) {
    const read: { readonly placed: PlacedTrial; readonly facts: FailureFacts }[] = [];
    for (const placed of trials.slice(from, from + TRIALS_AT_ONCE)) {
      report.add();
      const { trial, position } = placed;
      if (known.has(position) || !(hasFailed(trial) || hasPassedInSpite(trial))) continue;
      read.push({ placed, facts: await readFailureSignals(root, trial) });
    }
    const verdicts = classifier.classifyAll(read.map(({ facts }) => facts));
    for (const [at, verdict] of verdicts.entries()) {
      const own = read[at];
      if (own !== undefined) yield { ...own, verdict };
    }
  }
}

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
