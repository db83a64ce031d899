import { describeRate, formatRate } from "@/components/errors/error-words";
import { RatePlot, RateScale } from "@/components/errors/rate-plot";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import { CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import type { TaxonomyPage, SuggesterRow } from "@/lib/pages/taxonomy/page";

import { nameCategory, SOURCE_WORDS } from "./taxonomy-words";

const PLOT_WIDTH = 140;

export function SuggestersTable({
  page,
  fewest,
}: {
  page: TaxonomyPage;
  /** Answered trials required for a rate. */
  fewest: number;
}) {
  const rows = page.suggesters.slice(0, LIST_ROWS);
  return (
    <Section
      title="How often machines are right"
      note="Answered with Right or Wrong on a trial’s page, oracle and nop included"
    >
      {rows.length === 0 ? (
        <p className="muted">No rule, scanner or judge has suggestions for these trials.</p>
      ) : (
        <DataTable
          caption="Suggesters"
          className="table-compact"
          columns={listColumns(page.scanners, fewest)}
          rows={rows}
          rowKey={({ suggester, version }) => `${suggester} ${version}`}
        />
      )}
      <CutNote shown={rows.length} total={page.suggesters.length}>
        Filter by job or agent to see the others.
      </CutNote>
    </Section>
  );
}

function listColumns(
  scanners: TaxonomyPage["scanners"],
  fewest: number,
): readonly DataColumn<SuggesterRow>[] {
  return [
    column(
      "Suggester",
      ({ kind, id }) => (
        <>
          {SOURCE_WORDS[kind]}{" "}
          {kind === "rule" || kind === "scanner" || kind === "import" ? <code>{id}</code> : null}
        </>
      ),
      { className: "wrap" },
    ),
    column(
      "Suggests",
      ({ kind, id, version }) =>
        kind === "rule"
          ? capitalise(CLASSES[version as FailureClass].words)
          : nameCategory(kind, kind === "import" ? version : id, scanners),
      { className: "wrap" },
    ),
    column("Trials", ({ nTrials }) => formatCount(nTrials), { numeric: true }),
    column("Right", ({ nAccepted }) => formatCount(nAccepted), { numeric: true }),
    column("Wrong", ({ nRejected }) => formatCount(nRejected), { numeric: true }),
    column("Disputed", ({ nDisputed }) => formatCount(nDisputed), {
      numeric: true,
      title: "Reviewers differ",
    }),
    column(
      "% right",
      ({ rate }) =>
        rate === null ? <span className="muted">fewer than {fewest} answered</span> : formatRate(rate),
      { numeric: true, title: "Of trials whose reviewers agree" },
      ({ rate }) => ({ title: rate === null ? undefined : describeRate(rate) }),
    ),
    {
      id: "interval",
      header: <RateScale end={1} width={PLOT_WIDTH} />,
      meta: { className: "interval-cell", room: "minor" },
      cell: ({ rate }) => (rate === null ? null : <RatePlot rate={rate} end={1} width={PLOT_WIDTH} />),
    },
  ];
}
