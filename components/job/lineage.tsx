import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { type Flip, FLIPS } from "@/lib/core/domain/lineage";
import { formatCount, formatPlural, formatReward, MISSING } from "@/lib/core/format/number";
import { capitalise, FLIP_WORDS, formatTaskVersion, formatTask } from "@/lib/core/format/words";
import { jobHref } from "@/lib/pages/address/href";
import type { DiffTask, FlipCounts, Flips, FlipTask, JobDiff, JobLineage } from "@/lib/pages/job/lineage";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import "./job-page.css";

export function JobLineageSections({ page, lineage }: { page: JobPage; lineage: JobLineage | null }) {
  if (lineage === null)
    return (
      <Notice title="No regrades">No trial of this job comes from another job or was regraded in one.</Notice>
    );
  const { flips, diff, regradedIn } = lineage;
  return (
    <>
      {regradedIn.length === 0 ? null : (
        <p className="caption job-lineage-line">
          Trials of this job were regraded in{" "}
          {regradedIn.map((job, index) => (
            <span key={job.key}>
              {index === 0 ? "" : ", "}
              <Link href={jobHref(job.key)}>{job.name}</Link> ({formatPlural(job.nTrials, "trial")})
            </span>
          ))}
          : the same rollouts, verified again.
        </p>
      )}
      {flips === null ? null : <JobFlips page={page} lineage={lineage} flips={flips} />}
      {diff === null ? null : <JobDiffSection lineage={lineage} diff={diff} />}
    </>
  );
}

const ALWAYS: readonly Flip[] = ["up", "down", "unchanged", "newly-scored"];

const MOST_TASKS = 200;

function JobFlips({ page, lineage, flips }: { page: JobPage; lineage: JobLineage; flips: Flips }) {
  const { total, changed, nTasks } = flips;
  const kinds = FLIPS.filter((flip) => ALWAYS.includes(flip) || total.counts[flip] > 0);
  return (
    <Section title="Regraded verdicts" note={describeVersions(flips)}>
      <p className="job-lineage-line">
        {lineage.sources.length === 0 ? null : (
          <>
            {total.nTrials === page.job.nTrials
              ? formatPlural(total.nTrials, "trial")
              : `${formatCount(total.nTrials)} of ${formatPlural(page.job.nTrials, "trial")}`}{" "}
            regraded from <SourceLinks sources={lineage.sources} />.{" "}
          </>
        )}
        Each is one rollout with two verdicts: only the verifier ran again. Tokens and cost are the
        source&rsquo;s.
      </p>
      <DataTable
        caption="Rewards before and after the regrade"
        className="table-compact"
        columns={listColumns(page.job.key, kinds)}
        rows={[
          { ...total, name: nTasks === 1 ? "1 task" : `All ${formatCount(nTasks)} tasks`, task: null },
          ...changed.slice(0, MOST_TASKS).map((task) => ({ ...task, name: formatTask(task), task })),
        ]}
        rowKey={({ task }) => JSON.stringify([task?.taskName, task?.sourceTask, task?.ownTask])}
      />
      <p className="caption table-note">{describeTable(flips)}</p>
    </Section>
  );
}

type FlipRow = FlipCounts & { readonly name: string; readonly task: FlipTask | null };

function listColumns(jobKey: string, kinds: readonly Flip[]): readonly DataColumn<FlipRow>[] {
  return [
    column("Task", ({ name, task }) => (task === null ? <b>{name}</b> : name), { className: "name" }),
    column("Task version", ({ task }) => (task === null ? null : describeChange(task)), {
      className: "muted",
    }),
    ...kinds.map((flip) =>
      column<FlipRow>(
        capitalise(FLIP_WORDS[flip]),
        ({ counts, task }) => (
          <Count
            value={counts[flip]}
            href={trialsPageHref(jobKey, { flips: [flip], tasks: task === null ? [] : [task.taskName] })}
          />
        ),
        { numeric: true },
      ),
    ),
    meanColumn("Mean before", "meanBefore"),
    meanColumn("Mean after", "meanAfter"),
  ];
}

function meanColumn(header: string, of: "meanBefore" | "meanAfter"): DataColumn<FlipRow> {
  return column(
    header,
    ({ [of]: mean, nCommon }) =>
      mean === null ? <Unknown /> : <span title={`${nCommon} trials`}>{formatReward(mean)}</span>,
    { numeric: true },
  );
}

function describeChange({ sourceTask, ownTask }: FlipTask): string {
  const [before, after] = [formatTaskVersion(sourceTask), formatTaskVersion(ownTask)];
  return before === null && after === null ? MISSING : `${before ?? MISSING} → ${after ?? MISSING}`;
}

function describeVersions({ versions }: Flips): string {
  const [only] = versions;
  if (versions.length !== 1 || only === undefined || only.source === null || only.own === null) return "";
  return only.source === only.own ? `task version ${only.own}` : `task version ${only.source} → ${only.own}`;
}

function describeTable({ total, changed, nTasks }: Flips): string {
  const left = total.nTrials - total.nCommon;
  return [
    total.nCommon === 0
      ? "No means: no trial has a reward both before and after."
      : `Both means are over the ${formatPlural(total.nCommon, "trial")} with a reward both before and after${left === 0 ? "" : `; ${formatPlural(left, "other is", "others are")} left out`}.`,
    changed.length > MOST_TASKS
      ? `${formatPlural(changed.length - MOST_TASKS, "more task")} with a change not listed.`
      : "",
    nTasks > changed.length
      ? `${formatPlural(nTasks - changed.length, "task")} without a change not listed.`
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

const DIFF_COLUMNS: readonly DataColumn<DiffTask>[] = [
  column("Task", ({ taskName, isAssumed }) => `${formatTask({ taskName })}${isAssumed ? "*" : ""}`, {
    className: "name",
  }),
  column("Task version", describeVersion, { className: "muted" }),
  column("Reused", ({ nReused }) => <Count value={nReused} />, {
    numeric: true,
    title: "Trials that exist only in the source job",
  }),
  column("Regraded", ({ nRegraded }) => <Count value={nRegraded} />, {
    numeric: true,
    title: "Rollouts of the source, re-verified",
  }),
  column("Rerun", ({ nRerun }) => <Count value={nRerun} />, {
    numeric: true,
    title: "Trials that were run again",
  }),
  column("Reason for the rerun", ({ reason }) => reason ?? <Unknown />, { className: "wrap" }),
];

function JobDiffSection({ lineage, diff }: { lineage: JobLineage; diff: JobDiff }) {
  const { nReused, nRegraded, nRerun, tasks } = diff;
  return (
    <Section
      title="Difference from the source"
      note={`${formatCount(nReused)} reused, ${formatCount(nRegraded)} regraded, ${formatCount(nRerun)} rerun`}
    >
      <p className="job-lineage-line">
        The source is <SourceLinks sources={lineage.sources} />. Mean and pass@k of this job cover its{" "}
        {formatPlural(nRegraded + nRerun, "regraded and rerun trial")} only
        {nReused === 0
          ? "."
          : `; ${formatPlural(nReused, "reused one is", "reused ones are")} only in the source.`}
        {diff.isIncomplete
          ? " Fully reused tasks appear in no file of this job. Open the source to see them."
          : ""}
      </p>
      <DataTable
        caption="Reused, regraded and rerun trials by task"
        className="table-compact"
        columns={DIFF_COLUMNS}
        rows={tasks.slice(0, MOST_TASKS)}
        rowKey={({ taskName }) => taskName}
      />
      <p className="caption table-note">{describeRest(diff)}</p>
    </Section>
  );
}

/** No file records the new version of a reused task; Harbor's rule allows the same or another patch version. */
function describeVersion({ sourceVersions, version, nRegraded, nRerun }: DiffTask): string {
  const before = sourceVersions.join(", ");
  if (nRegraded + nRerun === 0) return before === "" ? MISSING : `${before}, same or patch`;
  if (before === "" && version === null) return MISSING;
  return before === version ? before : `${before === "" ? MISSING : before} → ${version ?? MISSING}`;
}

function describeRest({ tasks }: JobDiff): string {
  const nMore = Math.max(0, tasks.length - MOST_TASKS);
  return [
    nMore === 0 ? "" : `The first ${formatCount(MOST_TASKS)} tasks are listed.`,
    "Derived from both jobs’ plans: a planned task without a trial here was reused.",
    tasks.some(({ isAssumed }) => isAssumed)
      ? "* The config names a dataset, not its tasks. A task removed from the dataset would look the same."
      : "",
  ]
    .filter(Boolean)
    .join(" ");
}

function SourceLinks({ sources }: Pick<JobLineage, "sources">) {
  return sources.map(({ name, open }, index) => (
    <span key={name}>
      {index === 0 ? "" : ", "}
      {open === null ? `${name}, which is not open` : <Link href={jobHref(open.key)}>{open.name}</Link>}
    </span>
  ));
}
