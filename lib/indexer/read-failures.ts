import { type TrialRecord, selectHeadlineReward } from "@/lib/domain/trial";
import { type LoadRoot, readFailureSignals } from "@/lib/loader";
import { leaveTrial } from "@/lib/loader/large-files";
import { hearOfParent } from "@/lib/processes/with-parent";
import { computeLostReward } from "@/lib/stats";
import {
  encodeValue,
  finishFailures,
  type IndexStore,
  type JobRow,
  type PlacedTrial,
  readPlacedTrials,
  writeFailures,
} from "@/lib/store";
import { Classifier, type RuleSet } from "@/lib/triage/rules";

import { ProgressReport } from "./progress-report";
import type { DerivedDetailsTask } from "./read-derived-details";

/** A job whose trials that did not pass are to be classified, and by which rules. */
export interface FailuresTask extends DerivedDetailsTask {
  readonly rules: RuleSet;
}

/** Trials that are read and written together. */
const TRIALS_A_WRITE = 500;

/**
 * Reads the files of a job's trials that did not pass, and writes why into the index.
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
  for (let from = 0; ;) {
    const trials = await readPlacedTrials(store, job.id, from, TRIALS_A_WRITE);
    const isLast = trials.length < TRIALS_A_WRITE;
    const to = isLast ? null : (trials.at(-1)?.position ?? from) + 1;
    const rows = {
      trialFailures: [] as JobRow<"trialFailures">[],
      failureEvidence: [] as JobRow<"failureEvidence">[],
    };
    for (const placed of trials) {
      report.add();
      if (!hasFailed(placed.trial)) continue;
      const { failure, evidence } = await classify(root, classifier, placed);
      rows.trialFailures.push(failure);
      rows.failureEvidence.push(evidence);
    }
    leaveTrial();
    await hearOfParent();
    if (!(await writeFailures(store, job, { from, to }, rows))) return false;
    report.tell();
    if (to === null) break;
    from = to;
  }
  return finishFailures(store, job, rules.version);
}

function hasFailed({ outcome }: TrialRecord): boolean {
  return outcome !== "passed" && outcome !== "running";
}

async function classify(root: LoadRoot, classifier: Classifier, { trial, position, groupKey }: PlacedTrial) {
  const facts = await readFailureSignals(root, trial);
  const { failureClass, rule, version, why, evidence } = classifier.classify(facts);
  const headline = selectHeadlineReward(trial.rewards);
  const lostReward = computeLostReward(headline === null ? null : Number(headline.value));
  const { taskName } = trial;
  return {
    failure: { position, failureClass, rule: rule ?? "", groupKey, taskName, lostReward, clusterKey: null },
    evidence: { position, version, why, evidence: encodeValue(evidence), clusterText: null },
  };
}
