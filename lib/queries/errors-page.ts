import "server-only";

import { cache } from "react";

import type { CatalogSnapshot, JobEntry } from "@/lib/domain/catalog";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { classifyCause, selectExceptionMark } from "@/lib/domain/exception-cause";
import type { ExceptionCause } from "@/lib/domain/exception-cause";
import { selectHeadlineReward } from "@/lib/domain/trial";
import type { Outcome, TrialRecord } from "@/lib/domain/trial";
import { computeWilsonInterval } from "@/lib/stats";
import type { RateInterval, Unavailable } from "@/lib/stats";

import { getIdentityOf, getSnapshot } from "./catalog";

/** What the errors page is asked to show. Empty lists mean no filter; no job means every job. */
export interface ErrorsFilter {
  /** Job keys. */
  readonly jobs: readonly string[];
  /** Contender names, see {@link Contender}. */
  readonly agents: readonly string[];
  readonly causes: readonly ExceptionCause[];
  /** Found in the exception's type or message. */
  readonly text: string;
}

/** An agent with its model, which is what errors are counted for. */
export interface Contender {
  /** Agent and model as one text, which also names it in the address. */
  readonly name: string;
  readonly agent: string;
  readonly model: string | null;
  readonly identity: number;
  /** Finished trials in the chosen jobs. */
  readonly nTrials: number;
}

/** A trial with the job it belongs to and its contender's name. */
export interface ScopedTrial {
  readonly entry: JobEntry;
  readonly trial: TrialRecord;
  readonly contender: string;
}

/** The finished trials that the filter's jobs and agents choose: what every rate is out of. */
export interface ErrorsScope {
  readonly entries: readonly JobEntry[];
  readonly trials: readonly ScopedTrial[];
  /** The ones with most exceptions first, then by name. */
  readonly contenders: readonly Contender[];
  /** Exceptions in the jobs that are not chosen, and how many such jobs there are. */
  readonly nElsewhere: number;
  readonly nOtherJobs: number;
}

/** Which reward stood beside an exception. `partial` is any other reward: between 0 and 1, NaN, or several keys without a headline. */
export type RewardBeside = "none" | "zero" | "partial" | "one";

/** A number of trials with one exception type in one job. */
export interface JobCount {
  readonly jobKey: string;
  readonly jobName: string;
  readonly count: number;
}

/** A trial with an exception, as the unfolded row lists it. */
export interface ErrorTrial {
  readonly jobKey: string;
  readonly trialKey: string;
  readonly taskName: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly contender: Contender | null;
  readonly durationMs: number | null;
}

/** One exception type over the chosen trials. */
export interface ErrorRow {
  readonly type: string;
  readonly cause: ExceptionCause;
  /** The mark of the type: what it makes of a trial that has no full reward. */
  readonly mark: Outcome;
  /** One per shown contender, in the order of {@link ErrorsPage.columns}. */
  readonly counts: readonly ErrorCount[];
  /** Trials of contenders without a column of their own. */
  readonly nOthers: number;
  readonly nTrials: number;
  readonly rate: RateInterval | Unavailable;
  readonly rewards: Readonly<Record<RewardBeside, number>>;
  /** The commonest message that says anything, and how many different ones there are. */
  readonly message: string | null;
  readonly nMessages: number;
  readonly jobs: readonly JobCount[];
  readonly trials: readonly ErrorTrial[];
}

/** Trials of one contender with one exception type; `rate` is out of that contender's finished trials. */
export interface ErrorCount {
  readonly contender: string;
  readonly count: number;
  readonly rate: RateInterval | Unavailable;
  readonly jobs: readonly JobCount[];
}

/** The first part of the errors page: exceptions by type. */
export interface ErrorsPage {
  readonly scope: ErrorsScope;
  readonly columns: readonly Contender[];
  /** By cause in the order of the causes, most trials first. */
  readonly rows: readonly ErrorRow[];
  /** Trials in `rows`, and of these the ones that passed all the same. */
  readonly nErrors: number;
  readonly nPassed: number;
  readonly facets: {
    readonly jobs: readonly JobCount[];
    readonly agents: readonly { readonly value: string; readonly count: number }[];
    readonly causes: readonly { readonly value: ExceptionCause; readonly count: number }[];
  };
}

/** Contenders that can have a column each; when there are more, the first three do and the rest is summed. */
const MOST_COLUMNS = 4;

/** Trials listed in an unfolded row. */
const MOST_TRIALS = 12;

/** The name of an agent and model. */
export function nameAgent(trial: Pick<TrialRecord, "agent" | "model">): string {
  return trial.model === null ? trial.agent : `${trial.agent} ${trial.model}`;
}

/** The finished trials of the chosen jobs and agents; counted once a request for the same filter object. */
export const getErrorsScope = cache(async (filter: ErrorsFilter): Promise<ErrorsScope> => {
  const [snapshot, identityOf] = await Promise.all([getSnapshot(), getIdentityOf()]);
  return selectErrorsScope(snapshot, filter, identityOf);
});

/** The finished trials of the chosen jobs and agents in a snapshot. */
export function selectErrorsScope(
  { jobs }: Pick<CatalogSnapshot, "jobs">,
  filter: ErrorsFilter,
  identityOf: (agent: string, model: string | null) => number,
): ErrorsScope {
  const entries = filter.jobs.length === 0 ? jobs : jobs.filter(({ job }) => filter.jobs.includes(job.key));
  const trials = entries
    .flatMap((entry) => entry.trials.map((trial) => ({ entry, trial, contender: nameAgent(trial) })))
    .filter(({ trial }) => trial.state === "finished")
    .filter(({ contender }) => filter.agents.length === 0 || filter.agents.includes(contender));
  const contenders = [...Map.groupBy(trials, ({ contender }) => contender)].flatMap(([name, own]) => {
    const first = own[0]?.trial;
    if (first === undefined) return [];
    const { agent, model } = first;
    const nErrors = own.filter(({ trial }) => trial.exception !== null).length;
    return [
      { nErrors, contender: { name, agent, model, identity: identityOf(agent, model), nTrials: own.length } },
    ];
  });
  const others = jobs.filter((entry) => !entries.includes(entry));
  return {
    entries,
    trials,
    contenders: contenders
      .toSorted((a, b) => b.nErrors - a.nErrors || a.contender.name.localeCompare(b.contender.name, "en"))
      .map(({ contender }) => contender),
    nElsewhere: others.flatMap((entry) => entry.trials).filter(({ exception }) => exception !== null).length,
    nOtherJobs: others.length,
  };
}

/** Exceptions by type over the chosen trials. */
export async function getErrorsPage(filter: ErrorsFilter): Promise<ErrorsPage> {
  const [snapshot, scope] = await Promise.all([getSnapshot(), getErrorsScope(filter)]);
  return prepareErrorsPage(snapshot, scope, filter);
}

/** The page's view of a scope; `snapshot` is every job, for the list of jobs to choose from. */
export function prepareErrorsPage(
  { jobs }: Pick<CatalogSnapshot, "jobs">,
  scope: ErrorsScope,
  filter: ErrorsFilter,
): ErrorsPage {
  const failed = scope.trials.filter(({ trial }) => trial.exception !== null);
  const shown = failed.filter(({ trial }) => matches(trial, filter));
  const withErrors = new Set(failed.map(({ contender }) => contender));
  const columns = selectColumns(scope.contenders.filter(({ name }) => withErrors.has(name)));
  const rows = [...Map.groupBy(shown, ({ trial }) => trial.exception?.type ?? "")].map(([type, trials]) =>
    toRow(type, trials, scope, columns),
  );
  return {
    scope,
    columns,
    rows: rows.toSorted((a, b) => b.nTrials - a.nTrials || (a.type < b.type ? -1 : 1)),
    nErrors: shown.length,
    nPassed: shown.filter(({ trial }) => trial.outcome === "passed").length,
    facets: {
      jobs: jobs.map(({ job, trials }) => ({
        jobKey: job.key,
        jobName: job.name,
        count: trials.filter(({ exception }) => exception !== null).length,
      })),
      agents: countBy(failed, ({ contender }) => contender),
      causes: countBy(failed, ({ trial }) => classifyCause(trial.exception?.type ?? "")),
    },
  };
}

function selectColumns(contenders: readonly Contender[]): readonly Contender[] {
  const shown = contenders.length > MOST_COLUMNS ? contenders.slice(0, MOST_COLUMNS - 1) : contenders;
  return shown.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

function matches(trial: TrialRecord, filter: ErrorsFilter): boolean {
  const { exception } = trial;
  if (exception === null) return false;
  if (filter.causes.length > 0 && !filter.causes.includes(classifyCause(exception.type))) return false;
  return `${exception.type} ${exception.message}`.toLowerCase().includes(filter.text.toLowerCase());
}

function countBy<T, K extends string>(items: readonly T[], keyOf: (item: T) => K) {
  return [...Map.groupBy(items, keyOf)]
    .map(([value, same]) => ({ value, count: same.length }))
    .toSorted((a, b) => b.count - a.count || a.value.localeCompare(b.value, "en"));
}

function toRow(
  type: string,
  trials: readonly ScopedTrial[],
  scope: ErrorsScope,
  columns: readonly Contender[],
): ErrorRow {
  const counts = columns.map(({ name, nTrials }) => {
    const own = trials.filter(({ contender }) => contender === name);
    return {
      contender: name,
      count: own.length,
      rate: computeWilsonInterval(own.length, nTrials),
      jobs: countJobs(own),
    };
  });
  const rewards = { none: 0, zero: 0, partial: 0, one: 0 };
  for (const { trial } of trials) rewards[readRewardBeside(trial)]++;
  const messages = countBy(
    trials.filter(({ trial }) => trial.exception?.message.trim()),
    ({ trial }) => trial.exception?.message.trim() ?? "",
  );
  const cause = classifyCause(type);
  return {
    type,
    cause,
    mark: selectExceptionMark(type),
    counts,
    nOthers: trials.length - counts.reduce((sum, { count }) => sum + count, 0),
    nTrials: trials.length,
    rate: computeWilsonInterval(trials.length, scope.trials.length),
    rewards,
    message: messages[0]?.value ?? null,
    nMessages: messages.length,
    jobs: countJobs(trials),
    trials: trials.slice(0, MOST_TRIALS).map((scoped) => toErrorTrial(scoped, scope)),
  };
}

function toErrorTrial({ entry, trial, contender }: ScopedTrial, scope: ErrorsScope): ErrorTrial {
  return {
    jobKey: entry.job.key,
    trialKey: trial.key,
    taskName: trial.taskName,
    attempt: trial.attempt,
    outcome: trial.outcome,
    contender: scope.contenders.find(({ name }) => name === contender) ?? null,
    durationMs: computeDurationMs(trial.time),
  };
}

function countJobs(trials: readonly ScopedTrial[]): readonly JobCount[] {
  return [...Map.groupBy(trials, ({ entry }) => entry)].map(([{ job }, own]) => ({
    jobKey: job.key,
    jobName: job.name,
    count: own.length,
  }));
}

function readRewardBeside(trial: TrialRecord): RewardBeside {
  if (trial.rewards === null) return "none";
  const headline = selectHeadlineReward(trial.rewards);
  if (headline === null) return trial.rewards.size === 0 ? "none" : "partial";
  const reward = Number(headline.value);
  if (reward <= 0) return "zero";
  return reward >= 1 ? "one" : "partial";
}
