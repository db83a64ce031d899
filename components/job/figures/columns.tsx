import { Check } from "@/components/ui/check";
import { Link } from "@/components/ui/link";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { FigureKind } from "@/lib/core/domain/verification";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { RULE_NAMES } from "@/lib/core/format/words";
import { jobTrialsHref } from "@/lib/pages/job/address";
import type { FiguresPanel } from "@/lib/pages/job/figures";
import type { JobPage } from "@/lib/pages/job/page";

import { GroupAgent } from "../groups/group-cells";

type FigureRow = FiguresPanel["rows"][number];

export const KIND_WORDS: Readonly<Record<FigureKind, string>> = {
  outcome: "outcome line",
  counter: "counter",
  total: "total",
  metric: "metric",
  "pass-at-k": "pass@k",
  "reward-stats": "trials by reward",
  "exception-stats": "trials by exception",
  "reward-file": "reward file",
  "reward-valid": "reward validity",
  "error-policy": "error policy",
};

export function listFigureColumns({ job, groups }: JobPage): readonly DataColumn<FigureRow>[] {
  return [
    {
      id: "figure",
      header: "Figure",
      meta: { phone: "first" },
      cell: (figure) => (
        <code className="job-path" title={figure.path}>
          {shortenPath(figure)}
        </code>
      ),
    },
    {
      id: "of",
      header: "Of",
      meta: { phone: "second" },
      cell: ({ group }) =>
        group === null ? <span className="muted">job</span> : <GroupAgent groups={groups} groupKey={group} />,
    },
    {
      id: "kind",
      header: "Kind",
      meta: { className: "muted", room: "minor" },
      cell: ({ kind }) => KIND_WORDS[kind],
    },
    {
      id: "recorded",
      header: "Recorded",
      meta: { numeric: true, phone: "labelled" },
      cell: ({ recorded }) => <Value text={recorded} />,
    },
    {
      id: "recomputed",
      header: "Recomputed",
      meta: { numeric: true, phone: "labelled" },
      cell: ({ recomputed }) => <Value text={recomputed} />,
    },
    {
      id: "verdict",
      header: "Verdict",
      meta: { phone: "score" },
      cell: ({ verdict, ulps }) => <Check verdict={verdict} ulps={ulps} />,
    },
    {
      id: "trials",
      header: "Trials",
      meta: { numeric: true, phone: "labelled" },
      cell: ({ path, nTrials }) =>
        nTrials === 0 ? (
          <span className="zero">0</span>
        ) : (
          <Link
            href={jobTrialsHref(job.key, { figure: path })}
            data-row-link=""
            aria-label={`${formatPlural(nTrials, "trial")} behind ${path}`}
          >
            {formatCount(nTrials)}
          </Link>
        ),
    },
  ];
}

function shortenPath({ path, group }: FigureRow): string {
  const prefix = `stats.evals.${group ?? ""}.`;
  return group !== null && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

export function describeFigure({ path, reason, rule, verdict, nTrials }: FigureRow, jobKey: string) {
  if (reason === null) return null;
  return (
    <p className="job-reason">
      {rule === null ? null : <strong>{RULE_NAMES[rule]}. </strong>}
      {reason}{" "}
      {verdict === "mismatch" && nTrials > 0 ? (
        <Link href={jobTrialsHref(jobKey, { figure: path })}>
          {nTrials === 1 ? "Show the trial" : `Show the ${formatCount(nTrials)} trials`}
        </Link>
      ) : null}
    </p>
  );
}

const OUTCOME_PREFIX = "BASE_BENCHMARK_RESULT=";

function shortenOutcome(line: string): string {
  const read = (name: string) =>
    new RegExp(`"${name}": "?([^,"}]*)`).exec(line.slice(OUTCOME_PREFIX.length))?.[1] ?? MISSING;
  return `${read("score")}, ${read("resolved")} of ${read("total")}, ${read("status")}`;
}

/** Longest Python text of a double, so that a number never wraps. */
const NUMBER_CHARS = 24;

function Value({ text }: { text: string | null }) {
  if (text === null) return <Unknown />;
  return (
    <span className={text.length <= NUMBER_CHARS ? "job-value nowrap" : "job-value"} title={text}>
      {text.startsWith(OUTCOME_PREFIX) ? shortenOutcome(text) : text}
    </span>
  );
}
