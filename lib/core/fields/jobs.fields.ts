import type { GroupSummary, JobHead } from "../domain/job-head";
import { type Outcome, OUTCOMES } from "../domain/trial";
import { type Fields, type ListColumn, listSorts, makeFields, SORT_WORDS, type SortName } from "./field";

export interface ListedGroup {
  readonly job: JobHead;
  readonly root: string | null;
  /** Null for a job without groups, and for one whose trials are not read yet. */
  readonly group: GroupSummary | null;
  /** Review counts of the group's trials; null when the annotations cannot be read. */
  readonly reviews: { readonly nJudged: number; readonly nDisagreeing: number } | null;
  readonly runSets: readonly string[];
}

const { text, flag, time, integer, real } = makeFields<ListedGroup>();

/** A count of the group; 0 for a job that was read and has no trials. */
function tally(unit: string | null, description: string, read: (group: GroupSummary) => number) {
  return integer(unit, description, ({ job, group }) => {
    if (group === null) return job.isRead && job.nTrials === 0 ? 0 : null;
    return read(group);
  });
}

function amount(unit: string, description: string, read: (group: GroupSummary) => number | null) {
  return real(unit, description, ({ group }) => (group === null ? null : read(group)));
}

function readBounds({ interval }: GroupSummary) {
  return interval.kind === "computed" && interval.bounds.kind === "computed" ? interval.bounds : null;
}

/** Fields of `assay.jobs/2`, one row an evals group, in the order of its files. */
export const JOB_FIELDS = {
  job_key: text("Key of the job in URLs, unique over all opened folders", ({ job }) => job.key),
  job_name: text("Name of the job", ({ job }) => job.name),
  job_id: text("UUID of the job", ({ job }) => job.uuid),
  root: text("Label of the opened folder", ({ root }) => root),
  folder: text("Folder of the job below its root", ({ job }) => job.folder || null),
  kind: text("harbor, or loose for trials without a job", ({ job }) => job.kind),
  state: text("finished, running, interrupted or unknown", ({ job }) => job.state),
  is_read: flag(
    "False until the job's trials are read; all counts are missing until then",
    ({ job }) => job.isRead,
  ),
  harbor_version: text("Version of Harbor that ran it", ({ job }) => job.harborVersion),
  started_at: time("Start of the job", ({ job }) => job.time.startedAt),
  finished_at: time("End of the job", ({ job }) => job.time.finishedAt),
  updated_at: time("Last update of the job's result", ({ job }) => job.updatedAt),
  n_planned_trials: integer(
    "trials",
    "Planned trials, from lock.json, result.json or config.json",
    ({ job }) => job.planned?.count ?? null,
  ),
  job_verdict: text("Worst verdict over all figures of the job", ({ job }) =>
    job.isRead ? job.report.verdict : null,
  ),
  evals_group: text("Harbor's key of agent, model and dataset", ({ group }) => group?.group.key ?? null),
  run_sets: text("Saved run sets that count its attempts with those of other jobs, by name", ({ runSets }) =>
    runSets.length === 0 ? null : runSets.join("; "),
  ),
  agent: text("Agent", ({ group }) => group?.group.agent ?? null),
  model: text("Model without its provider", ({ group }) => group?.group.model ?? null),
  source: text("Dataset; missing for ad hoc tasks", ({ group }) => group?.group.source ?? null),
  n_trials: tally("trials", "Trials of the group, unfinished ones included", (group) => group.nTrials),
  n_finished: tally("trials", "Trials with a readable result", (group) => group.nFinished),
  n_tasks: tally("tasks", "Tasks of the group", (group) => group.nTasks),
  headline_key: text("Metric or reward key of the headline", ({ group }) => group?.headline?.key ?? null),
  headline: {
    type: "exact",
    unit: "reward",
    description: "Headline figure recomputed as Harbor computes it, bit for bit",
    read: ({ group }: ListedGroup) => group?.headline?.text ?? null,
  },
  mean: amount(
    "reward",
    "Mean headline reward, every trial with the same weight, a missing one as 0",
    ({ interval }) => (interval.kind === "computed" ? interval.mean : null),
  ),
  mean_low: amount("reward", "Lower end of its 95 % interval", (group) => readBounds(group)?.low ?? null),
  mean_high: amount("reward", "Upper end of its 95 % interval", (group) => readBounds(group)?.high ?? null),
  interval_method: text("How the interval was computed", ({ group }) =>
    group === null ? null : (readBounds(group)?.method ?? null),
  ),
  verdict: text("Worst verdict over the group's figures", ({ group }) => group?.group.verdict ?? null),
  ulps: integer(
    null,
    "Units in the last place of the figure furthest off",
    ({ group }) => group?.ulps ?? null,
  ),
  ...(Object.fromEntries(
    OUTCOMES.map((outcome) => [
      `n_${outcome}`,
      tally("trials", `Trials with outcome ${outcome}`, ({ counts }) => counts[outcome]),
    ]),
  ) as Readonly<Record<`n_${Outcome}`, ReturnType<typeof tally>>>), // One of each.
  n_exceptions: tally("trials", "Trials with an exception, with any outcome", (group) => group.nExceptions),
  cost_usd: amount("USD", "Cost of the trials that report one", (group) => group.costUsd),
  n_with_cost: tally("trials", "Trials that report a cost", (group) => group.nWithCost),
  n_regraded: tally(
    "trials",
    "Trials that regrade another one, whose tokens and cost are copies",
    (group) => group.regraded.nTrials,
  ),
  regraded_cost_usd: amount(
    "USD",
    "Part of cost_usd copied from their sources",
    (group) => group.regraded.costUsd,
  ),
  n_judged: integer("trials", "Reviewed trials", ({ reviews }) => reviews?.nJudged ?? null),
  n_disagreeing: integer(
    "trials",
    "Trials where a reviewer contradicts the scored outcome",
    ({ reviews }) => reviews?.nDisagreeing ?? null,
  ),
} as const satisfies Fields<ListedGroup>;

const AMOUNT = { numeric: true, sort: SORT_WORDS.amounts } as const;
const COUNT = { numeric: true, phone: "second" } as const;

/** Columns of the table of jobs. */
export const JOB_COLUMNS = {
  select: { heading: "Select", isFixed: true, width: 26, phone: "side" },
  job: {
    heading: "Job and dataset",
    isFixed: true,
    className: "name",
    sort: SORT_WORDS.names,
    ascends: true,
    field: "job_name",
    phone: "above",
  },
  agent: { heading: "Agent and model", field: "agent", phone: "first" },
  tasks: { heading: "Tasks", startsHidden: true, numeric: true, field: "n_tasks" },
  trials: { ...AMOUNT, heading: "Trials", room: "minor", field: "n_trials" },
  mean: { ...AMOUNT, heading: "Mean", title: "Mean reward", field: "headline", phone: "score" },
  bounds: { heading: "95 % interval", numeric: true, className: "muted", startsHidden: true },
  interval: {
    heading: "Interval",
    label: "Interval",
    className: "interval-cell",
    field: "mean_low",
    phone: "side",
  },
  outcome: { heading: "Outcome", title: "Shares of passed, failed, timeout and error", phone: "below" },
  passed: { ...COUNT, heading: "Passed", field: "n_passed", startsHidden: true },
  partial: { ...COUNT, heading: "Partial", field: "n_partial", startsHidden: true },
  failed: { ...COUNT, heading: "Failed", field: "n_failed", startsHidden: true },
  error: {
    ...COUNT,
    heading: "Error",
    field: "n_errored",
    title: "Errored or cancelled",
    startsHidden: true,
  },
  timeout: { ...COUNT, heading: "Timeout", field: "n_timeout", startsHidden: true },
  open: {
    heading: "Open",
    numeric: true,
    room: "minor",
    title: "Running, and missing: planned or begun without a result",
    field: "n_missing",
  },
  reviewed: {
    heading: "Disagrees",
    label: "Reviewer disagrees",
    numeric: true,
    room: "minor",
    title:
      "Reviewer disagrees: reviewed trials on which a reviewer contradicts the verifier, of all reviewed",
    field: "n_disagreeing",
  },
  cost: { ...AMOUNT, heading: "Cost, $", room: "minor", field: "cost_usd" },
  finished: {
    heading: "Finished",
    numeric: true,
    className: "muted",
    sort: SORT_WORDS.times,
    field: "finished_at",
    phone: "above",
  },
  check: {
    heading: "Check",
    title: "Recorded figures compared with the trials, bit for bit",
    field: "verdict",
    phone: "end",
  },
} as const satisfies Readonly<Record<string, ListColumn & { readonly field?: keyof typeof JOB_FIELDS }>>;

export type JobColumn = keyof typeof JOB_COLUMNS;

export type JobSort = SortName<typeof JOB_COLUMNS>;

export const JOB_SORTS = listSorts(JOB_COLUMNS, "finished");
