import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import { parsePythonJson, isPyNumber, type PyNumber } from "@/lib/core/scoring";
import type { ExactValue, GroupSummary, JobHead } from "@/lib/store/tables";

import { prepareValue } from "./json-values";
import { type ExportColumn, type ExportTable, flag, integer, readField, real, text, time } from "./table";

export interface ExportedGroup {
  readonly job: JobHead;
  readonly root: string | null;
  /** Null for a job without groups, and for one whose trials are not read yet. */
  readonly group: GroupSummary | null;
  /** Review counts of the group's trials; null when the annotations cannot be read. */
  readonly reviews: { readonly nJudged: number; readonly nDisagreeing: number } | null;
  readonly runSets: readonly string[];
}

type Column = ExportColumn<ExportedGroup>;

/** Returns a count of the group; 0 for a job that was read and has no trials. */
function tally(
  name: string,
  unit: string | null,
  description: string,
  read: (group: GroupSummary) => number,
): Column {
  return integer(name, unit, description, ({ job, group }) => {
    if (group === null) return job.isRead && job.nTrials === 0 ? 0 : null;
    return read(group);
  });
}

function amount(
  name: string,
  unit: string,
  description: string,
  read: (group: GroupSummary) => number | null,
): Column {
  return real(name, unit, description, ({ group }) => (group === null ? null : read(group)));
}

const JOB: readonly Column[] = [
  text("job_key", "Key of the job in addresses, unique over all opened folders", ({ job }) => job.key),
  text("job_name", "Name of the job", ({ job }) => job.name),
  text("job_id", "UUID of the job", ({ job }) => job.uuid),
  text("root", "Label of the opened folder", ({ root }) => root),
  text("folder", "Folder of the job below its root", ({ job }) => job.folder || null),
  text("kind", "harbor, or loose for trials without a job", ({ job }) => job.kind),
  text("state", "finished, running, interrupted or unknown", ({ job }) => job.state),
  flag(
    "is_read",
    "False while the job was found and its trials are not read yet; everything counted is missing then",
    ({ job }) => job.isRead,
  ),
  text("harbor_version", "Version of Harbor that ran it", ({ job }) => job.harborVersion),
  time("started_at", "Start of the job", ({ job }) => job.time.startedAt),
  time("finished_at", "End of the job", ({ job }) => job.time.finishedAt),
  time("updated_at", "Last update of the job's result", ({ job }) => job.updatedAt),
  integer(
    "n_planned_trials",
    "trials",
    "Planned trials, from lock.json, result.json or config.json",
    ({ job }) => job.planned?.count ?? null,
  ),
  text("job_verdict", "Worst verdict over all figures of the job", ({ job }) =>
    job.isRead ? job.report.verdict : null,
  ),
];

const GROUP: readonly Column[] = [
  text("evals_group", "Harbor's key of agent, model and dataset", ({ group }) => group?.group.key ?? null),
  text(
    "run_sets",
    "Saved run sets that count its attempts with those of other jobs, by name",
    ({ runSets }) => (runSets.length === 0 ? null : runSets.join("; ")),
  ),
  text("agent", "Agent", ({ group }) => group?.group.agent ?? null),
  text("model", "Model without its provider", ({ group }) => group?.group.model ?? null),
  text("source", "Dataset; missing for ad hoc tasks", ({ group }) => group?.group.source ?? null),
  tally("n_trials", "trials", "Trials of the group, unfinished ones included", (group) => group.nTrials),
  tally("n_finished", "trials", "Trials with a readable result", (group) => group.nFinished),
  tally("n_tasks", "tasks", "Tasks of the group", (group) => group.nTasks),
  text("headline_key", "Metric or reward key of the headline", ({ group }) => group?.headline?.key ?? null),
  {
    name: "headline",
    textName: "headline_text",
    type: "exact",
    unit: "reward",
    description: "Headline figure recomputed as Harbor computes it, bit for bit",
    read: ({ group }) => toPyNumber(group?.headline ?? null),
  },
  amount(
    "mean",
    "reward",
    "Mean headline reward, every trial with the same weight, a missing one as 0",
    ({ interval }) => (interval.kind === "computed" ? interval.mean : null),
  ),
  amount("mean_low", "reward", "Lower end of its 95 % interval", (group) => readBounds(group)?.low ?? null),
  amount("mean_high", "reward", "Upper end of its 95 % interval", (group) => readBounds(group)?.high ?? null),
  text("interval_method", "How the interval was computed", ({ group }) =>
    group === null ? null : (readBounds(group)?.method ?? null),
  ),
  text("verdict", "Worst verdict over the group's figures", ({ group }) => group?.group.verdict ?? null),
  integer(
    "ulps",
    null,
    "Units in the last place of the figure furthest off",
    ({ group }) => group?.ulps ?? null,
  ),
  ...OUTCOMES.map((outcome: Outcome) =>
    tally(`n_${outcome}`, "trials", `Trials with outcome ${outcome}`, ({ counts }) => counts[outcome]),
  ),
  tally(
    "n_exceptions",
    "trials",
    "Trials with an exception, whatever their outcome",
    (group) => group.nExceptions,
  ),
  amount("cost_usd", "USD", "Cost of the trials that report one", (group) => group.costUsd),
  tally("n_with_cost", "trials", "Trials that report a cost", (group) => group.nWithCost),
  tally(
    "n_regraded",
    "trials",
    "Trials that regrade another one, whose tokens and cost are copies",
    (group) => group.regraded.nTrials,
  ),
  amount(
    "regraded_cost_usd",
    "USD",
    "Part of cost_usd copied from their sources",
    (group) => group.regraded.costUsd,
  ),
  integer("n_judged", "trials", "Reviewed trials", ({ reviews }) => reviews?.nJudged ?? null),
  integer(
    "n_disagreeing",
    "trials",
    "Trials where a reviewer contradicts the scored outcome",
    ({ reviews }) => (reviews === null ? null : reviews.nDisagreeing),
  ),
];

export const JOB_TABLE: ExportTable<ExportedGroup> = {
  schema: "assay.jobs/2",
  list: "jobs",
  columns: [...JOB, ...GROUP],
  prepareJson: (row) =>
    Object.fromEntries([...JOB, ...GROUP].map((column) => [column.name, readJsonValue(column, row)])),
};

/** An exact number is `{value, text}`, a time ISO 8601 in UTC, a missing value null. */
function readJsonValue(column: Column, row: ExportedGroup) {
  if (column.type !== "exact") return readField(column, row);
  const value = column.read(row);
  return value === null ? null : prepareValue(value);
}

function readBounds({ interval }: GroupSummary) {
  return interval.kind === "computed" && interval.bounds.kind === "computed" ? interval.bounds : null;
}

/** Parses Python's text of a number, which distinguishes int and float. */
function toPyNumber(exact: ExactValue | null): PyNumber | null {
  if (exact === null) return null;
  const value = parsePythonJson(exact.text);
  return isPyNumber(value) ? value : null;
}
