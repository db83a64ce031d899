import { findHarborEra, type HarborEra } from "@/lib/core/domain/harbor-era";
import {
  type JobRecord,
  listRecordedNames,
  type RecordedStats,
  countAbsentTrials,
  haveAllBegun,
  PLAN_SOURCE_WORDS,
} from "@/lib/core/domain/job";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { sumBy } from "@/lib/core/domain/sum-by";
import {
  classifyOutcome,
  countsUnder,
  type RewardFileReading,
  type StepRecord,
  selectHeadlineReward,
  type Trial,
  type TrialFiles,
} from "@/lib/core/domain/trial";
import { listExceptions, selectFailure } from "@/lib/core/domain/trial-failure";
import {
  dashedEvalsKey,
  evalsKey,
  type EvalsGroup,
  isRewardValid,
  type RewardDict,
} from "@/lib/core/scoring";

import { type LoadRoot, prepareIssue } from "../discover/load-root";
import { assignKeys } from "../short-hash";
import type { RewardFolder } from "./read-rewards";

export function prepareTrials(
  label: string,
  job: Pick<JobRecord, "state" | "recorded" | "harborVersion" | "scoringRule">,
  records: readonly TrialFiles[],
): Trial[] {
  const era = findHarborEra(job.harborVersion, job.recorded);
  const chooseKey = prepareGroupKeys(era, job.recorded, records);
  const groupKeys = records.map((record) => chooseKey(record));
  const keys = assignKeys(
    records,
    ({ trialName }) => trialName,
    ({ folder, id }) => [label, folder, id ?? ""],
  );
  const attempts = numberAttempts(records, groupKeys);
  return records.map((record, index) => {
    const state = record.state === "missing" && job.state === "running" ? "running" : record.state;
    const attempt = attempts[index] ?? 1;
    const exceptionType = selectFailure(record)?.exception.type ?? null;
    const isValid = isRewardValid(record.rewards, listExceptions(record));
    const isLeftOut = !countsUnder(
      { ledger: record.ledger, rewards: record.rewards, isRewardValid: isValid },
      job.scoringRule,
    );
    const outcome = classifyOutcome({ state, rewards: record.rewards, exceptionType, isLeftOut });
    return {
      ...record,
      ...orderRewardFiles(record, era.firstRewardFile),
      steps:
        record.steps?.map((step) => ({ ...step, ...orderRewardFiles(step, era.firstRewardFile) })) ?? null,
      groupKey: groupKeys[index] ?? "",
      key: keys[index] ?? record.trialName,
      attempt,
      state,
      outcome,
      isRewardValid: isValid,
    };
  });
}

type Counted = Pick<Trial, "taskName" | "ledger">;

/** Numbers attempts per task and group. Uses stated numbers if they are distinct, else the order. */
function numberAttempts(trials: readonly Counted[], groupKeys: readonly string[]): number[] {
  const placeOf = ({ taskName }: Counted, index: number): string => `${groupKeys[index] ?? ""}\0${taskName}`;
  // Only ledgers state attempts.
  const ledgers = Map.groupBy(
    trials.flatMap((trial, index) => {
      const { ledger } = trial;
      return ledger === null ? [] : [{ ledger, place: placeOf(trial, index) }];
    }),
    ({ place }) => place,
  );
  const stated = new Set(
    [...ledgers].flatMap(([name, group]) => {
      const numbers = new Set(group.flatMap(({ ledger }) => ledger.attempt ?? []));
      return numbers.size === group.length ? name : [];
    }),
  );
  // One map per group: a combined key per trial would take as much memory as its names.
  const counts = new Map(Array.from(new Set(groupKeys), (key) => [key, new Map<string, number>()]));
  return trials.map((trial, index) => {
    const own = counts.get(groupKeys[index] ?? "");
    const attempt = (own?.get(trial.taskName) ?? 0) + 1;
    own?.set(trial.taskName, attempt);
    const isStated = trial.ledger !== null && stated.has(placeOf(trial, index));
    return isStated ? (trial.ledger.attempt ?? attempt) : attempt;
  });
}

function prepareGroupKeys(era: HarborEra, recorded: RecordedStats | null, records: readonly TrialFiles[]) {
  if (recorded === null) return (trial: Named) => evalsKey(nameGroup(trial));
  const keys = new Set(recorded.groups.map((group) => group.key));
  const spell = (trial: Named) => {
    const group = nameGroup(trial);
    const key = evalsKey(group);
    const dashed = era.mayDashKeys && key.includes("/") ? dashedEvalsKey(group) : key;
    return !keys.has(key) && keys.has(dashed) ? dashed : key;
  };
  // Without a result, agent and dataset are guesses.
  const finished = records.filter(({ state }) => state === "finished");
  const ownKeys = new Map(finished.map((record) => [record.trialName, spell(record)]));
  const own = new Set(ownKeys.values());
  // A key in another case belongs to the trials that its group lists. Any other difference names another agent or model.
  const matches = recorded.groups.flatMap((group) => {
    if (own.has(group.key)) return [];
    const listed = new Set([...listRecordedNames([group])].flatMap((name) => ownKeys.get(name) ?? []));
    const [key = ""] = listed;
    const isOtherCase = key.toLowerCase() === group.key.toLowerCase();
    return listed.size === 1 && isOtherCase && !keys.has(key) ? [[key, group.key] as const] : [];
  });
  const counts = sumBy(matches, ([key]) => key);
  const spellings = new Map(matches.filter(([key]) => counts.get(key) === 1));
  return (trial: Named) => spellings.get(spell(trial)) ?? spell(trial);
}

type Named = Pick<Trial, "agent" | "recordedModel" | "source">;

function nameGroup({ agent, recordedModel: model, source }: Named): EvalsGroup {
  return { agent, model, source };
}

type RewardedRecord = Pick<StepRecord, "rewards" | "rewardFile" | "otherRewardFile">;

/** Puts the file first that Harbor read, or that matches the recorded rewards; else reward.json. */
export function orderRewardFiles(
  { rewardFile, otherRewardFile, rewards }: RewardedRecord,
  first: HarborEra["firstRewardFile"],
): RewardFolder {
  return otherRewardFile === null || isFirst(rewardFile, otherRewardFile, rewards, first)
    ? { rewardFile, otherRewardFile }
    : { rewardFile: otherRewardFile, otherRewardFile: rewardFile };
}

function isFirst(
  a: RewardFileReading,
  b: RewardFileReading,
  recorded: RewardDict | null,
  first: HarborEra["firstRewardFile"],
): boolean {
  if (first !== null) return nameFile(a) === first;
  const agreesA = agrees(a, recorded);
  return agreesA === agrees(b, recorded) ? nameFile(a) === "reward.json" : agreesA;
}

function nameFile(reading: RewardFileReading): string | null {
  return reading.kind === "absent" ? null : reading.file;
}

function agrees(reading: RewardFileReading, recorded: RewardDict | null): boolean {
  if (recorded === null) return reading.kind === "error";
  if (reading.kind !== "read" || reading.rewards?.size !== recorded.size) return false;
  return [...reading.rewards].every(([key, value]) => {
    const stated = recorded.get(key);
    return stated !== undefined && Object.is(Number(stated), Number(value));
  });
}

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
