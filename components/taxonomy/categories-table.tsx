import type { Route } from "next";

import { describeRate } from "@/components/errors/error-words";
import { CutNote } from "@/components/ui/cut-note";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { Count, Unknown } from "@/components/ui/values";
import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount, formatPlural, formatRange } from "@/lib/core/format/number";
import type { RateInterval } from "@/lib/core/stats";
import { FAILURE_CLASSES } from "@/lib/core/triage/classes";
import { annotationsHref } from "@/lib/pages/annotations/address";
import type { TaxonomyParams } from "@/lib/pages/taxonomy/address";
import type { CategoryRow, TagSource } from "@/lib/pages/taxonomy/categories";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";
import type { WeightedShare } from "@/lib/pages/taxonomy/weights";
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
    <Section
      title="Categories of all sources"
      note="Never merged: the same name from two sources is two rows"
    >
      {rows.length === 0 ? (
        <p className="muted">No source gave these trials a category.</p>
      ) : (
        <Table
          caption="Categories of all sources"
          compact
          columns={[
            { id: "category", label: "Category" },
            { id: "source", label: "Source" },
            { id: "trials", label: "Trials", numeric: true },
            {
              id: "all",
              label: "% of finished",
              numeric: true,
              title: `${formatCount(scope.nFinished)} finished trials`,
            },
            {
              id: "failed",
              label: "% of not passed",
              numeric: true,
              title: `${formatCount(scope.nFailed)} trials that did not pass`,
            },
            {
              id: "reviewed",
              label: "% of reviewed",
              numeric: true,
              title: `${formatCount(nReviewed)} reviewed trials`,
            },
          ]}
        >
          <tbody>
            {rows.map((row) => (
              <tr key={[row.source, row.tool, row.category].join(" ")}>
                <td className="wrap">{nameCategory(row.source, row.category, scanners)}</td>
                <td className="wrap">{nameSource(row.source, row.tool)}</td>
                <td className="numeric">
                  <Count value={row.nTrials} href={hrefOf(row, params, page, shared)} />
                </td>
                <RateCell rate={row.ofAll} source={row.source} />
                <RateCell rate={row.ofFailed} source={row.source} />
                <RateCell rate={row.ofReviewed} source={row.source} />
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <CutNote shown={rows.length} total={page.categories.length}>
        Choose jobs or agents above to see the others.
      </CutNote>
    </Section>
  );
}

const NO_RATE: Partial<Record<TagSource, string>> = {
  import: "Nobody knows which trials the tool read",
  reviewer: "No queue that covers these trials was drawn by chance, or too few of its trials are reviewed",
};

function RateCell({ rate, source }: { rate: RateInterval | WeightedShare | null; source: TagSource }) {
  if (rate === null || rate.kind === "unavailable")
    return (
      <td className="numeric">
        <Unknown title={NO_RATE[source] ?? "Its source read none of these trials"} />
      </td>
    );
  return (
    <td
      className="numeric"
      title={
        "count" in rate
          ? describeRate(rate)
          : `Weighted by sampling rate, from ${formatPlural(rate.n, "trial")} that chance drew`
      }
    >
      {(rate.rate * 100).toFixed(1)}{" "}
      <span className="muted">{formatRange(rate, (share) => (share * 100).toFixed(1))}</span>
    </td>
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
