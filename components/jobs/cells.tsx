import { ForAction } from "@/components/shell/account-context";
import { selectBounds } from "@/components/job/groups/group-cells";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { Mark } from "@/components/ui/mark";
import { CheckRing } from "@/components/ui/check";
import { Link } from "@/components/ui/link";
import { TimeText } from "@/components/ui/time-text";
import { compareParamsHref } from "@/lib/addresses/compare";
import { buildHref, jobHref } from "@/lib/addresses/href";
import type { CheckVerdict } from "@/lib/domain/verification";
import { countAbsentTrials } from "@/lib/domain/job";
import { formatCost, formatCount, formatReward, MISSING } from "@/lib/format/number";
import { describeRawTime } from "@/lib/format/time";
import { describeCopiedCost } from "@/lib/format/words";

import { describeCheck } from "./check-words";
import type { JobsRow } from "@/lib/queries/jobs/page";
import type { JobHead } from "@/lib/store";

import { SeparateButton } from "./separate-button";

/** Width of a drawn interval, in pixels. */
export const PLOT_WIDTH = 80;

/** A row of the list, as it is sent: a job, and one of its groups where it has any. */
export interface JobsLine {
  readonly job: LineJob;
  /** Null in a row that only says something. */
  readonly group: LineGroup | null;
  /** Place of the row among those of its job, from 0. */
  readonly place: number;
  readonly isLast: boolean;
  /** Groups of the job that are left out. */
  readonly nMore: number;
  /** Of the row of a run set, which is under no job; `job` is then the newest of its jobs. */
  readonly set?: LineSet;
  /** Id of the run set that the row stands below. */
  readonly memberOf?: string;
}

/** A run set as its row draws it. */
interface LineSet {
  readonly id: string;
  readonly ref: string;
  readonly name: string;
  readonly nRuns: number;
  /** Runs of it that stand below it. */
  readonly nShown: number;
  /** Names of its runs that are not among the opened jobs. */
  readonly missing: readonly string[];
  /** Whether new jobs join it by a rule, and those that have since it was saved. */
  readonly grows: boolean;
  readonly added: readonly string[];
  readonly differs: readonly string[];
}

type LineJob = Pick<
  JobHead,
  "rowId" | "key" | "name" | "folder" | "sourceJobs" | "planned" | "nTrials" | "state" | "isRead" | "when"
> & {
  /** All of the job, whatever the list shows. */
  readonly nGroups: number;
  /** What its figures come to where no group says so; null where one does, or all are exact. */
  readonly ownVerdict: CheckVerdict | null;
};

export type LineGroup = Omit<JobsRow, "group" | "setups" | "setup" | "recordedPassAtK"> & {
  readonly group: Pick<JobsRow["group"], "key" | "agent" | "model" | "source" | "verdict">;
  /** The settings in which its trials differ, a line each; null when none is known to. */
  readonly differences: string | null;
};

export type GroupLine = JobsLine & { readonly group: LineGroup };

/** The trials of a group; the only group of a job needs no naming. */
export function trialsHref(
  { job, group, set }: GroupLine,
  query: Readonly<Record<string, string | readonly string[]>>,
) {
  if (set !== undefined) return buildHref("/trials", { set: set.id, ...query });
  const named = job.nGroups === 1 ? {} : { group: group.group.key };
  return jobHref(job.key, { tab: "trials", ...query, ...named });
}

export function JobName({ job, group, place, isLast, set, memberOf }: JobsLine) {
  if (set !== undefined) return <SetName set={set} />;
  const source = group?.group.source ?? "adhoc";
  if (place > 0)
    return place === 1 && group !== null ? <span className="muted jobs-source">{source}</span> : null;
  return (
    <span className={memberOf === undefined ? "jobs-name" : "jobs-name jobs-member"}>
      <Link
        href={jobHref(job.key)}
        data-row-link=""
        title={job.folder === "" || job.folder === job.name ? undefined : job.folder}
      >
        {job.name}
      </Link>
      {group === null ? null : (
        <span className={isLast ? "jobs-dataset" : "jobs-dataset phone-only"}>{source}</span>
      )}
      <Origin sources={job.sourceJobs} />
    </span>
  );
}

/** A run set's name, how many runs it counts together, and what to know before reading its figures. */
function SetName({ set }: { set: LineSet }) {
  const { id, name, nRuns, nShown, ref, differs, missing, grows, added } = set;
  const marks = [
    ...(differs.length === 0 ? [] : [`Warnings: ${differs.join(", ")}`]),
    ...(missing.length === 0 ? [] : [`Not here, so not counted: ${missing.join(", ")}`]),
  ];
  return (
    <span className="jobs-name">
      <Link href={compareParamsHref({ refs: [ref] })} data-row-link="" title={`Compare ${name}`}>
        {name}
      </Link>
      <span className="jobs-set-note">
        run set of {nRuns}
        {nShown < nRuns ? `, ${nShown} here` : ""}
        {grows && added.length === 0 ? <span title="New jobs that match join it">, by rule</span> : null}
        {added.length === 0 ? null : (
          <b title={`Joined by its rule since it was saved: ${added.join(", ")}`}>
            , {formatCount(added.length)} new
          </b>
        )}
      </span>
      {marks.length === 0 ? null : (
        <span title={marks.join(". ")}>
          <Mark status="partial" label={marks.join(". ")} />
        </span>
      )}
      <ForAction action="deleteRunSetAction">
        <SeparateButton id={id} name={name} />
      </ForAction>
    </span>
  );
}

/** That a job was made from another one, and which. */
function Origin({ sources: [source] }: { sources: JobsLine["job"]["sourceJobs"] }) {
  if (source === undefined) return null;
  const name = source.name ?? source.id ?? "a job that its config does not name";
  const words =
    source.action === "regrade"
      ? `Regrade of ${name}: the same rollouts, verified again`
      : `Difference to ${name}: reused tasks have no trial here`;
  return (
    <span className="jobs-lineage" title={words}>
      ({source.action})
    </span>
  );
}

export function selectShownBounds(group: LineGroup) {
  return group.nRewardKeys > 1 && group.headline === null ? null : selectBounds(group);
}

export function Interval({ group }: Pick<GroupLine, "group">) {
  const bounds = selectShownBounds(group);
  if (bounds === null || group.interval.kind !== "computed")
    return <IntervalPlot title="No interval" width={PLOT_WIDTH} mark={null} />;
  const { mean } = group.interval;
  const { low, high } = bounds;
  return (
    <IntervalPlot
      title={`${formatReward(mean)}, 95 % from ${formatReward(low)} to ${formatReward(high)}`}
      width={PLOT_WIDTH}
      mark={{ value: mean, low, high, identity: group.identity }}
    />
  );
}

/** The group's verdict; what only figures of the whole job say shows on its first row, so that no list can hide it. */
export function Check({ job, group: { group, hasRecordedMetric, ulps }, place, set }: GroupLine) {
  const own = place === 0 ? job.ownVerdict : null;
  const verdict = own ?? group.verdict;
  const { words, meaning } = describeCheck({ own, verdict: group.verdict, ulps, hasRecordedMetric });
  // Nothing is recorded of a set: what is checked are the figures of its runs.
  if (set !== undefined)
    return (
      <span className={`check check-${verdict}`} title="The worst of its runs">
        <CheckRing verdict={verdict} />
        {words}
      </span>
    );
  return (
    <Link
      className={`check check-${verdict}`}
      href={jobHref(job.key, { tab: "verification" })}
      title={meaning}
    >
      <CheckRing verdict={verdict} />
      {words}
    </Link>
  );
}

/** Trials of a job that are not here; which of several groups they would belong to nothing says. */
export function countAbsent({ job }: Pick<JobsLine, "job">): number {
  return job.nGroups === 1 ? countAbsentTrials(job.planned, job.nTrials) : 0;
}

/** Trials without a usable result, each kind by itself. Planned ones without a folder are pending while the job runs. */
export function listOpen({ job, group }: GroupLine) {
  const { invalid, running, missing, unreadable, unscored } = group.counts;
  const nUnbegun = countAbsent({ job });
  const isRunning = job.state === "running";
  const kinds = [
    { status: "running", count: running, words: "running" },
    { status: "missing", count: isRunning ? nUnbegun : 0, words: "not begun" },
    { status: "missing", count: missing + (isRunning ? 0 : nUnbegun), words: "missing" },
    { status: "unreadable", count: unreadable, words: "unreadable" },
    { status: "invalid", count: invalid, words: "with an invalid reward" },
    { status: "unscored", count: unscored, words: "without a reward" },
  ] as const;
  return kinds.filter(({ count }) => count > 0);
}

export function OpenTrials({ kinds }: { kinds: ReturnType<typeof listOpen> }) {
  if (kinds.length === 0) return <span className="zero">0</span>;
  const words = kinds.map((kind) => `${kind.count} ${kind.words}`).join(", ");
  return (
    <span title={words}>
      <span className="screen-reader">{words}</span>
      <span className="jobs-open" aria-hidden="true">
        {kinds.map((kind) => (
          <span key={kind.words} className="jobs-open-kind">
            <Mark status={kind.status} /> {kind.count}
          </span>
        ))}
      </span>
    </span>
  );
}

/** On how many of the reviewed trials a reviewer contradicts the verifier, and the way to them. A dash: nobody reviewed. */
export function Reviewed(line: GroupLine) {
  const { reviews } = line.group;
  if (reviews === null || reviews.nJudged === 0) {
    const title = reviews === null ? "The annotations cannot be read" : "Nobody reviewed any of these trials";
    return (
      <span className="unknown" title={title}>
        {MISSING}
      </span>
    );
  }
  return (
    <>
      {reviews.nDisagreeing === 0 ? (
        <span className="muted">0</span>
      ) : (
        <Link className="jobs-disagree quiet" href={trialsHref(line, { judgment: "disagrees" })}>
          {formatCount(reviews.nDisagreeing)}
        </Link>
      )}
      <span className="muted"> of </span>
      <Link className="quiet" href={trialsHref(line, { judgment: "any" })}>
        {formatCount(reviews.nJudged)}
      </Link>
    </>
  );
}

export function Cost({ group }: Pick<GroupLine, "group">) {
  const { costUsd, nWithCost, nTrials } = group;
  if (costUsd === null) return <span className="unknown">{MISSING}</span>;
  const copied = describeCopiedCost(group);
  const partly = nWithCost === nTrials ? null : `${nWithCost} of ${nTrials} trials report a cost`;
  return (
    <span title={[copied, partly].filter((part) => part !== null).join("; ") || undefined}>
      {copied === null ? null : <span className="muted">source </span>}
      {formatCost(costUsd)}
    </span>
  );
}

/** When a job ended, or that it did not. */
export function Finished({ job }: Pick<JobsLine, "job">) {
  const { state, isRead, when } = job;
  if (state !== "running" && state !== "interrupted") return isRead ? <TimeText time={when} narrow /> : null;
  const title = when === null ? undefined : isRead ? describeRawTime(when) : `Written ${when.text}`;
  return (
    <span className="status-word" title={title}>
      <Mark status={state === "running" ? "running" : "missing"} />
      {state}
    </span>
  );
}
