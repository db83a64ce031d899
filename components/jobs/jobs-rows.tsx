"use client";

import { useMemo } from "react";

import { AgentName } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalPlot } from "@/components/ui/interval-plot";
import { Mark } from "@/components/ui/mark";
import { type Packed, unpack } from "@/components/ui/packed";
import { CheckRing } from "@/components/ui/check";
import { TimeText } from "@/components/ui/time-text";
import { groupRef, jobHref } from "@/lib/addresses/href";
import { describeMean, formatCount, formatPlural, formatReward, MISSING } from "@/lib/format/number";
import { formatVerdict, VERDICT_MEANINGS } from "@/lib/format/words";

import { useFollowLinks } from "./follow-links";
import type { GroupLine, JobLine, OpenKind } from "./jobs-lines";

/** Counts of a row that open their trials, in column order, with the part of the address that chooses them. */
const COUNTS = [
  { name: "passed", query: "outcome=passed", hideable: false },
  { name: "partial", query: "outcome=partial", hideable: true },
  { name: "failed", query: "outcome=failed", hideable: false },
  { name: "errored", query: "outcome=errored&outcome=cancelled", hideable: false },
  { name: "timeout", query: "outcome=timeout", hideable: true },
] as const;

interface RowsProps {
  readonly packed: Packed<readonly JobLine[]>;
  /** Columns that are shown, of those that can be hidden. */
  readonly shown: readonly string[];
  readonly nColumns: number;
  /** Of the drawn intervals, in pixels. */
  readonly plotWidth: number;
}

/**
 * The rows of the jobs list. Their links are plain ones, hundreds of them, followed without a new document by one handler;
 * drawing them here sends a row's texts once instead of its every element.
 */
export function JobsRows({ packed, shown, nColumns, plotWidth }: RowsProps) {
  const follow = useFollowLinks();
  const lines = useMemo(() => unpack(packed), [packed]);
  const columns = new Set(shown);
  return lines.map((job) => (
    <tbody key={job.id} className="jobs-item" onClick={follow}>
      {job.groups.length === 0 ? (
        <tr>
          <td />
          <td className="name">
            <JobName job={job} />
          </td>
          <td className="text muted" colSpan={nColumns - 3}>
            {job.words}
          </td>
          <td className="muted">
            <Finished job={job} />
          </td>
        </tr>
      ) : (
        job.groups.map((line, index) => (
          <GroupRow key={line.key} {...{ job, line, index, columns, plotWidth }} />
        ))
      )}
      {job.nMore === undefined ? null : (
        <tr>
          <td />
          <td className="muted" colSpan={nColumns - 1}>
            <a href={jobHref(job.key)}>and {formatPlural(job.nMore, "more group")}</a>
          </td>
        </tr>
      )}
    </tbody>
  ));
}

function JobName({ job, dataset }: { job: JobLine; dataset?: string | undefined }) {
  return (
    <span className="jobs-name">
      <a href={jobHref(job.key)} data-row-link="" title={job.title}>
        {job.name ?? job.key}
      </a>
      {dataset === undefined ? null : <span className="jobs-dataset">{dataset}</span>}
      {job.lineage === undefined ? null : (
        <span className="jobs-lineage" title={job.lineage[1]}>
          ({job.lineage[0]})
        </span>
      )}
    </span>
  );
}

interface CellsProps {
  readonly line: GroupLine;
  readonly columns: ReadonlySet<string>;
  /** Address of the job. */
  readonly href: string;
}

interface GroupRowProps extends Omit<CellsProps, "href"> {
  readonly job: JobLine;
  readonly index: number;
  readonly plotWidth: number;
}

function GroupRow({ job, line, index, columns, plotWidth }: GroupRowProps) {
  const isFirst = index === 0;
  const href = jobHref(job.key);
  // The only group of a job needs no naming.
  const group =
    job.groups.length + (job.nMore ?? 0) === 1
      ? ""
      : `&${new URLSearchParams({ group: line.key }).toString()}`;
  return (
    <tr className={index === job.groups.length - 1 ? undefined : "continued"}>
      <td>
        <input
          type="checkbox"
          name="g"
          value={groupRef(job.key, line.key)}
          form="compare-groups"
          aria-label={`Select ${line.agent} of ${job.name ?? job.key}`}
        />
      </td>
      <td className={isFirst ? "name" : "muted"}>
        {isFirst ? <JobName job={job} dataset={line.dataset} /> : line.dataset}
      </td>
      <td>
        <AgentName identity={line.identity} agent={line.agent} model={line.model ?? null} />
        {line.settings === undefined ? null : (
          <span className="jobs-settings" title={line.settings}>
            settings differ
          </span>
        )}
      </td>
      <FigureCells line={line} columns={columns} href={href} plotWidth={plotWidth} />
      <CountCells line={line} columns={columns} href={href} group={group} />
      <td className="muted">{isFirst ? <Finished job={job} /> : null}</td>
    </tr>
  );
}

/** How many trials, their mean reward with its interval, and whether the recorded figures follow from them. */
function FigureCells({ line, columns, href, plotWidth }: CellsProps & { plotWidth: number }) {
  const { trials, planned, mean, words, bounds, verdict, checkWords } = line;
  return (
    <>
      {columns.has("trials") ? (
        <td>
          {trials}
          {planned === undefined ? null : <span className="muted"> of {planned}</span>}
        </td>
      ) : null}
      {mean === undefined ? (
        <td className="unknown">{words}</td>
      ) : (
        <td>
          <ExactNumber shown={formatReward(Number(mean))} exact={mean} />
        </td>
      )}
      {columns.has("interval") ? (
        <>
          <td className={columns.has("judged") ? "muted spare" : "muted minor"}>{bounds}</td>
          <td className="interval-cell minor">
            <Interval line={line} width={plotWidth} />
          </td>
        </>
      ) : null}
      {columns.has("check") ? (
        <td className="text">
          <a
            className={`check check-${verdict}`}
            href={`${href}?tab=verification`}
            title={verdict === "exact" ? undefined : VERDICT_MEANINGS[verdict]}
          >
            <CheckRing verdict={verdict} />
            {checkWords ?? formatVerdict(verdict)}
          </a>
        </td>
      ) : null}
    </>
  );
}

/** How the trials ended, what reviewers say of them, and what they cost. `group` narrows the trials of the job's address. */
function CountCells({ line, columns, href, group }: CellsProps & { group: string }) {
  const { cost, costTitle, isCopied } = line;
  return (
    <>
      {COUNTS.map(({ name, query, hideable }, place) => {
        const count = line.counts[place] ?? 0;
        if (hideable && !columns.has(name)) return null;
        return (
          <td key={name} className={nameCountCell(count, hideable)}>
            {count === 0 ? "0" : <a href={`${href}?tab=trials&${query}${group}`}>{formatCount(count)}</a>}
          </td>
        );
      })}
      {columns.has("open") ? <OpenCell kinds={line.open ?? []} /> : null}
      {columns.has("judged") ? (
        <JudgedCell reviews={line.reviews} href={`${href}?tab=trials${group}`} />
      ) : null}
      {columns.has("cost") ? (
        <td className={cost === undefined ? "spare unknown" : "spare"} title={costTitle}>
          {isCopied ? <span className="muted">source </span> : null}
          {cost ?? MISSING}
        </td>
      ) : null}
    </>
  );
}

function nameCountCell(count: number, isMinor: boolean): string | undefined {
  if (count > 0) return isMinor ? "minor" : undefined;
  return isMinor ? "minor zero" : "zero";
}

function Interval({ line: { interval, identity }, width }: { line: GroupLine; width: number }) {
  if (interval === undefined) return <IntervalPlot title="No interval" width={width} mark={null} />;
  const [value, low, high] = [interval[0] / 1000, interval[1] / 1000, interval[2] / 1000];
  const title = describeMean(value, { low, high });
  return <IntervalPlot title={title} width={width} mark={{ value, low, high, identity }} />;
}

/** Kinds of open trials as glyphs with their numbers. */
function OpenCell({ kinds }: { kinds: readonly OpenKind[] }) {
  if (kinds.length === 0) return <td className="minor zero">0</td>;
  const words = kinds.map((kind) => `${kind.count} ${kind.words}`).join(", ");
  return (
    <td className="minor" title={words}>
      <span className="screen-reader">{words}</span>
      <span className="jobs-open" aria-hidden="true">
        {kinds.map((kind) => (
          <span key={kind.words} className="jobs-open-kind">
            <Mark status={kind.status} /> {kind.count}
          </span>
        ))}
      </span>
    </td>
  );
}

/** On how many of the judged trials a reviewer contradicts the verifier, and the way to them. A dash: nobody judged. */
function JudgedCell({ reviews, href }: { reviews: GroupLine["reviews"]; href: string }) {
  if (reviews === undefined || reviews === null) {
    const title = reviews === null ? "The annotations cannot be read" : "Nobody judged any of these trials";
    return (
      <td className="minor unknown" title={title}>
        {MISSING}
      </td>
    );
  }
  const [nJudged, nDisagreeing] = reviews;
  const hrefOf = (judgment: string) => `${href}&judgment=${judgment}`;
  return (
    <td className="minor">
      {nDisagreeing === 0 ? (
        <span className="muted">0</span>
      ) : (
        <a className="jobs-disagree" href={hrefOf("disagrees")}>
          {formatCount(nDisagreeing)}
        </a>
      )}
      <span className="muted"> of </span>
      <a href={hrefOf("any")}>{formatCount(nJudged)}</a>
    </td>
  );
}

function Finished({ job }: { job: JobLine }) {
  if (job.finished !== undefined) return <TimeText time={job.finished} narrow />;
  if (job.state === undefined) return <span title={job.openTitle} />;
  return (
    <span className="status-word" title={job.openTitle}>
      <Mark status={job.state === "running" ? "running" : "missing"} />
      {job.state}
    </span>
  );
}
