import { describeRate, formatRate } from "@/components/errors/error-words";
import { RatePlot, RateScale } from "@/components/errors/rate-plot";
import { CutNote } from "@/components/ui/cut-note";
import { Section } from "@/components/ui/page-title";
import { Table } from "@/components/ui/table";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import { CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import type { TaxonomyPage } from "@/lib/pages/taxonomy/page";
import type { SuggesterRow } from "@/lib/pages/taxonomy/suggesters";

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
    <Section title="How often machines are right" note="Answered with Right or Wrong on a trial’s page">
      {rows.length === 0 ? (
        <p className="muted">No rule, scanner or judge says anything of these trials.</p>
      ) : (
        <Table
          caption="Suggesters"
          compact
          columns={[
            { id: "suggester", label: "Suggester" },
            { id: "says", label: "Suggests" },
            { id: "trials", label: "Trials", numeric: true },
            { id: "accepted", label: "Right", numeric: true },
            { id: "rejected", label: "Wrong", numeric: true },
            { id: "disputed", label: "Disputed", numeric: true, title: "Reviewers differ" },
            { id: "rate", label: "% right", numeric: true, title: "Of the trials whose reviewers agree" },
            { id: "interval", label: <RateScale end={1} width={PLOT_WIDTH} />, minor: true },
          ]}
        >
          <tbody>
            {rows.map((row) => (
              <SuggesterLine
                key={`${row.suggester} ${row.version}`}
                row={row}
                scanners={page.scanners}
                fewest={fewest}
              />
            ))}
          </tbody>
        </Table>
      )}
      <CutNote shown={rows.length} total={page.suggesters.length}>
        Choose jobs or agents above to see the others.
      </CutNote>
    </Section>
  );
}

function SuggesterLine({
  row,
  scanners,
  fewest,
}: {
  row: SuggesterRow;
  scanners: TaxonomyPage["scanners"];
  fewest: number;
}) {
  const { kind, id, version, rate } = row;
  const isNamed = kind === "rule" || kind === "scanner" || kind === "import";
  return (
    <tr>
      <td className="wrap">
        {SOURCE_WORDS[kind]} {isNamed ? <code>{id}</code> : null}
      </td>
      <td className="wrap">
        {kind === "rule"
          ? capitalise(CLASSES[version as FailureClass].words)
          : nameCategory(kind, kind === "import" ? version : id, scanners)}
      </td>
      <td className="numeric">{formatCount(row.nTrials)}</td>
      <td className="numeric">{formatCount(row.nAccepted)}</td>
      <td className="numeric">{formatCount(row.nRejected)}</td>
      <td className="numeric">{formatCount(row.nDisputed)}</td>
      {rate === null ? (
        <td className="muted" colSpan={2}>
          fewer than {fewest} answered
        </td>
      ) : (
        <>
          <td className="numeric" title={describeRate(rate)}>
            {formatRate(rate)}
          </td>
          <td className="interval-cell minor">
            <RatePlot rate={rate} end={1} width={PLOT_WIDTH} />
          </td>
        </>
      )}
    </tr>
  );
}
