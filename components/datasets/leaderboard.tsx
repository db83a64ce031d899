import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { ButtonLink } from "@/components/ui/button";
import { ColumnsMenu } from "@/components/ui/columns-menu";
import { CopyButton } from "@/components/ui/copy-button";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Methods } from "@/components/ui/methods";
import { NoMatches } from "@/components/ui/no-matches";
import { Section } from "@/components/ui/page-title";
import { Segment } from "@/components/ui/segment";
import { column, type DataColumn, type TableOrder } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { nameScore } from "@/lib/core/format/reading-words";
import { compareParamsHref } from "@/lib/pages/compare/address";
import { datasetHref, type DatasetParams } from "@/lib/pages/datasets/address";
import type { LeaderboardLine, LeaderboardPage } from "@/lib/pages/datasets/leaderboard";

import { BoardSettings } from "./board-settings";
import { COMPARE_FORM, describeConstants, listLeaderboardColumns } from "./leaderboard-columns";
import { LeaderboardSelection } from "./leaderboard-selection";
import { orderLines } from "./order-lines";

import "./leaderboard.css";

/** Bytes of all rows; groups beyond it can be reached by the filter. */
const MAX_ROWS_BYTES = 700_000;
const ROW_BYTES = 4_000;

interface LeaderboardProps {
  readonly datasetId: string;
  readonly page: LeaderboardPage;
  readonly params: DatasetParams;
}

const SECTIONS: Readonly<
  Record<Exclude<LeaderboardLine["state"], "partial">, readonly [title: string, note: string]>
> = {
  ranked: ["Ranked", ""],
  running: ["Still running", "no rank yet: trials that end first differ from the rest"],
  reference: ["Reference", "no rank: reference solution, or no action"],
  "not-scored": ["No score", "rewards at this key are missing, invalid or infinite"],
};

function selectLines(lines: readonly LeaderboardLine[], text: string): readonly LeaderboardLine[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter(({ label, jobs, agents }) => {
    const names = [label, ...agents, ...jobs.map(({ name }) => name)].join(" ").toLowerCase();
    return words.every((word) => names.includes(word));
  });
}

export function LeaderboardPanel({ datasetId, page, params }: LeaderboardProps) {
  const columns = listLeaderboardColumns(page);
  const order = readOrder(columns, datasetId, params);
  const table = { columns, wanted: params.columns, order };
  const lines = orderLines(selectLines(page.lines, params.text), order);
  const shown = takeFitting(lines, MAX_ROWS_BYTES, countRow);
  const below = shown.filter(({ state }) => state === "partial");
  return (
    <>
      <section className="section" aria-label="Leaderboard">
        <LeaderboardFilters datasetId={datasetId} page={page} params={params} columns={columns} />
        {lines.length === 0 ? (
          <NoMatches
            noun="group"
            params={params}
            filters={[["Text", { text: "" }]]}
            hrefOf={(now, change) => datasetHref(datasetId, now, change)}
            count={(change) => Promise.resolve(selectLines(page.lines, change.text ?? params.text).length)}
          />
        ) : (
          <>
            {below.length === shown.length ? null : (
              <GroupTable
                caption="Groups over this dataset"
                {...table}
                rows={shown.filter(({ state }) => state !== "partial")}
              />
            )}
            {below.length === 0 ? null : (
              <details
                className="leaderboard-fold"
                open={params.text !== "" || below.length === shown.length}
              >
                <summary>
                  {formatPlural(below.length, "group")} with less than {page.coverage} % of the tasks
                </summary>
                <GroupTable caption="Groups with too few tasks" {...table} rows={below} />
              </details>
            )}
          </>
        )}
        <CutNote shown={shown.length} total={lines.length}>
          Filter groups to see the others.
        </CutNote>
        <Notes page={page} nMatching={lines.length} />
      </section>
      <Sensitivity page={page} />
      <ConditionsTable page={page} />
      <CopySection datasetId={datasetId} page={page} params={params} />
    </>
  );
}

function GroupTable({
  rows,
  ...table
}: Pick<
  Parameters<typeof DataTable<LeaderboardLine>>[0],
  "caption" | "columns" | "rows" | "wanted" | "order"
>) {
  return (
    <DataTable
      {...table}
      className="leaderboard"
      rows={rows}
      rowKey={({ refs }) => refs.join(" ")}
      heading={({ state, rank }, at) => {
        const before = rows[at - 1];
        if (state === "ranked" && table.order?.sort === "rank" && rank !== null) {
          const isFirst = rank.low === 1;
          if (before?.rank != null && (before.rank.low === 1) === isFirst) return null;
          const n = rows.filter((one) => one.rank !== null && (one.rank.low === 1) === isFirst).length;
          return isFirst ? `Could be first (${formatCount(n)})` : `Not first, at 95 % (${formatCount(n)})`;
        }
        if (state === "ranked" || state === "partial" || state === before?.state) return null;
        const [title, note] = SECTIONS[state];
        return (
          <>
            {title} <span className="muted">{note}</span>
          </>
        );
      }}
    />
  );
}

/** Counts bytes: the name is sent as cell, title and checkbox label, the references as value. */
function countRow({ label, refs, beside }: LeaderboardLine): number {
  return ROW_BYTES + 3 * countPageBytes(label) + countPageBytes(refs.join("")) + countPageBytes(beside);
}

function readOrder(
  columns: readonly DataColumn<LeaderboardLine>[],
  datasetId: string,
  params: DatasetParams,
): TableOrder {
  const sorted = columns.flatMap(({ meta }) =>
    meta?.sort === undefined ? [] : [{ ...meta, sort: meta.sort }],
  );
  const wanted = sorted.find((one) => one.sort === params.sort) ?? { sort: "rank", ascends: true };
  return {
    sorts: sorted.map((one) => one.sort),
    sort: wanted.sort,
    descending: params.descending ?? wanted.ascends !== true,
    hrefOf: (order) => datasetHref(datasetId, params, order),
  };
}

function LeaderboardFilters({
  datasetId,
  page,
  params,
  columns,
}: LeaderboardProps & { readonly columns: readonly DataColumn<LeaderboardLine>[] }) {
  return (
    <FilterBar
      end={
        <>
          <CompareTop page={page} />
          <LeaderboardSelection formId={COMPARE_FORM} />
          <ColumnsMenu
            columns={columns}
            wanted={params.columns}
            hrefOf={(wanted) => datasetHref(datasetId, params, { columns: wanted })}
          />
        </>
      }
    >
      <FilterText label="Filter groups" />
      <BoardSettings datasetId={datasetId} page={page} params={params} />
    </FilterBar>
  );
}

function CompareTop({ page }: { page: LeaderboardPage }) {
  const top = page.lines.filter(({ rank }) => rank?.low === 1).slice(0, MAX_GROUPS);
  if (top.length < 2) return null;
  return (
    <ButtonLink
      look="bare"
      href={compareParamsHref({ refs: top.flatMap(({ refs }) => refs), order: "chosen" })}
      title="Compare the groups that can be first"
    >
      Compare top {top.length}
    </ButtonLink>
  );
}

function Notes({ page, nMatching }: { page: LeaderboardPage; nMatching: number }) {
  const { lines, note, nLeftOut, nMoreFamilies, families } = page;
  const filtered =
    nMatching === lines.length
      ? ""
      : `${formatCount(nMatching)} of ${formatPlural(lines.length, "group")} match the filter; ranks are among all of them. `;
  const constants = describeConstants(page);
  return (
    <>
      <p className="caption table-note">
        {filtered}
        {constants !== "" && `In every row: ${constants}. `}
        {note}
        {families.length > 0 && " Bold: best in the family."}
        {nMoreFamilies > 0 &&
          ` ${formatPlural(nMoreFamilies, "smaller family", "smaller families")} without a column.`}
        {nLeftOut > 0 && ` ${formatPlural(nLeftOut, "group")} of older jobs left out.`}
      </p>
      <Methods>
        <p>
          Every pair of ranked groups is compared on shared tasks, each with the same weight: t, or Agresti
          and Min if few tasks differ, and the sign-flip test. A group can be first if no other group is
          clearly better. These comparisons with the best (Hsu, 1996) are adjusted for the number of other
          groups: the groups that can be first include the best one in 97.5 of 100 repetitions. The range of
          each rank holds in 95 of 100 (Mogstad, Romano, Shaikh and Wilhelm, 2024).
        </p>
        <p>
          Scores are recomputed from the trials; Figures shows if the recorded ones agree. The interval is
          clustered by task and holds for new tasks of the same kind. Comparable: against most other groups,
          by task digests, Harbor version, attempts, timeouts and missing data. A group that differs keeps its
          rank and is marked, also in copies.
        </p>
      </Methods>
    </>
  );
}

function Sensitivity({ page: { lines, missing } }: { page: LeaderboardPage }) {
  const rows = lines.flatMap(({ refs, label, sensitivity }) =>
    sensitivity === null ? [] : [{ id: refs.join(" "), name: label, line: sensitivity }],
  );
  return rows.length === 0 ? null : (
    <Section title="Sensitivity of the score" note="Ranks are of the scores above">
      <SensitivityTable heading="Group" rows={rows} score={nameScore(missing)} />
    </Section>
  );
}

function CopySection({ datasetId, page, params }: LeaderboardProps) {
  return (
    <Section
      title="Copy as"
      actions={
        <>
          <Segment
            label="Format"
            value={params.format}
            options={[
              { value: "markdown", label: "Markdown" },
              { value: "csv", label: "CSV" },
              { value: "latex", label: "LaTeX" },
            ]}
            hrefOf={(format) => datasetHref(datasetId, params, { format })}
          />
          <CopyButton text={page.copy} label="Copy the leaderboard">
            Copy
          </CopyButton>
        </>
      }
    >
      <pre className="leaderboard-copy" tabIndex={0} aria-label="Leaderboard as text">
        {page.copy}
      </pre>
      <p className="caption">
        All groups, as <code>assay leaderboard --format {params.format}</code> prints them.
      </p>
    </Section>
  );
}

const MOST_OPEN = 4;

/** Other groups of a condition that are listed; marks of all are in the leaderboard. */
const MOST_LISTED = 100;

interface Condition {
  readonly name: string;
  readonly common: string | null;
  readonly differing: readonly { readonly id: string; readonly label: string; readonly detail: string }[];
  readonly nUnknown: number;
}

const COLUMNS: readonly DataColumn<Condition>[] = [
  column("Condition", ({ name }) => name, { isRowHeader: true, phone: "first", className: "name" }),
  column("Most groups", ({ common }) => common ?? <Unknown title="No value that most groups record" />, {
    phone: "labelled",
    label: "most groups",
  }),
  column("Other groups", ({ differing }) => <Differing differing={differing} />, {
    phone: "second",
    className: "wrap",
  }),
  {
    id: "unknown",
    header: "Not stated",
    meta: { numeric: true, phone: "labelled", label: "not stated" },
    isFilled: ({ nUnknown }) => nUnknown > 0,
    cell: ({ nUnknown }) =>
      nUnknown === 0 ? <span className="zero">0</span> : formatPlural(nUnknown, "group"),
  },
];

function ConditionsTable({ page: { lines, conditions } }: { page: LeaderboardPage }) {
  const all = conditions.map((condition): Condition => {
    const found = lines.flatMap(({ refs, label, marks }) =>
      marks.flatMap((mark) => (mark.name === condition.name ? [{ id: refs.join(" "), label, ...mark }] : [])),
    );
    const differing = found.filter(({ state }) => state === "differs");
    return { ...condition, differing, nUnknown: found.length - differing.length };
  });
  const open = all.filter(({ differing, nUnknown }) => differing.length + nUnknown > 0);
  const same = all.filter((condition) => !open.includes(condition));
  const nDiffering = lines.filter(({ marks }) => marks.some(({ state }) => state === "differs")).length;
  const note =
    nDiffering === 0
      ? `No group is known to differ in ${formatPlural(conditions.length, "condition")}`
      : `${formatCount(nDiffering)} of ${formatPlural(lines.length, "group")} ${nDiffering === 1 ? "differs" : "differ"}; each keeps its rank and is marked`;
  return (
    <Section title="Comparable" note={note}>
      {open.length === 0 ? null : (
        <DataTable
          caption="Conditions that differ between groups"
          className="table-lines"
          columns={COLUMNS}
          rows={open}
          rowKey={({ name }) => name}
        />
      )}
      {same.length === 0 ? null : (
        <p className="caption table-note">
          Same in all groups:{" "}
          {same.map(({ name, common }) => (common === null ? name : `${name} (${common})`)).join("; ")}.
        </p>
      )}
    </Section>
  );
}

function Differing({ differing }: Pick<Condition, "differing">) {
  if (differing.length === 0) return <span className="zero">none</span>;
  const shown = differing.slice(0, MOST_LISTED);
  const all = shown.map(({ id, label, detail }) => (
    <span key={id} className="leaderboard-mark">
      <b>{label}</b> {detail}
    </span>
  ));
  return differing.length <= MOST_OPEN ? (
    all
  ) : (
    <details>
      <summary>{formatPlural(differing.length, "group")}</summary>
      {all}
      {shown.length === differing.length
        ? null
        : `and ${formatPlural(differing.length - shown.length, "more group")}, marked in the table above.`}
    </details>
  );
}
