import { Check } from "@/components/ui/check";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import type { FigureKind } from "@/lib/core/domain/verification";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { formatVerdict, RULE_NAMES } from "@/lib/core/format/words";

import "../job-page.css";
import type { FiguresParams } from "@/lib/pages/job/address";
import type { FiguresPanel } from "@/lib/pages/job/figures";
import type { JobPage } from "@/lib/pages/job/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { describeMatching, FilteredRows, type ListFilter, type ListTab } from "../filters";
import { describeNoPassAtK, GroupAgent } from "../group-cells";

const MOST_FIGURES = 100;

const ORDER_WORDS = {
  lock: "the plan in lock.json",
  stats: "the lists in result.json",
  directory: "directory order",
  started: "order of starting",
  finished: "order of finishing",
} as const;

const MISSING_RULES = {
  "harbor-0.25": "A missing reward counts as 0, as in Harbor up to 0.25.",
  "harbor-0.26": "Missing and invalid rewards are excluded, as in Harbor since 0.26.",
  ledger: "Trials without an evaluation are excluded, as in the ledger's own reports.",
} as const;

/** Figures of parts of groups, which Harbor does not record. */
export function SettingFigures({ page }: { page: JobPage }) {
  if (page.groups.length === page.job.groups.length) return null;
  const rows = page.shown.groups.flatMap(({ metricLines, passAtK }) => [
    ...metricLines.map(({ figure }) => figure),
    ...passAtK.values(),
  ]);
  return (
    <Section title="Figures by agent setting">
      <DataTable
        caption="Figures by agent setting"
        columns={listFigureColumns(page)}
        rows={rows.slice(0, MOST_FIGURES)}
        rowKey={({ path }, at) => `${path} ${at}`}
      />
      <CutNote shown={MOST_FIGURES} total={rows.length} />
    </Section>
  );
}

export function JobFigures({ page, panel, list }: ListTab<FiguresPanel, FiguresParams>) {
  // A reason shared by consecutive figures is shown once, below the last.
  const shownReasons = new Set(panel.rows.filter(({ reason }, at) => panel.rows[at + 1]?.reason !== reason));
  if (panel.nFigures === 0) {
    return (
      <Notice title="Nothing to compare">
        This job has no recorded figure and no trial with a reward. See the load report.
      </Notice>
    );
  }
  return (
    <>
      <FigureFilters panel={panel} list={list} />
      <p className="caption table-note">{describePassAtK(page)}</p>
      <FilteredRows noun="figure" list={list} filters={FILTERS} page={panel}>
        <DataTable
          caption="Figures of this job"
          columns={listFigureColumns(page)}
          rows={panel.rows}
          rowKey={({ path }) => path}
          below={(figure) => (shownReasons.has(figure) ? describeFigure(figure, page.job.key) : null)}
        />
      </FilteredRows>
      <Methods>
        <p>
          Figures of groups are recomputed from the rewards in the trials&rsquo; result.json, added in{" "}
          {ORDER_WORDS[page.job.report.order]}; those rewards are compared with the reward files.
        </p>
        <p>
          Lists of trials are compared as sets and shown by size. Harbor deletes the folder of a retried
          attempt, so retries are compared with config.json and job.log if possible.
        </p>
        <p>
          Interval of a mean: 95 %, t (Wilson if few pass or fail), clustered by task: all attempts at a task
          count as one. {MISSING_RULES[page.job.kind === "ledger" ? "ledger" : page.job.scoringRule]}
        </p>
      </Methods>
    </>
  );
}

function describePassAtK({ job, groups, ks }: JobPage): string {
  if (ks.length > 0) return "pass@k is Harbor's figure, for rewards of 0 or 1.";
  if (job.attempts?.max === 1) return "No pass@k: one attempt per task.";
  const reasons = new Set(groups.flatMap(({ group }) => describeNoPassAtK(group) ?? []));
  return [...reasons].map((reason) => `${reason}.`).join(" ");
}

const FILTERS: readonly ListFilter<FiguresParams>[] = [
  { label: "Text", off: { text: "" } },
  { label: "Verdict", off: { verdicts: [] } },
  { label: "Kind", off: { kinds: [] } },
  { label: "Group", off: { groups: [] } },
  {
    label: "Behind the figure",
    off: { figure: null },
    chips: ({ figure }) =>
      figure === null ? [] : [{ words: `behind ${figure}`, without: { figure: null } }],
  },
];

function FigureFilters({ panel, list }: Pick<ListTab<FiguresPanel, FiguresParams>, "panel" | "list">) {
  const facet = facetsOf(list.params, list.hrefOf);
  return (
    <FilterBar count={describeMatching(panel.nMatching, panel.nFigures, "figure")}>
      <FilterText label="Filter figures" />
      {facet("Verdict", "verdicts", panel.verdicts, (verdict) => (
        <Check verdict={verdict} words={formatVerdict(verdict)} />
      ))}
      {facet("Kind", "kinds", panel.kinds, (kind) => KIND_WORDS[kind])}
      {panel.groups.length > 1 ? facet("Group", "groups", panel.groups) : null}
    </FilterBar>
  );
}

type FigureRow = FiguresPanel["rows"][number];

const KIND_WORDS: Readonly<Record<FigureKind, string>> = {
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

function listFigureColumns({ job, groups }: JobPage): readonly DataColumn<FigureRow>[] {
  return [
    column(
      "Figure",
      (figure) => (
        <code className="cut job-path" title={figure.path}>
          {shortenPath(figure)}
        </code>
      ),
      { phone: "first" },
    ),
    column(
      "Of",
      ({ group }) =>
        group === null ? <span className="muted">job</span> : <GroupAgent groups={groups} groupKey={group} />,
      { phone: "second" },
    ),
    column("Kind", ({ kind }) => KIND_WORDS[kind], { className: "muted", room: "minor" }),
    column("Recorded", ({ recorded }) => <Value text={recorded} />, { numeric: true, phone: "labelled" }),
    column("Recomputed", ({ recomputed }) => <Value text={recomputed} />, {
      numeric: true,
      phone: "labelled",
    }),
    column("Verdict", ({ verdict, ulps }) => <Check verdict={verdict} ulps={ulps} />, { phone: "score" }),
    column(
      "Trials",
      ({ path, nTrials }) =>
        nTrials === 0 ? (
          <span className="zero">0</span>
        ) : (
          <Link
            href={trialsPageHref(job.key, { figure: path })}
            data-row-link=""
            aria-label={`${formatPlural(nTrials, "trial")} behind ${path}`}
          >
            {formatCount(nTrials)}
          </Link>
        ),
      { numeric: true, phone: "labelled" },
    ),
  ];
}

function shortenPath({ path, group }: FigureRow): string {
  const prefix = `stats.evals.${group ?? ""}.`;
  return group !== null && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function describeFigure({ path, reason, rule, verdict, nTrials }: FigureRow, jobKey: string) {
  if (reason === null) return null;
  return (
    <p className="job-reason">
      {rule === null ? null : <strong>{RULE_NAMES[rule]}. </strong>}
      {reason}{" "}
      {verdict === "mismatch" && nTrials > 0 ? (
        <Link href={trialsPageHref(jobKey, { figure: path })}>
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
      {text.startsWith(OUTCOME_PREFIX) ? (
        <>
          {shortenOutcome(text)} <CopyButton text={text} label="Copy the line" />
        </>
      ) : (
        text
      )}
    </span>
  );
}
