import type { Route } from "next";

import { describeRate } from "@/components/errors/error-words";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount, formatPlural, formatRange } from "@/lib/core/format/number";
import type { RateInterval } from "@/lib/core/stats";
import { FAILURE_CLASSES } from "@/lib/core/triage/classes";
import { annotationsHref } from "@/lib/pages/annotations/address";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import type { CategoryRow, TagSource, WeightedShare } from "@/lib/pages/taxonomy/categories";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { nameCategory, nameSource } from "./taxonomy-words";

/** Bytes of all rows, and of a row without its texts. */
const MAX_ROWS_BYTES = 300_000;
const ROW_BYTES = 1_200;

/** Equal names of two sources are two rows. */
export function CategoriesTable({ page, params }: { page: TaxonomyPage; params: TaxonomyParams }) {
  const { scope, nReviewed, scanners } = page;
  const shared = findShared(page.categories);
  const rows = takeFitting(
    page.categories,
    MAX_ROWS_BYTES,
    (row) =>
      ROW_BYTES +
      countPageBytes(row.category + (row.tool ?? "")) +
      countPageBytes(hrefOf(row, params, page, shared) ?? ""),
  );
  return (
    <Section title="Categories of all sources" note="Equal names from two sources are never merged">
      {rows.length === 0 ? (
        <p className="muted">These trials have no categories.</p>
      ) : (
        <DataTable<CategoryRow>
          caption="Categories of all sources"
          className="table-compact"
          columns={[
            column("Category", ({ source, category }) => nameCategory(source, category, scanners), {
              className: "wrap",
            }),
            column("Source", ({ source, tool }) => nameSource(source, tool), { className: "wrap" }),
            column(
              "Trials",
              (row) => <Count value={row.nTrials} href={hrefOf(row, params, page, shared)} />,
              { numeric: true },
            ),
            rateColumn(
              "% of finished",
              `${formatCount(scope.nFinished)} finished trials`,
              ({ ofAll }) => ofAll,
            ),
            rateColumn(
              "% of not passed",
              `${formatCount(scope.nFailed)} trials that did not pass`,
              ({ ofFailed }) => ofFailed,
            ),
            rateColumn("% of reviewed", `${formatCount(nReviewed)} reviewed trials`, (row) => row.ofReviewed),
          ]}
          rows={rows}
          rowKey={({ source, tool, category }) => [source, tool, category].join(" ")}
        />
      )}
      <CutNote shown={rows.length} total={page.categories.length}>
        Filter by job or agent to see the others.
      </CutNote>
    </Section>
  );
}

const NO_RATE: Partial<Record<TagSource, string>> = {
  import: "Unknown which trials the tool read",
  reviewer: "No randomly sampled queue covers these trials, or too few of its trials are reviewed",
};

function rateColumn(
  header: string,
  title: string,
  rateOf: (row: CategoryRow) => RateInterval | WeightedShare | null,
): DataColumn<CategoryRow> {
  return column(header, (row) => <Rate rate={rateOf(row)} source={row.source} />, { numeric: true, title });
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
