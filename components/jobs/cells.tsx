import { selectBounds } from "@/components/job/group-cells";
import { ForAction } from "@/components/shell/account-context";
import { CheckRing } from "@/components/ui/check";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { TimeText } from "@/components/ui/time-text";
import { Unknown } from "@/components/ui/values";
import { WrappedName } from "@/components/ui/wrapped-name";
import { countAbsentTrials } from "@/lib/core/domain/job";
import { formatCost, formatCount, formatReward } from "@/lib/core/format/number";
import { describeRawTime } from "@/lib/core/format/time";
import { describeCopiedCost } from "@/lib/core/format/words";
import { buildHref, jobHref } from "@/lib/pages/address/href";
import { compareParamsHref } from "@/lib/pages/compare/address";

import { describeCheck } from "./check-words";
import type { JobsLine } from "./jobs-lines";
import { SeparateButton } from "./run-set-forms";

export const PLOT_WIDTH = 180;

export type GroupLine = JobsLine & { readonly group: NonNullable<JobsLine["group"]> };

/** The only group of a job is not named in the URL. */
export function trialsHref(
  { job, group, set }: GroupLine,
  query: Readonly<Record<string, string | readonly string[]>>,
) {
  if (set !== undefined) return buildHref("/trials", { set: set.id, ...query });
  const named = job.nGroups === 1 ? {} : { group: group.group.key };
  return jobHref(job.key, { tab: "trials", ...query, ...named });
}

export function JobName({ job, group, place, set, memberOf }: JobsLine) {
  if (set !== undefined) return <SetName set={set} />;
  const source = group?.group.source ?? "adhoc";
  if (place > 0) return group === null ? null : <span className="jobs-dataset jobs-source">{source}</span>;
  return (
    <span className={memberOf === undefined ? "jobs-name" : "jobs-name jobs-member"}>
      <Link
        href={jobHref(job.key)}
        data-row-link=""
        title={job.folder === "" || job.folder === job.name ? undefined : job.folder}
      >
        <WrappedName name={job.name} />
      </Link>
      <Origin sources={job.sourceJobs} />
      {group === null || source === job.section ? null : <span className="jobs-dataset">{source}</span>}
    </span>
  );
}

function SetName({ set }: { set: NonNullable<JobsLine["set"]> }) {
  const { id, name, nRuns, nShown, ref, differs, missing, grows, added } = set;
  const marks = [
    ...(differs.length === 0 ? [] : [`Warnings: ${differs.join(", ")}`]),
    ...(missing.length === 0 ? [] : [`Not open, so not counted: ${missing.join(", ")}`]),
  ];
  return (
    <span className="jobs-name">
      <Link href={compareParamsHref({ refs: [ref] })} data-row-link="" title={`Compare ${name}`}>
        <WrappedName name={name} />
      </Link>
      <span className="jobs-set-note">
        run set of {nRuns}
        {nShown < nRuns ? `, ${nShown} here` : ""}
        {grows && added.length === 0 ? <span title="New jobs that match join it">, by rule</span> : null}
        {added.length === 0 ? null : (
          <b title={`Added by its rule since it was saved: ${added.join(", ")}`}>
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

export function selectShownBounds(group: GroupLine["group"]) {
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

/** A verdict of the whole job's figures is shown on its first row, so that no list hides it. */
export function Check({ job, group: { group, hasRecordedMetric, ulps }, place, set }: GroupLine) {
  const own = place === 0 ? job.ownVerdict : null;
  const verdict = own ?? group.verdict;
  const { words, meaning } = describeCheck({ own, verdict: group.verdict, ulps, hasRecordedMetric });
  const className = `status-word check check-${verdict}`;
  const content = (
    <>
      <CheckRing verdict={verdict} />
      {/* Most jobs are exact, and the stamp above the list counts them. */}
      <span className={verdict === "exact" ? "screen-reader" : "check-words"}>{words}</span>
    </>
  );
  // A set has no recorded figures: those of its runs are checked.
  return set === undefined ? (
    <Link className={className} href={jobHref(job.key, { tab: "verification" })} title={meaning}>
      {content}
    </Link>
  ) : (
    <span className={className} title="The worst of its runs">
      {content}
    </span>
  );
}

/** Counts absent trials of a job; nothing tells which group they belong to. */
export function countAbsent({ job }: Pick<JobsLine, "job">): number {
  return job.nGroups === 1 ? countAbsentTrials(job.planned, job.nTrials) : 0;
}

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

/** Trials where a reviewer contradicts the verifier, of those reviewed. A dash if none was reviewed. */
export function Reviewed(line: GroupLine) {
  const { reviews } = line.group;
  if (reviews === null || reviews.nJudged === 0) {
    const title = reviews === null ? "The annotations cannot be read" : "None of these trials is reviewed";
    return <Unknown title={title} />;
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
  if (costUsd === null) return <Unknown />;
  const copied = describeCopiedCost(group);
  const partly = nWithCost === nTrials ? null : `${nWithCost} of ${nTrials} trials report a cost`;
  return (
    <span title={[copied, partly].filter((part) => part !== null).join("; ") || undefined}>
      {copied === null ? null : <span className="muted">source </span>}
      {formatCost(costUsd)}
    </span>
  );
}

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
