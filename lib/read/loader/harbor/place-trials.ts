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

import { type LoadRoot, prepareIssue, folderName, parentFolder, ROOT_AS_TRIAL } from "../discover/load-root";
import { assignKeys, computeShortHash } from "../hashes";
import type { RewardFolder } from "./read-rewards";
import type { TrialReading } from "./trial-files";

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
  reportOutsideContract(job.folder, trials, report);
  reportOtherKeys(job.folder, trials, report);
  return [...issues, ...describeRepeatedIds(root, folders)];
}

function reportOtherKeys(folder: string, trials: readonly Trial[], report: Report): void {
  for (const [recorded, members] of Map.groupBy(trials, ({ groupKey }) => groupKey)) {
    const [first] = members;
    const own = first === undefined ? recorded : evalsKey(nameGroup(first));
    if (own === recorded || own.replaceAll("/", "-") === recorded) continue;
    const detail = `result.json names an evals group "${recorded}". The group lists the trials of "${own}".`;
    report("group_key_differs", folder, detail);
  }
}

export function describeRepeatedIds(root: LoadRoot, trials: readonly IdentifiedFolder[]): LoadIssue[] {
  return [...Map.groupBy(trials, ({ id }) => id)].flatMap(([id, [first, ...rest]]) => {
    if (id === null || first === undefined || rest.length === 0) return [];
    const detail = `${rest.length + 1} trials of this job have the id ${id}.`;
    return [prepareIssue(root, "trial_id_repeated", first.folder, detail)];
  });
}

/** Harbor accepts any number; the evaluation contract accepts 0 to 1. */
function reportOutsideContract(folder: string, trials: readonly Trial[], report: Report): void {
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

/**
 * Splits the trials of a folder that two jobs wrote into by the job id in each trial's config. Trials listed in result.json
 * stay with it, as in resumed and merged jobs. Splits nothing if no trial has the job's id.
 * @returns as `own` the trials of the job whose result.json is in the folder, and those that name no job
 */
export function splitByJob(
  jobUuid: string | null,
  recorded: RecordedStats | null,
  readings: readonly TrialReading[],
) {
  const isForeign = ({ record }: TrialReading) => record.jobUuid !== null && record.jobUuid !== jobUuid;
  if (jobUuid === null || !readings.some(isForeign) || readings.every(isForeign))
    return { own: readings, others: [] };
  const listed = listRecordedNames(recorded?.groups);
  const isOther = (reading: TrialReading) => isForeign(reading) && !listed.has(reading.record.trialName);
  const groups = Map.groupBy(readings.filter(isOther), ({ record }) => record.jobUuid ?? "");
  return {
    own: readings.filter((reading) => !isOther(reading)),
    others: [...groups].map(([id, group]) => ({ jobUuid: id, readings: group })),
  };
}

export function splitLooseTrials(root: LoadRoot, readings: readonly TrialReading[]) {
  const parts = Map.groupBy(readings, ({ record }) =>
    record.jobUuid === null
      ? JSON.stringify([parentFolder(record.folder), record.settings, record.provider, record.agentVersion])
      : record.jobUuid,
  );
  const holders = new Map([...parts].map(([part, group]) => [part, findHolder(group)]));
  const counts = new Map<string, number>();
  for (const holder of holders.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  return [...parts].map(([part, group]) => {
    const holder = holders.get(part) ?? "";
    const id = group[0]?.record.jobUuid ?? null;
    const isAlone = group.length === 1 && (counts.get(holder) ?? 0) > 1;
    const folder = isAlone ? (group[0]?.record.folder ?? holder) : holder;
    const name = folderName(root, folder);
    const isShared = !isAlone && (counts.get(holder) ?? 0) > 1;
    const mark = id === null ? computeShortHash(part) : id.slice(0, 8);
    return { name: isShared ? `${name} ${mark}` : name, folder, id, readings: group };
  });
}

function findHolder(readings: readonly TrialReading[]): string {
  const [first = "", ...others] = readings.map(({ record }) =>
    record.folder === ROOT_AS_TRIAL ? "" : parentFolder(record.folder),
  );
  let holder = first;
  while (holder !== "" && !others.every((folder) => `${folder}/`.startsWith(`${holder}/`)))
    holder = parentFolder(holder);
  return holder;
}
