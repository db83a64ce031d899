import type { Route } from "next";

import { describeRate, formatRate, rateColumn } from "@/components/errors/rates";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Count, Unknown } from "@/components/ui/values";
import { formatCount, formatPlural, formatRange } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import type { RateInterval } from "@/lib/core/stats";
import { CLASSES, FAILURE_CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import { annotationsHref } from "@/lib/pages/annotations/address";
import { taxonomyHref, type TaxonomyParams } from "@/lib/pages/taxonomy/address";
import type { CategoryRow, TagSource, WeightedShare } from "@/lib/pages/taxonomy/categories";
import type { TaxonomyPage, SuggesterRow } from "@/lib/pages/taxonomy/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

type Scanners = TaxonomyPage["scanners"];

const WRAP = { className: "wrap" } as const;
const NUMERIC = { numeric: true } as const;

export function TaxonomyFilters({ page: { scope }, params }: { page: TaxonomyPage; params: TaxonomyParams }) {
  const { jobs, agents } = scope.facets;
  const names = new Map(jobs.map(({ value, name }) => [value, name]));
  const facet = facetsOf(params, (change) => taxonomyHref(params, change));
  return (
    <FilterBar count={`${formatPlural(scope.nFailed, "trial")} not passed`}>
      {facet("Job", "jobs", jobs, (key) => names.get(key))}
      {facet("Agent", "agents", agents)}
    </FilterBar>
  );
}

/** @param fewest - answered trials required for a rate */
export function SuggestersTable({ page, fewest }: { page: TaxonomyPage; fewest: number }) {
  return (
    <TableSection
      title="How often machines are right"
      caption="Suggesters"
      note="Answered with Right or Wrong on a trial’s page, oracle and nop included"
      empty="No rule, scanner or judge has suggestions for these trials."
      cut="Filter by job or agent to see the others."
      columns={listSuggesterColumns(page.scanners, fewest)}
      rows={page.suggesters}
      rowKey={({ suggester, version }) => `${suggester} ${version}`}
    />
  );
}

function listSuggesterColumns(scanners: Scanners, fewest: number): readonly DataColumn<SuggesterRow>[] {
  return [
    column(
      "Suggester",
      ({ kind, id }) => (
        <>
          {kind} {kind === "rule" || kind === "scanner" || kind === "import" ? <code>{id}</code> : null}
        </>
      ),
      WRAP,
    ),
    column(
      "Suggests",
      ({ kind, id, version }) =>
        nameCategory(kind, kind === "rule" || kind === "import" ? version : id, scanners),
      WRAP,
    ),
    column("Trials", ({ nTrials }) => formatCount(nTrials), NUMERIC),
    column("Right", ({ nAccepted }) => formatCount(nAccepted), NUMERIC),
    column("Wrong", ({ nRejected }) => formatCount(nRejected), NUMERIC),
    column("Disputed", ({ nDisputed }) => formatCount(nDisputed), { ...NUMERIC, title: "Reviewers differ" }),
    column(
      "% right",
      ({ rate }) =>
        rate === null ? <span className="muted">fewer than {fewest} answered</span> : formatRate(rate),
      { ...NUMERIC, title: "Of trials whose reviewers agree" },
      ({ rate }) => ({ title: rate === null ? undefined : describeRate(rate) }),
    ),
    rateColumn({ end: 1, width: 140, room: "minor", rateOf: ({ rate }) => rate }),
  ];
}

/** Equal names of two sources are two rows. */
export function CategoriesTable({ page, params }: { page: TaxonomyPage; params: TaxonomyParams }) {
  const { scope, nReviewed, scanners } = page;
  const shared = findShared(page.categories);
  return (
    <TableSection<CategoryRow>
      title="Categories of all sources"
      note="Equal names from two sources are never merged"
      empty="These trials have no categories."
      cut="Filter by job or agent to see the others."
      most={250}
      columns={[
        column("Category", ({ source, category }) => nameCategory(source, category, scanners), WRAP),
        column("Source", ({ source, tool }) => (tool === null ? source : `${source}, ${tool}`), WRAP),
        column(
          "Trials",
          (row) => <Count value={row.nTrials} href={hrefOf(row, params, page, shared)} />,
          NUMERIC,
        ),
        shareColumn("% of finished", `${formatCount(scope.nFinished)} finished trials`, (row) => row.ofAll),
        shareColumn(
          "% of not passed",
          `${formatCount(scope.nFailed)} trials that did not pass`,
          (row) => row.ofFailed,
        ),
        shareColumn("% of reviewed", `${formatCount(nReviewed)} reviewed trials`, (row) => row.ofReviewed),
      ]}
      rows={page.categories}
      rowKey={({ source, tool, category }) => [source, tool, category].join(" ")}
    />
  );
}

const NO_RATE: Partial<Record<TagSource, string>> = {
  import: "Unknown which trials the tool read",
  reviewer: "No randomly sampled queue covers these trials, or too few of its trials are reviewed",
};

function shareColumn(
  header: string,
  title: string,
  rateOf: (row: CategoryRow) => RateInterval | WeightedShare | null,
): DataColumn<CategoryRow> {
  return column(header, (row) => <Rate rate={rateOf(row)} source={row.source} />, { ...NUMERIC, title });
}

function Rate({ rate, source }: { rate: RateInterval | WeightedShare | null; source: TagSource }) {
  if (rate === null || rate.kind === "unavailable")
    return <Unknown title={NO_RATE[source] ?? "Its source read none of these trials"} />;
  return (
    <span
      title={
        "count" in rate
          ? describeRate(rate)
          : `Weighted by sampling rate, from ${formatPlural(rate.n, "trial")} from random samples`
      }
    >
      {(rate.rate * 100).toFixed(1)}{" "}
      <span className="muted">{formatRange(rate, (share) => (share * 100).toFixed(1))}</span>
    </span>
  );
}

function isTag({ source }: CategoryRow): boolean {
  return source !== "rule" && source !== "scanner";
}

/** Returns tag names used by several sources or tools: lists find a tag by its name only. */
function findShared(rows: readonly CategoryRow[]): ReadonlySet<string> {
  const names = Map.groupBy(rows.filter(isTag), ({ category }) => category);
  return new Set([...names].flatMap(([name, { length }]) => (length > 1 ? name : [])));
}

/** Returns the trials of a row; null if no list has exactly these. */
function hrefOf(
  row: CategoryRow,
  params: TaxonomyParams,
  page: TaxonomyPage,
  shared: ReadonlySet<string>,
): Route | null {
  const { source, category, jobKeys } = row;
  if (source === "reviewer") {
    const own = new Set(jobKeys);
    const jobs = [...page.scope.jobById.values()].flatMap(({ key, name }) => (own.has(key) ? name : []));
    return annotationsHref({}, { categories: [category], jobs: params.jobs.length === 0 ? [] : jobs });
  }
  // Lists of trials know agents without their models.
  if (params.agents.length > 0) return null;
  if (isTag(row) && shared.has(category)) return null;
  const [only, ...others] = jobKeys;
  const chosen =
    source === "rule"
      ? { failureClasses: FAILURE_CLASSES.filter((one) => one === category) }
      : source === "scanner"
        ? { scanners: [category] }
        : { tags: [category] };
  const filters = { ...chosen, isWithoutReference: true };
  if (only !== undefined && others.length === 0) return trialsPageHref(only, filters);
  return params.jobs.length > 0 || (source !== "rule" && source !== "scanner")
    ? null
    : trialsPageHref(null, filters);
}

export function TogetherTable({ page: { together, scanners } }: { page: TaxonomyPage }) {
  return (
    <TableSection<TaxonomyPage["together"][number]>
      title="Occurring together"
      note="More often than chance, over trials that did not pass"
      empty="No failure class occurs with a tag of another source more often than by chance."
      most={Infinity}
      columns={[
        column("Class", ({ failureClass }) => nameCategory("rule", failureClass, scanners)),
        column("Occurs with", ({ source, category }) => nameCategory(source, category, scanners), WRAP),
        column("Source", ({ source }) => source),
        column("Trials", ({ nBoth }) => formatCount(nBoth), NUMERIC),
        column(
          "% of class",
          ({ share, nOfClass }) => (
            <span title={`of ${formatCount(nOfClass)} trials of the class`}>{(share * 100).toFixed(1)}</span>
          ),
          NUMERIC,
        ),
        column("Expected", ({ expected }) => expected.toFixed(1), {
          ...NUMERIC,
          title: "Trials expected by chance",
        }),
      ]}
      rows={together}
      rowKey={({ failureClass, source, category }) => `${failureClass} ${source} ${category}`}
    />
  );
}

function nameCategory(source: TagSource, category: string, scanners: Scanners): string {
  if (source === "rule") return capitalise(CLASSES[category as FailureClass].words);
  return source === "scanner" ? (scanners.get(category)?.title ?? category) : category;
}
