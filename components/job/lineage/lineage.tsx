import { SourceLinks } from "@/components/jobs/source-links";
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
import type { FlipCounts, Flips, FlipTask, JobLineage } from "@/lib/pages/job/lineage";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { JobDiffSection } from "./diff";

import "../job-page.css";

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
  const columns = listColumns(page.job.key, kinds);
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
        columns={columns}
        rows={[
          { ...total, name: nTasks === 1 ? "1 task" : `All ${formatCount(nTasks)} tasks`, task: null },
          ...changed.slice(0, MOST_TASKS).map(toRow),
        ]}
        rowKey={nameRow}
      />
      <p className="caption table-note">{describeTable(flips)}</p>
    </Section>
  );
}

interface FlipRow extends FlipCounts {
  readonly name: string;
  readonly task: FlipTask | null;
}

function toRow(task: FlipTask): FlipRow {
  return { ...task, name: formatTask(task), task };
}

function nameRow({ task }: FlipRow): string {
  return JSON.stringify([task?.taskName, task?.sourceTask, task?.ownTask]);
}

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
    .filter((part) => part !== "")
    .join(" ");
}
