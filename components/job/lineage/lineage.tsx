import { jobTrialsHref } from "@/lib/addresses/job";
import { Section } from "@/components/ui/page-title";
import { SoftLink } from "@/components/ui/soft-link";
import { type Column, Table } from "@/components/ui/table";
import { type Flip, FLIPS } from "@/lib/domain/lineage";
import { jobHref } from "@/lib/addresses/href";
import { formatCount, formatPlural, formatReward, MISSING } from "@/lib/format/number";
import { FLIP_WORDS, formatTaskVersion } from "@/lib/format/words";
import type { JobPage } from "@/lib/queries/job/page";
import type { FlipCounts, Flips, FlipTask, JobLineage } from "@/lib/queries/job/lineage";

import { CountCell } from "../groups/group-cells";
import { JobDiffSection } from "../config/diff";
import { SourceLinks } from "@/components/jobs/source-links";

import "../job-page.css";

/** Where a job's trials came from, what regrading changed, and what a diff job did not run. */
export function JobLineageSections({ page, lineage }: { page: JobPage; lineage: JobLineage }) {
  const { flips, diff, regradedIn } = lineage;
  return (
    <>
      {regradedIn.length === 0 ? null : <RegradedIn regradedIn={regradedIn} />}
      {flips === null ? null : <JobFlips page={page} lineage={lineage} flips={flips} />}
      {diff === null ? null : <JobDiffSection lineage={lineage} diff={diff} />}
    </>
  );
}

function RegradedIn({ regradedIn }: Pick<JobLineage, "regradedIn">) {
  return (
    <p className="caption job-lineage-line">
      Trials of this job were regraded in{" "}
      {regradedIn.map((job, index) => (
        <span key={job.key}>
          {index === 0 ? "" : ", "}
          <SoftLink href={jobHref(job.key)}>{job.name}</SoftLink> ({formatPlural(job.nTrials, "trial")})
        </span>
      ))}
      : the same rollouts, verified again.
    </p>
  );
}

/** Kinds of flips that are shown in every table; the others only when there are some. */
const ALWAYS: readonly Flip[] = ["up", "down", "unchanged", "newly-scored"];

/** Tasks with a change that are shown at once, and at most. */
const MOST_OPEN = 8;
const MOST_TASKS = 200;

function JobFlips({ page, lineage, flips }: { page: JobPage; lineage: JobLineage; flips: Flips }) {
  const { total, changed, nTasks } = flips;
  const kinds = FLIPS.filter((flip) => ALWAYS.includes(flip) || total.counts[flip] > 0);
  const view = { jobKey: page.entry.job.key, kinds };
  const [open, folded] = changed.length <= MOST_OPEN ? [changed, []] : [[], changed.slice(0, MOST_TASKS)];
  const nMore = changed.length - open.length - folded.length;
  return (
    <Section title="Regraded verdicts" note={describeVersions(flips)}>
      <p className="job-lineage-line">
        {lineage.sources.length === 0 ? null : (
          <>
            {total.nTrials === page.entry.nTrials
              ? formatPlural(total.nTrials, "trial")
              : `${formatCount(total.nTrials)} of ${formatPlural(page.entry.nTrials, "trial")}`}{" "}
            regraded from <SourceLinks sources={lineage.sources} />.{" "}
          </>
        )}
        Each is one rollout with two verdicts: only the verifier ran, tokens and cost are the source&rsquo;s.
      </p>
      <Table caption="Rewards before and after the regrade" columns={listColumns(view.kinds)} compact>
        <tbody>
          <FlipRow
            name={nTasks === 1 ? "1 task" : `All ${formatCount(nTasks)} tasks`}
            flips={total}
            view={view}
            tasks={[]}
          />
          {open.map((task) => (
            <TaskRow key={nameRow(task)} task={task} view={view} />
          ))}
        </tbody>
      </Table>
      {folded.length === 0 ? null : (
        <details className="job-lineage-more">
          <summary>{formatPlural(changed.length, "task")} with a change</summary>
          <Table caption="Tasks with a change" columns={listColumns(view.kinds)} compact>
            <tbody>
              {folded.map((task) => (
                <TaskRow key={nameRow(task)} task={task} view={view} />
              ))}
            </tbody>
          </Table>
          {nMore > 0 ? (
            <p className="caption table-note">{formatPlural(nMore, "more task")} with a change not listed.</p>
          ) : null}
        </details>
      )}
      <p className="caption table-note">{describeTable(flips)}</p>
    </Section>
  );
}

interface FlipView {
  readonly jobKey: string;
  readonly kinds: readonly Flip[];
}

function nameRow({ taskName, sourceTask, ownTask }: FlipTask): string {
  return JSON.stringify([taskName, sourceTask, ownTask]);
}

function TaskRow({ task, view }: { task: FlipTask; view: FlipView }) {
  return <FlipRow name={task.taskName} task={task} flips={task} view={view} tasks={[task.taskName]} />;
}

function FlipRow({
  name,
  task,
  flips,
  view,
  tasks,
}: {
  name: string;
  task?: FlipTask;
  flips: FlipCounts;
  view: FlipView;
  tasks: readonly string[];
}) {
  const { counts, meanBefore, meanAfter, nCommon } = flips;
  return (
    <tr>
      <td className="name">{task === undefined ? <b>{name}</b> : name}</td>
      <td className="muted">{task === undefined ? "" : describeChange(task)}</td>
      {view.kinds.map((flip) => (
        <CountCell
          key={flip}
          count={counts[flip]}
          href={jobTrialsHref(view.jobKey, { flips: [flip], tasks: [...tasks] })}
        />
      ))}
      <td className={meanBefore === null ? "numeric unknown" : "numeric"} title={`${nCommon} trials`}>
        {meanBefore === null ? MISSING : formatReward(meanBefore)}
      </td>
      <td className={meanAfter === null ? "numeric unknown" : "numeric"} title={`${nCommon} trials`}>
        {meanAfter === null ? MISSING : formatReward(meanAfter)}
      </td>
    </tr>
  );
}

function listColumns(kinds: readonly Flip[]): readonly Column[] {
  return [
    { id: "task", label: "Task" },
    { id: "version", label: "Task version" },
    ...kinds.map((flip) => ({
      id: flip,
      label: `${FLIP_WORDS[flip].charAt(0).toUpperCase()}${FLIP_WORDS[flip].slice(1)}`,
      numeric: true,
    })),
    { id: "before", label: "Mean before", numeric: true },
    { id: "after", label: "Mean after", numeric: true },
  ];
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
    nTasks > changed.length
      ? `${formatPlural(nTasks - changed.length, "task")} without a change not listed.`
      : "",
    "A task's version is also its verifier's.",
  ]
    .filter((part) => part !== "")
    .join(" ");
}
