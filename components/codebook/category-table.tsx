import { KeyCap } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { MISSING } from "@/lib/core/format/number";
import { annotationsHref } from "@/lib/pages/annotations/address";
import { codebookHref, type CodebookParams } from "@/lib/pages/codebook/address";
import type { CategoryRow } from "@/lib/pages/codebook/page";

import { AnnotationTime } from "../annotations/judgment-words";
import { CategoryDot, describeContexts, STATE_WORDS } from "./codebook-words";

/** Deeper levels share this indent, so that long chains fit the table. */
const DEEPEST_INDENT = 6;
const INDENT_PX = 16;
const MOST_DEFINITION = 300;

export function CategoryTable({
  rows,
  openId,
  params,
}: {
  rows: readonly CategoryRow[];
  openId: string | null;
  params: CodebookParams;
}) {
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
    column("Definition", ({ category }) => <span>{shorten(category.definition)}</span>, {
      className: "wrap codebook-definition",
      room: "minor",
      phone: "second",
    }),
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

function shorten(text: string): string {
  if (text === "") return MISSING;
  return text.length <= MOST_DEFINITION ? text : `${text.slice(0, MOST_DEFINITION).toWellFormed()}…`;
}
