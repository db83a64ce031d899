import { formatBounds } from "@/components/job/groups/group-cells";
import { AgentName } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalHeading } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { DataColumn } from "@/components/ui/table-columns";
import type { Outcome } from "@/lib/core/domain/trial";
import { formatCount, formatReward, MISSING } from "@/lib/core/format/number";
import { groupRef } from "@/lib/pages/address/href";

import {
  Check,
  Cost,
  countAbsent,
  Finished,
  type GroupLine,
  Interval,
  JobName,
  type JobsLine,
  listOpen,
  OpenTrials,
  PLOT_WIDTH,
  Reviewed,
  selectShownBounds,
  trialsHref,
} from "./cells";

function groupColumn({
  cell,
  isFilled,
  ...rest
}: Omit<DataColumn<JobsLine>, "cell" | "isFilled"> & {
  cell: (line: GroupLine) => React.ReactNode;
  isFilled?: (line: GroupLine) => boolean;
}): DataColumn<JobsLine> {
  const isGroup = (line: JobsLine): line is GroupLine => line.group !== null;
  return {
    ...rest,
    ...(isFilled === undefined ? {} : { isFilled: (line) => isGroup(line) && isFilled(line) }),
    cell: (line) => (isGroup(line) ? cell(line) : null),
  };
}

function countColumn(
  id: string,
  header: string,
  outcomes: readonly [Outcome, ...Outcome[]],
  { isFilled, ...meta }: DataColumn<JobsLine>["meta"] & { isFilled?: (line: GroupLine) => boolean } = {},
) {
  const [status] = outcomes;
  return groupColumn({
    id,
    header,
    meta: { numeric: true, field: `n_${status}`, phone: "second", ...meta },
    ...(isFilled === undefined ? {} : { isFilled }),
    cell: (line) => {
      const count = outcomes.reduce((sum, outcome) => sum + line.group.counts[outcome], 0);
      if (count === 0) return <span className="zero">0</span>;
      return (
        <Link className="quiet" href={trialsHref(line, { outcome: outcomes })}>
          <span className="phone-only status-word">
            <Mark status={status} label={header} />
          </span>{" "}
          {formatCount(count)}
        </Link>
      );
    },
  });
}

export const JOBS_COLUMNS: readonly DataColumn<JobsLine>[] = [
  groupColumn({
    id: "select",
    header: <span className="screen-reader">Select</span>,
    enableHiding: false,
    meta: { width: 26, phone: "side" },
    cell: ({ job, group: { group }, set }) => (
      <input
        type="checkbox"
        name="g"
        value={set?.ref ?? groupRef(job.key, group.key)}
        data-when={job.when?.epochMs}
        form="compare-groups"
        aria-label={set === undefined ? `Select ${group.agent} of ${job.name}` : `Select run set ${set.name}`}
      />
    ),
  }),
  {
    id: "job",
    header: "Job and dataset",
    enableHiding: false,
    meta: { className: "name", sort: "job", ascends: true, field: "job_name", phone: "above" },
    cell: (line) => <JobName {...line} />,
  },
  groupColumn({
    id: "agent",
    header: "Agent and model",
    meta: { field: "agent", phone: "first" },
    cell: ({ group: { group, identity, differences } }) => (
      <>
        <AgentName identity={identity} agent={group.agent} model={group.model} />
        {differences === null ? null : (
          <span className="jobs-settings" title={differences}>
            settings differ
          </span>
        )}
      </>
    ),
  }),
  groupColumn({
    id: "tasks",
    header: "Tasks",
    startsHidden: true,
    meta: { numeric: true, field: "n_tasks" },
    cell: ({ group }) => formatCount(group.nTasks),
  }),
  groupColumn({
    id: "trials",
    header: "Trials",
    meta: { numeric: true, room: "minor", sort: "trials", field: "n_trials" },
    cell: (line) => {
      const { group } = line;
      const planned = group.nTrials + countAbsent(line);
      return (
        <>
          {formatCount(group.nFinished)}
          {planned > group.nFinished ? <span className="muted"> of {formatCount(planned)}</span> : null}
        </>
      );
    },
  }),
  groupColumn({
    id: "mean",
    header: "Mean",
    meta: { numeric: true, title: "Mean reward", sort: "mean", field: "headline", phone: "score" },
    cell: ({ group: { headline, nRewardKeys } }) =>
      headline === null ? (
        <span className="unknown">{nRewardKeys > 1 ? `${nRewardKeys} keys` : MISSING}</span>
      ) : (
        <ExactNumber shown={formatReward(headline.value)} exact={headline.text} />
      ),
  }),
  groupColumn({
    id: "bounds",
    header: "95 % interval",
    meta: { numeric: true, className: "muted", room: "spare", phone: "below" },
    cell: ({ group }) => formatBounds(selectShownBounds(group)),
  }),
  groupColumn({
    id: "interval",
    header: <IntervalHeading width={PLOT_WIDTH} />,
    meta: { label: "Interval", className: "interval-cell", field: "mean_low", phone: "side" },
    cell: ({ group }) => <Interval group={group} />,
  }),
  groupColumn({
    id: "check",
    header: "Check",
    meta: {
      title: "Whether the recorded figures follow from the trials, bit for bit",
      field: "verdict",
      phone: "end",
    },
    cell: (line) => <Check {...line} />,
  }),
  countColumn("passed", "Passed", ["passed"]),
  countColumn("partial", "Partial", ["partial"], {
    room: "minor",
    isFilled: ({ group }) => group.counts.partial > 0,
  }),
  countColumn("failed", "Failed", ["failed"]),
  countColumn("error", "Error", ["errored", "cancelled"], {
    title: "Errored or cancelled",
  }),
  countColumn("timeout", "Timeout", ["timeout"], { room: "minor" }),
  groupColumn({
    id: "open",
    header: "Open",
    meta: {
      numeric: true,
      room: "minor",
      title: "Running, and missing: planned or begun without a result",
      field: "n_missing",
    },
    isFilled: (line) => listOpen(line).length > 0,
    cell: (line) => <OpenTrials kinds={listOpen(line)} />,
  }),
  groupColumn({
    id: "reviewed",
    header: "Disagrees",
    meta: {
      label: "Reviewer disagrees",
      numeric: true,
      room: "minor",
      title:
        "Reviewer disagrees: reviewed trials on which a reviewer contradicts the verifier, of all reviewed",
      field: "n_disagreeing",
    },
    isFilled: ({ group: { reviews } }) => reviews === null || reviews.nJudged > 0,
    cell: (line) => <Reviewed {...line} />,
  }),
  groupColumn({
    id: "cost",
    header: "Cost, $",
    meta: { numeric: true, room: "spare", sort: "cost", field: "cost_usd" },
    isFilled: ({ group }) => group.costUsd !== null,
    cell: ({ group }) => <Cost group={group} />,
  }),
  {
    id: "finished",
    header: "Finished",
    meta: { numeric: true, className: "muted", sort: "finished", field: "finished_at", phone: "above" },
    cell: (line) => (line.place === 0 ? <Finished {...line} /> : null),
  },
];
