"use client";

import { useMemo } from "react";

import { AgentName } from "@/components/ui/agent-name";
import { type Packed, unpack } from "@/components/ui/packed";
import { Check } from "@/components/ui/check";
import type { HarborRule, Verdict } from "@/lib/domain/verification";
import { jobHref } from "@/lib/addresses/href";
import { formatCount, formatPlural, MISSING } from "@/lib/format/number";
import { RULE_NAMES } from "@/lib/format/words";

import { useFollowLinks } from "@/components/jobs/follow-links";

/** One figure as the verification tab shows it. */
export interface FigureLine {
  readonly path: string;
  /** The part of the path that tells figures of one group apart; the group stands beside it. */
  readonly shown: string;
  /** Null for a figure of the whole job. */
  readonly group: {
    readonly identity: number;
    readonly agent: string;
    readonly model: string | null;
  } | null;
  readonly kind: string;
  readonly recorded: string | null;
  readonly recomputed: string | null;
  readonly verdict: Verdict;
  readonly ulps: number | null;
  readonly reason: string | null;
  readonly rule: HarborRule | null;
  readonly nTrials: number;
}

/** The rows of the verification tab, sent as texts and drawn here; see `Packed`. */
export function JobFigureRows({ packed, jobKey }: { packed: Packed<readonly FigureLine[]>; jobKey: string }) {
  const follow = useFollowLinks();
  const lines = useMemo(() => unpack(packed), [packed]);
  return (
    <tbody onClick={follow}>
      {lines.map((line) => (
        <FigureRow key={line.path} line={line} jobKey={jobKey} />
      ))}
    </tbody>
  );
}

const COLUMN_COUNT = 7;

function FigureRow({ line, jobKey }: { line: FigureLine; jobKey: string }) {
  const { path, group, reason, nTrials: count } = line;
  return (
    <>
      <tr className={reason === null ? undefined : "job-explained"}>
        <td title={path}>
          <code className="job-path">{line.shown}</code>
        </td>
        <td>{group === null ? <span className="muted">job</span> : <AgentName {...group} />}</td>
        <td className="muted minor">{line.kind}</td>
        <ValueCell text={line.recorded} />
        <ValueCell text={line.recomputed} />
        <td>
          <Check verdict={line.verdict} ulps={line.ulps} />
        </td>
        <td className={count === 0 ? "numeric zero" : "numeric"}>
          {count === 0 ? (
            "0"
          ) : (
            <a
              href={jobHref(jobKey, { tab: "trials", figure: path })}
              data-row-link=""
              aria-label={`${formatPlural(count, "trial")} behind ${path}`}
            >
              {formatCount(count)}
            </a>
          )}
        </td>
      </tr>
      {reason === null ? null : <ReasonRow line={line} reason={reason} jobKey={jobKey} />}
    </>
  );
}

/** What is to be said of a figure, below it, so that the sentence has the width of the table. */
function ReasonRow({ line, reason, jobKey }: { line: FigureLine; reason: string; jobKey: string }) {
  const { path, rule, verdict, nTrials: count } = line;
  return (
    <tr className="job-reason">
      <td colSpan={COLUMN_COUNT} className="wrap">
        <p>
          {rule === null ? null : <strong>{RULE_NAMES[rule]}. </strong>}
          {reason}{" "}
          {verdict === "mismatch" && count > 0 ? (
            <a href={jobHref(jobKey, { tab: "trials", figure: path })}>
              {count === 1 ? "Show the trial" : `Show the ${formatCount(count)} trials`}
            </a>
          ) : null}
        </p>
      </td>
    </tr>
  );
}

const OUTCOME_PREFIX = "BASE_BENCHMARK_RESULT=";

/** The four values of an outcome line, so that they fit a cell; the title has the line in full. */
function shortenOutcome(line: string): string {
  const read = (name: string) =>
    new RegExp(`"${name}": "?([^,"}]*)`).exec(line.slice(OUTCOME_PREFIX.length))?.[1] ?? MISSING;
  return `${read("score")}, ${read("resolved")} of ${read("total")}, ${read("status")}`;
}

/** No double is longer than this in Python's text, so a number never breaks over lines. */
const NUMBER_CHARS = 24;

function ValueCell({ text }: { text: string | null }) {
  if (text === null) return <td className="numeric unknown">{MISSING}</td>;
  return (
    <td className="numeric">
      <span className={text.length <= NUMBER_CHARS ? "job-value nowrap" : "job-value"} title={text}>
        {text.startsWith(OUTCOME_PREFIX) ? shortenOutcome(text) : text}
      </span>
    </td>
  );
}
