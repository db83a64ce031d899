import {
  countAbsentTrials,
  haveAllBegun,
  type JobRecord,
  listRecordedNames,
  PLAN_SOURCE_WORDS,
} from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { sumBy } from "@/lib/core/domain/sum-by";
import { selectHeadlineReward, type Trial } from "@/lib/core/domain/trial";
import { evalsKey } from "@/lib/core/scoring";

import { type LoadRoot, prepareIssue } from "../discover/load-root";
import { nameGroup } from "./place-trials";

type IdentifiedFolder = Pick<Trial, "id" | "folder">;
type Report = (code: LoadIssue["code"], folder: string, detail: string) => void;

export function describeGaps(
  root: LoadRoot,
  job: Omit<JobRecord, "key">,
  trials: readonly Trial[],
  folders: readonly IdentifiedFolder[],
): LoadIssue[] {
  const issues: LoadIssue[] = [];
  const report: Report = (code, folder, detail) => issues.push(prepareIssue(root, code, folder, detail));
  if (trials.length === 0) {
    report("job_without_trials", job.folder, "The job has no trial folder, so nothing can be recomputed.");
  }
  reportAbsentFolders(job, trials, report);
  for (const trial of trials) {
    if (trial.state !== "missing") continue;
    const detail = "The trial has no result.json; it was interrupted or its result is lost.";
    report("trial_without_result", trial.folder, detail);
  }
  reportOutsideContract(job, trials, report);
  reportOtherKeys(job, trials, report);
  reportRepeatedIds(folders, report);
  return issues;
}

function reportOtherKeys({ folder }: Omit<JobRecord, "key">, trials: readonly Trial[], report: Report) {
  for (const [recorded, members] of Map.groupBy(trials, ({ groupKey }) => groupKey)) {
    const [first] = members;
    const own = first === undefined ? recorded : evalsKey(nameGroup(first));
    if (own === recorded || own.replaceAll("/", "-") === recorded) continue;
    const detail = `result.json names an evals group "${recorded}". The group lists the trials of "${own}".`;
    report("group_key_differs", folder, detail);
  }
}

export function reportRepeatedIds(trials: readonly IdentifiedFolder[], report: Report): void {
  const counts = sumBy(trials, ({ id }) => id);
  const repeated = trials.filter(({ id }) => id !== null && (counts.get(id) ?? 0) > 1);
  for (const [id, [first, ...rest]] of Map.groupBy(repeated, (trial) => trial.id)) {
    if (first === undefined) continue;
    report("trial_id_repeated", first.folder, `${rest.length + 1} trials of this job have the id ${id}.`);
  }
}

/** Harbor accepts any number; the evaluation contract accepts 0 to 1. */
function reportOutsideContract(
  { folder }: Omit<JobRecord, "key">,
  trials: readonly Trial[],
  report: Report,
): void {
  const outside = trials.filter(({ rewards }) => {
    const headline = selectHeadlineReward(rewards);
    if (headline === null) return false;
    const reward = Number(headline.value);
    return !(reward >= 0 && reward <= 1);
  });
  const [first] = outside;
  if (first === undefined) return;
  const detail = `${outside.length} of ${trials.length} trials have a reward that is not from 0 to 1, such as ${first.trialName}.`;
  report("reward_outside_contract", folder, detail);
}

function reportAbsentFolders(job: Omit<JobRecord, "key">, trials: readonly Trial[], report: Report): void {
  const nAbsent = countAbsentTrials(job.planned, trials.length);
  const details: string[] = [];
  if (job.planned !== null && nAbsent > 0 && job.state !== "running") {
    const { count, source } = job.planned;
    details.push(
      `${nAbsent} of ${count} trials have no folder here: ${PLAN_SOURCE_WORDS[source]} ${count}.`,
      ...(haveAllBegun(job.planned, job.state) ? [] : ["The job did not end, so they may never have begun."]),
    );
  }
  const names = new Set(trials.map((trial) => trial.trialName));
  const absent = [...listRecordedNames(job.recorded?.groups)].filter((name) => !names.has(name));
  const [first] = absent;
  if (first !== undefined && trials.length > 0)
    details.push(`${absent.length} trial names in result.json have no folder, such as "${first}".`);
  if (details.length > 0) report("trial_folder_missing", job.folder, details.join(" "));
}
