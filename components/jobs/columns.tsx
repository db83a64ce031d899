import type { ReactNode } from "react";

import { formatBounds } from "@/components/job/group-cells";
import { AgentName } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalHeading } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { OutcomeBar } from "@/components/ui/outcome-bar";
import { type Drawn, listColumns } from "@/components/ui/table-columns";
import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import { JOB_COLUMNS, type JobColumn } from "@/lib/core/fields/jobs.fields";
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
  listOpen,
  OpenTrials,
  PLOT_WIDTH,
  Reviewed,
  selectShownBounds,
  trialsHref,
} from "./cells";
import type { JobsLine } from "./jobs-lines";

function ofGroup(cell: (line: GroupLine) => ReactNode, isFilled?: (line: GroupLine) => boolean) {
  const isGroup = (line: JobsLine): line is GroupLine => line.group !== null;
  return {
    ...(isFilled === undefined ? {} : { isFilled: (line: JobsLine) => isGroup(line) && isFilled(line) }),
    cell: (line: JobsLine) => (isGroup(line) ? cell(line) : null),
  };
}

function countOf(column: JobColumn, outcomes: readonly [Outcome, ...Outcome[]]): Drawn<JobsLine> {
  return ofGroup((line) => {
    const count = outcomes.reduce((sum, outcome) => sum + line.group.counts[outcome], 0);
    if (count === 0) return <span className="zero">0</span>;
    return (
      <Link className="quiet" href={trialsHref(line, { outcome: outcomes })}>
        <span className="phone-only status-word">
          <Mark status={outcomes[0]} label={JOB_COLUMNS[column].heading} />
        </span>{" "}
        {formatCount(count)}
      </Link>
    );
  });
}

const CELLS: Readonly<Record<JobColumn, Drawn<JobsLine>>> = {
  select: {
    ...ofGroup(({ job, group: { group, nTrials, costUsd, nWithCost }, set, memberOf }) => (
      <input
        type="checkbox"
        name="g"
        value={set?.ref ?? groupRef(job.key, group.key)}
        data-when={job.when?.epochMs}
        data-trials={nTrials}
        data-cost={costUsd ?? 0}
        data-unknown={nTrials - nWithCost}
        data-set={set?.id}
        data-member={memberOf}
        form="compare-groups"
        aria-label={set === undefined ? `Select ${group.agent} of ${job.name}` : `Select run set ${set.name}`}
      />
    )),
    header: <span className="screen-reader">{JOB_COLUMNS.select.heading}</span>,
  },
  job: { cell: (line) => <JobName {...line} /> },
  agent: ofGroup(({ group: { group, identity, differences } }) => (
    <>
      <AgentName identity={identity} agent={group.agent} model={group.model} />
      {differences === null ? null : (
        <span className="settings-differ" title={differences}>
          settings differ
        </span>
      )}
    </>
  )),
  tasks: ofGroup(({ group }) => formatCount(group.nTasks)),
  trials: ofGroup((line) => {
    const { group } = line;
    const planned = group.nTrials + countAbsent(line);
    return (
      <>
        {formatCount(group.nFinished)}
        {planned > group.nFinished ? <span className="muted"> of {formatCount(planned)}</span> : null}
      </>
    );
  }),
  mean: ofGroup(({ group: { headline, nRewardKeys } }) =>
    headline === null ? (
      <span className="unknown">{nRewardKeys > 1 ? `${nRewardKeys} keys` : MISSING}</span>
    ) : (
      <ExactNumber shown={formatReward(headline.value)} exact={headline.text} />
    ),
  ),
  bounds: ofGroup(({ group }) => formatBounds(selectShownBounds(group))),
  interval: {
    ...ofGroup(({ group }) => <Interval group={group} />),
    header: <IntervalHeading width={PLOT_WIDTH} />,
  },
  check: ofGroup((line) => <Check {...line} />),
  outcome: ofGroup((line) => {
    const { counts } = line.group;
    const rest = OUTCOMES.filter((outcome) => outcome !== "passed" && counts[outcome] > 0);
    return (
      <Link className="quiet" href={trialsHref(line, { outcome: rest })}>
        <OutcomeBar counts={counts} />
      </Link>
    );
  }),
  passed: countOf("passed", ["passed"]),
  partial: countOf("partial", ["partial"]),
  failed: countOf("failed", ["failed"]),
  error: countOf("error", ["errored", "cancelled"]),
  timeout: countOf("timeout", ["timeout"]),
  open: ofGroup(
    (line) => <OpenTrials kinds={listOpen(line)} />,
    (line) => listOpen(line).length > 0,
  ),
  reviewed: ofGroup(
    (line) => <Reviewed {...line} />,
    ({ group: { reviews } }) => reviews === null || reviews.nJudged > 0,
  ),
  cost: ofGroup(
    ({ group }) => <Cost group={group} />,
    ({ group }) => group.costUsd !== null,
  ),
  finished: { cell: (line) => (line.place === 0 ? <Finished {...line} /> : null) },
};

export const JOBS_COLUMNS = listColumns<JobsLine, JobColumn>(JOB_COLUMNS, CELLS);
