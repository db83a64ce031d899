import { toColumnText } from "@/lib/database";
import { selectHeadlineReward } from "@/lib/domain/trial";
import { type LoadRoot, readFailureSignals } from "@/lib/loader";
import { leaveTrial } from "@/lib/loader/large-files";
import { hearOfParent } from "@/lib/processes/with-parent";
import { computeLostReward } from "@/lib/stats";
import {
  encodeValue,
  finishFailures,
  type IndexStore,
  type JobRow,
  namePlace,
  type PlacedTrial,
  readFailedParts,
  readClassified,
  readPlacedTrials,
  writeFailures,
} from "@/lib/store";
import { clusterOf } from "@/lib/triage/clusters/cluster-of";
import { hasFailed, hasPassedInSpite } from "@/lib/triage/classified";
import { Classifier, type RuleSet } from "@/lib/triage/rules";

import { ProgressReport } from "./progress-report";
import type { DerivedDetailsTask } from "./read-derived-details";

/** A job whose trials are to be classified that did not pass or have an exception, and by which rules. */
export interface FailuresTask extends DerivedDetailsTask {
  readonly rules: RuleSet;
}

/** Trials that are read and written together. */
const TRIALS_A_WRITE = 500;

/**
 * Reads the files of a job's trials that did not pass, and writes why into the index; of those that passed with an exception what
 * that was. Those that these rules have classified
 * already, with the result that they have now, are left as they are.
 *
 * @returns false when the job changed meanwhile, so that this must be done again
 * @throws StoreError when the store cannot be read or written
 */
export async function readJobFailures(
  store: IndexStore,
  { root, job, rules }: FailuresTask,
  onTrials: (n: number) => void,
): Promise<boolean> {
  const classifier = new Classifier(rules);
  const report = new ProgressReport(onTrials);
  const parts = await readFailedParts(store, job.id);
  const known = await readClassified(store, job.id, rules.version);
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, job.id, from, TRIALS_A_WRITE);
    const trialFailures: JobRow<"trialFailures">[] = [];
    const failureEvidence: JobRow<"failureEvidence">[] = [];
    const passedFailures: JobRow<"passedFailures">[] = [];
    for (const placed of trials) {
      report.add();
      if (known.has(placed.position)) continue;
      if (hasPassedInSpite(placed.trial)) passedFailures.push(await classifyPassed(root, classifier, placed));
      if (!hasFailed(placed.trial)) continue;
      const place = { jobRowId: job.id, position: placed.position };
      const failedDimensions = parts.get(namePlace(place))?.dimensions ?? [];
      const { failure, evidence } = await classify(root, classifier, placed, failedDimensions);
      trialFailures.push(failure);
      failureEvidence.push(evidence);
    }
    leaveTrial();
    await hearOfParent();
    const isWritten =
      trialFailures.length + passedFailures.length === 0 ||
      (await writeFailures(store, job, { trialFailures, passedFailures, failureEvidence }));
    if (!isWritten) return false;
    report.tell();
    if (trials.length < TRIALS_A_WRITE) break;
    from = (trials.at(-1)?.position ?? from) + 1;
  }
  return finishFailures(store, job, rules.version);
}

async function classifyPassed(
  root: LoadRoot,
  classifier: Classifier,
  { trial, taskName, position, groupKey }: PlacedTrial,
): Promise<JobRow<"passedFailures">> {
  const { key, resultDigest } = trial;
  const said = classifier.classify(await readFailureSignals(root, trial));
  const { failureClass, rule, version, why, evidence } = said;
  const row = { failureClass, rule: rule ?? "", version, why, evidence: encodeValue(evidence) };
  return { position, key, resultDigest, groupKey, taskName, ...row };
}

async function classify(
  root: LoadRoot,
  classifier: Classifier,
  { trial, taskName, position, groupKey }: PlacedTrial,
  failedDimensions: readonly string[],
) {
  const facts = await readFailureSignals(root, trial);
  const { failureClass, rule, version, why, evidence } = classifier.classify(facts);
  const headline = selectHeadlineReward(trial.rewards);
  const lostReward = computeLostReward(headline === null ? null : Number(headline.value));
  const { key, resultDigest } = trial;
  const cluster = clusterOf(facts.signals, { ...trial, taskName, failedDimensions });
  const said = { failureClass, rule: rule ?? "", version, lostReward, clusterKey: cluster.key };
  return {
    failure: { position, key, resultDigest, groupKey, taskName, ...said },
    evidence: {
      position,
      why,
      evidence: encodeValue(evidence),
      clusterKind: cluster.kind,
      clusterScope: cluster.scope,
      clusterText: cluster.pattern,
      clusterSlots: encodeValue(cluster.slots),
      clusterSignal: encodeValue(cluster.signal),
      search: toColumnText([why ?? "", ...evidence.map(({ text }) => text)].join("\n").toLowerCase()),
    },
  };
}
