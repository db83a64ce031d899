import { AnnotationTime, JudgmentWord } from "@/components/annotations/judgment-words";
import { PlaneFigure } from "@/components/charts/plane-figure";
import { ForAction } from "@/components/shell/account-context";
import { KeyCap, Button } from "@/components/ui/button";
import { ChartMenu } from "@/components/ui/chart-menu";
import { DataTable } from "@/components/ui/data-table";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { formatSaturationCsv, type SaturationChart } from "@/lib/core/charts/saturation-chart";
import { withBasePath } from "@/lib/core/domain/base-path";
import type { ListPage } from "@/lib/core/domain/list-page";
import { formatPlural, MISSING } from "@/lib/core/format/number";
import { shorten } from "@/lib/core/format/words";
import { annotationsHref } from "@/lib/pages/annotations/address";
import { NEW_QUEUE_HREF } from "@/lib/pages/annotations/review-address";
import {
  codebookHref,
  type CodebookParams,
  newCategoryHref,
  readNewCategory,
} from "@/lib/pages/codebook/address";
import type {
  CategoriesPage,
  CodebookHead,
  CategoryRow,
  CodingNote,
  CodingPage,
  ChangeLine,
} from "@/lib/pages/codebook/page";

import { CategoryPanel, NewCategoryPanel } from "./category-panel";
import { SplitQueueButton, CodingSwitch } from "./codebook-desk";
import { CategoryDot, describeContexts, STATE_WORDS } from "./codebook-words";

interface CategoriesTabProps {
  readonly page: CategoriesPage;
  readonly head: CodebookHead;
  readonly params: CodebookParams;
}

export function CategoriesTab({ page, head, params }: CategoriesTabProps) {
  const { list, opened } = page;
  const typed = readNewCategory(params);
  return (
    <>
      <Waiting waiting={page.waiting} />
      <div className="codebook-filters">
        <FilterBar count={formatPlural(list.nMatching, "category", "categories")}>
          <FilterText label="Filter by name, definition" resets={["open"]} />
          <Link
            className={params.show === "all" ? "chip chip-on" : "chip"}
            href={codebookHref(params, { show: params.show === "all" ? "live" : "all" })}
            mode="replace"
            aria-current={params.show === "all" ? "true" : undefined}
          >
            Show merged, split and retired
          </Link>
        </FilterBar>
      </div>
      <div className={opened !== null || typed !== null ? "with-panel" : undefined}>
        <div>
          {list.rows.length === 0 ? (
            <Notice title={params.text === "" ? "No category" : "No category matches"}>
              {params.text === ""
                ? "Add one here, or type one in a review form."
                : "No name, definition or example contains this text."}
            </Notice>
          ) : (
            <CategoryTable rows={list.rows} openId={params.open} params={params} />
          )}
          <Pager
            page={list}
            noun="category"
            plural="categories"
            label="Pages of categories"
            hrefOf={(to) => codebookHref(params, { page: to })}
          />
          <Unlisted labels={page.unlisted} params={params} />
        </div>
        {opened === null ? null : (
          <CategoryPanel key={opened.category.id} opened={opened} labels={head.labels} params={params} />
        )}
        {typed === null ? null : (
          <ForAction action="changeCodebookAction" subject="Adding a category">
            <NewCategoryPanel key={params.open} label={typed} labels={head.labels} params={params} />
          </ForAction>
        )}
      </div>
    </>
  );
}

function Waiting({ waiting }: Pick<CategoriesPage, "waiting">) {
  if (waiting.length === 0) return null;
  return (
    <ul className="codebook-waiting" aria-label="To be relabelled">
      {waiting.map(({ id, label, nTrials }) => (
        <li key={id} className="flow">
          <span>
            “{label}” was split: {formatPlural(nTrials, "trial")} to choose again.
          </span>
          <ForAction action="queueSplitAction">
            <SplitQueueButton id={id} nTrials={nTrials} />
          </ForAction>
        </li>
      ))}
    </ul>
  );
}

function Unlisted({ labels, params }: { labels: CategoriesPage["unlisted"]; params: CodebookParams }) {
  if (labels.length === 0) return null;
  return (
    <p className="caption codebook-unlisted">
      Categories of older judgments that are not in the codebook:{" "}
      {labels.map(({ label, nTrials }, at) => (
        <span key={label}>
          {at === 0 ? null : ", "}
          <Link href={newCategoryHref(params, label)} mode="stay">
            add “{label}”
          </Link>{" "}
          ({formatPlural(nTrials, "trial")})
        </span>
      ))}
      .
    </p>
  );
}

/** Deeper levels share this indent, so that long chains fit the table. */
const DEEPEST_INDENT = 6;
const INDENT_PX = 16;
const MOST_DEFINITION = 300;

interface CategoryTableProps {
  readonly rows: readonly CategoryRow[];
  readonly openId: string | null;
  readonly params: CodebookParams;
}

export function CategoryTable({ rows, openId, params }: CategoryTableProps) {
  return (
    <DataTable
      caption="Categories"
      className="table-lines"
      columns={listColumns(params)}
      rows={rows}
      rowKey={({ category }) => category.id}
      rowClass={({ category }) => (category.id === openId ? "codebook-open-row" : undefined)}
    />
  );
}

function listColumns(params: CodebookParams): readonly DataColumn<CategoryRow>[] {
  return [
    column(
      "Category",
      ({ category, depth, parent }) => (
        <span className="row" style={{ paddingLeft: Math.min(depth, DEEPEST_INDENT) * INDENT_PX }}>
          <CategoryDot colour={category.colour} />
          <Link
            className="cut"
            href={codebookHref(params, { open: category.id })}
            mode="stay"
            data-row-link=""
            title={category.label}
          >
            {category.label}
          </Link>
          {params.text === "" || parent === null ? null : <span className="muted cut">in {parent}</span>}
          {category.state === "live" ? null : (
            <span className="muted">{STATE_WORDS[category.state].toLowerCase()}</span>
          )}
        </span>
      ),
      { className: "name codebook-name", phone: "first" },
    ),
    column(
      "Definition",
      ({ category }) => (
        <span className="clamp">{shorten(category.definition, MOST_DEFINITION) || MISSING}</span>
      ),
      {
        className: "wrap codebook-definition",
        room: "minor",
        phone: "second",
      },
    ),
    column("Offered for", ({ category }) => describeContexts(category.contexts), {
      className: "muted",
      phone: "labelled",
    }),
    column("Key", ({ category }) =>
      category.key === null || category.state !== "live" ? null : <KeyCap>⇧{category.key}</KeyCap>,
    ),
    column(
      "Trials",
      ({ category, nTrials }) => (
        <Count value={nTrials} href={annotationsHref({ categories: [category.label] })} />
      ),
      { numeric: true, phone: "labelled", title: "Trials with it in their current judgment" },
    ),
    column(
      "Changed",
      ({ lastChange }) =>
        lastChange === null ? (
          MISSING
        ) : (
          <>
            <AnnotationTime timestamp={lastChange.createdAt} /> by{" "}
            {lastChange.author.slice(0, 24) || "no name"}
          </>
        ),
      { room: "minor", className: "muted nowrap" },
    ),
  ];
}

interface CodingTabProps {
  readonly page: CodingPage;
  readonly head: CodebookHead;
  readonly params: CodebookParams;
}

export function CodingTab({ page: { saturation, notes }, head, params }: CodingTabProps) {
  const typed = readNewCategory(params);
  return (
    <div className={typed === null ? undefined : "with-panel"}>
      <div>
        <ForAction action="changeCodebookAction">
          <CodingSwitch isOn={head.isOpenCoding} />
        </ForAction>
        <Section title="Saturation" note={saturation.kind === "chart" ? saturation.recent : undefined}>
          {saturation.kind === "chart" ? (
            <div data-chart="">
              <ChartMenu name="saturation" csv={formatSaturationCsv(saturation)} />
              <PlaneFigure chart={saturation.plane} height={120} />
              <SaturationTable points={saturation.points} />
            </div>
          ) : (
            <p className="muted">{saturation.reason}</p>
          )}
        </Section>
        <Section title="Notes without a category" note={formatPlural(notes.nMatching, "note")}>
          {notes.rows.length === 0 ? (
            <Notice title="No notes without a category">
              Judgments with a note but no category appear here.
            </Notice>
          ) : (
            <form action={withBasePath(NEW_QUEUE_HREF)} aria-label="Notes without a category">
              <ul className="codebook-notes">
                {notes.rows.map((note) => (
                  <Note key={note.versionId} note={note} />
                ))}
              </ul>
              <ForAction action="makeQueueAction">
                <Button type="submit">Queue these for coding</Button>
              </ForAction>
            </form>
          )}
          <Pager
            page={notes}
            noun="note"
            label="Pages of notes"
            hrefOf={(to) => codebookHref(params, { page: to })}
          />
        </Section>
      </div>
      {typed === null ? null : (
        <ForAction action="changeCodebookAction" subject="Adding a category">
          <NewCategoryPanel label={typed} labels={head.labels} params={params} />
        </ForAction>
      )}
    </div>
  );
}

function SaturationTable({ points }: Pick<SaturationChart, "points">) {
  return (
    <details className="saturation-table">
      <summary>Table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Reviews</th>
            <th scope="col">Different categories</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ review, count }) => (
            <tr key={`${review} ${count}`}>
              <td className="numeric">{review}</td>
              <td className="numeric">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Note({ note }: { note: CodingNote }) {
  const { versionId, judgment, reviewerId, timestamp, taskName, trialName, href } = note;
  return (
    <li>
      <p className="row">
        <input
          type="checkbox"
          name="judgment"
          value={versionId}
          aria-label={`Select the note on ${trialName}`}
        />
        <JudgmentWord judgment={judgment} />
        {href === null ? (
          <span className="cut muted" title={trialName}>
            {taskName}, trial not found
          </span>
        ) : (
          <Link className="cut" href={href} data-row-link="" title={trialName}>
            {taskName}
          </Link>
        )}
        <span className="caption cut grow">
          {reviewerId}, <AnnotationTime timestamp={timestamp} />
        </span>
      </p>
      <p className="prose codebook-note">
        {note.note}
        {note.isCut ? "…" : null}
      </p>
    </li>
  );
}

const COLUMNS: readonly DataColumn<ChangeLine>[] = [
  column("Version", ({ version }) => version, { numeric: true }),
  column("Change", ({ text }) => text, { className: "wrap codebook-change" }),
  column("By", ({ author }) => author || "no name given", { className: "cut" }),
  column("When", ({ createdAt }) => <AnnotationTime timestamp={createdAt} />, { className: "nowrap" }),
];

export function HistoryTab({ page, params }: { page: ListPage<ChangeLine>; params: CodebookParams }) {
  if (page.rows.length === 0)
    return <Notice title="No changes yet">Changes to the default categories are listed here.</Notice>;
  return (
    <>
      <DataTable
        caption="Changes of the codebook"
        columns={COLUMNS}
        rows={page.rows}
        rowKey={({ version }) => version}
      />
      <Pager
        page={page}
        noun="change"
        label="Pages of changes"
        hrefOf={(to) => codebookHref(params, { page: to })}
      />
      <p className="caption table-note">
        Each judgment stores its codebook version, so it keeps the meaning of its categories.
      </p>
    </>
  );
}
