import { ChevronDown, ChevronRight } from "lucide-react";

import { AgentModelHeading } from "@/components/errors/agent-model-heading";
import { ReviewThese } from "@/components/queues/review-these";
import { ForAction } from "@/components/shell/account-context";
import { ButtonLink } from "@/components/ui/button";
import { DataTable } from "@/components/ui/data-table";
import { IntervalScale, PLAIN, percent, StripMark } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Preformatted } from "@/components/ui/preformatted";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { placeInterval } from "@/lib/core/charts/interval-strip";
import { placeOn } from "@/lib/core/charts/ticks";
import { formatCount, formatPlural, formatPoints } from "@/lib/core/format/number";
import { SIGNAL_WORDS, formatTask } from "@/lib/core/format/words";
import type { ExpectedWin, Unavailable } from "@/lib/core/stats";
import { CLASSES, OWNER_WORDS } from "@/lib/core/triage/classes";
import { clusterHref } from "@/lib/pages/clusters/address";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsList, writeTrialsQuery } from "@/lib/pages/trials/address";

import { DismissForm } from "./dismiss-form";
import { DismissalHistory } from "./dismissal-history";
import { FindingKeys } from "./finding-keys";
import { selectTrials } from "./select-trials";
import { describeSignalPlace, linkSignal } from "./signal-link";
import { describeWin, nameFinding, quoteEvidence, describeBases } from "./triage-words";

const PLOT_WIDTH = 120;

export function FindingsTable({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { unexplained, findings, rest } = page;
  const rows = unexplained === null ? findings : [unexplained, ...findings];
  const open = rows.find(({ key }) => key === params.open) ?? findings[0] ?? unexplained;
  const others = page.scope.agentModels.length - page.columns.length;
  return (
    <>
      <FindingKeys open={open?.key ?? null} />
      <DataTable
        caption={page.scope.datasets.size > 1 ? "Findings" : "What a fix would win"}
        className="findings"
        columns={listColumns(page, params, open?.key ?? null)}
        rows={rows}
        rowKey={({ key }) => key}
        below={(row) => (row === open ? <FindingDetail row={row} page={page} params={params} /> : null)}
      />
      {rest.nFindings === 0 ? null : (
        <p className="caption">
          {formatPlural(rest.nFindings, "smaller finding")} with {formatPlural(rest.nTrials, "trial")}
          {rest.most === null ? "" : `, at most ${formatPoints(rest.most)} points each`}. Filter to find them.
        </p>
      )}
      {others > 0 ? (
        <p className="caption">
          Agents with most failures have a column; “Others” are {formatPlural(others, "more agent")}.
        </p>
      ) : null}
      <Methods>
        <p>
          Points are of the mean reward of one dataset, and are not shown for several. They are over all{" "}
          {formatCount(page.scope.nTrials)} finished trials that match the filters. The bar ends where full
          rewards would. Expected: these trials score like attempts without the failure: the same agent’s at
          the task, else other agents’ at the task, else the agent’s other trials. If reviewers passed most of
          at least three judged trials, their pass rate is used. Interval: 95 %, Jeffreys’s for each of these,
          summed as independent, for a rerun of the same tasks. Trials that did not end are in no mean;
          unexplained ones may have any cause.
        </p>
        <p>“only” an agent: others tried the same tasks at least as often without it.</p>
      </Methods>
    </>
  );
}

function listColumns(
  page: TriagePage,
  params: TriageParams,
  open: string | null,
): readonly DataColumn<FindingRow>[] {
  const ranks = new Map(page.findings.map(({ key }, at) => [key, at + 1]));
  return [
    {
      id: "rank",
      header: <span className="screen-reader">Rank</span>,
      meta: { label: "Rank", className: "muted" },
      cell: ({ key }) => ranks.get(key) ?? <span className="unexplained-mark" title="Unexplained" />,
    },
    column(
      "Finding and evidence",
      (row) => <FindingName row={row} params={params} isOpen={row.key === open} />,
      { className: "wrap finding-name", phone: "first" },
    ),
    column("Owner", ({ failureClass }) => OWNER_WORDS[CLASSES[failureClass].owner], {
      room: "minor",
      phone: "second",
    }),
    ...listAgentColumns(page),
    {
      id: "others",
      header: "Others",
      meta: { numeric: true, room: "minor" },
      isFilled: ({ nOthers }) => nOthers > 0,
      cell: ({ nOthers }) => <Count value={nOthers} />,
    },
    column(
      "Trials",
      (row) => (
        <b>
          <Link
            href={trialsPageHref(null, selectTrials(row, params, page))}
            title={`Open ${formatPlural(row.nTrials, "trial")}`}
            data-row-link=""
          >
            {formatCount(row.nTrials)}
          </Link>
        </b>
      ),
      { numeric: true, phone: "labelled" },
    ),
    ...(page.scope.datasets.size > 1 ? [] : listWinColumns(page)),
  ];
}

function listWinColumns(page: TriagePage): readonly DataColumn<FindingRow>[] {
  const end = selectWinEnd(page.findings.map(({ win }) => win));
  const labels = [0, end / 2, end].map((share) => String(Number((share * 100).toFixed(2)))) as [
    string,
    string,
    string,
  ];
  return [
    column(
      "Points",
      ({ win }) => (
        <span title={describeWin(win)}>
          {win.kind === "computed" ? (
            <b>{formatPoints(win.expected)}</b>
          ) : (
            <span className="muted">unknown</span>
          )}
        </span>
      ),
      { numeric: true, phone: "side" },
    ),
    {
      id: "win",
      header: (
        <>
          <span className="screen-reader">Points with their interval</span>
          <IntervalScale width={PLOT_WIDTH} labels={labels} />
        </>
      ),
      meta: { className: "interval-cell", label: "Points, drawn" },
      cell: ({ win, nTrials }) => (
        <WinPlot win={win} most={nTrials / Math.max(1, page.scope.nTrials)} end={end} width={PLOT_WIDTH} />
      ),
    },
  ];
}

function listAgentColumns({
  columns,
  scope: { agentModels },
}: TriagePage): readonly DataColumn<FindingRow>[] {
  return columns.map((agentModel) => ({
    id: `agent ${agentModel.name}`,
    header: <AgentModelHeading agentModel={agentModel} all={agentModels} />,
    meta: { numeric: true, room: "minor", label: agentModel.name },
    cell: ({ byAgent }) => <Count value={byAgent.get(agentModel.name) ?? 0} />,
  }));
}

function FindingName({ row, params, isOpen }: { row: FindingRow; params: TriageParams; isOpen: boolean }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const evidence = quoteEvidence(row);
  return (
    <>
      <Link
        className="finding-link"
        href={triageHref(params, { open: row.key })}
        mode="replace"
        aria-expanded={isOpen}
        data-finding={row.key}
      >
        <Chevron size={14} aria-hidden />
        <b>{nameFinding(row)}</b>
      </Link>
      {evidence === null ? null : <code className="finding-evidence">{evidence}</code>}
    </>
  );
}

function FindingDetail({ row, page, params }: { row: FindingRow; page: TriagePage; params: TriageParams }) {
  const { example, reviews, nTrials } = row;
  const filter = selectTrials(row, params, page);
  // The oracle's trial is not in the list of agent trials.
  const list = row.oracle === null ? writeTrialsList(filter) : null;
  return (
    <div className="finding-detail">
      <div className="finding-example">
        {example === null ? (
          <p className="muted">Its trials are no longer in the index.</p>
        ) : (
          <>
            <p className="caption">
              <Link href={trialPageHref(example.jobKey, example.key, { list })}>
                {formatTask({ ...example, trialName: example.key })}, {example.jobName}, attempt{" "}
                {example.attempt}
              </Link>
            </p>
            {example.evidence.length === 0 ? <p className="muted">Its files show no reason.</p> : null}
            <ul>
              {example.evidence.map((signal, nth) => (
                <li key={nth}>
                  <Link
                    className="caption"
                    href={trialPageHref(example.jobKey, example.key, { list, ...linkSignal(signal) })}
                  >
                    {SIGNAL_WORDS[signal.kind]}, {describeSignalPlace(signal)}
                  </Link>
                  <Preformatted>{signal.text}</Preformatted>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <div>
        {example?.why == null ? null : <p>{example.why}</p>}
        {nTrials < 2 || row.pattern === null ? null : (
          <p className="finding-pattern">
            Pattern: <code>{row.pattern}</code>
          </p>
        )}
        {row.oracle === null ? null : <p>{describeOracle(row.oracle)}</p>}
        {row.kind === "alike" ? null : (
          <p className="muted">The findings of their classes also count its trials.</p>
        )}
        <p>{describeReviews(row)}</p>
        <p className="muted">{describeBases(row)}</p>
        <div className="finding-actions">
          <ButtonLink href={trialsPageHref(null, filter)}>Open {formatPlural(nTrials, "trial")}</ButtonLink>
          <ReviewThese address={{ list: writeTrialsQuery(filter) }} nTrials={nTrials} />
          {row.clusterKey === null ? null : (
            <ButtonLink href={clusterHref(row.clusterKey)}>Cluster</ButtonLink>
          )}
          <ForAction action="dismissFindingAction">
            <DismissForm key={row.key} findingKey={row.key} base={row.base} title={nameFinding(row)} />
          </ForAction>
        </div>
        <DismissalHistory history={row.history} />
        {reviews.nOpen === 0 ? null : (
          <p className="caption">{formatCount(reviews.nOpen)} deferred or disputed.</p>
        )}
      </div>
    </div>
  );
}

function describeOracle({
  nOracle,
  nOracleFailed,
  nTried,
  nPassed,
}: NonNullable<FindingRow["oracle"]>): string {
  return `The example is of the oracle, which runs the task’s own solution. It failed ${formatCount(nOracleFailed)} of ${formatPlural(nOracle, "attempt")}. Agents passed ${formatCount(nPassed)} of ${formatCount(nTried)} at this version of the task, in all jobs.`;
}

function describeReviews({ reviews: { nPassed, nFailed }, nTrials }: FindingRow): string {
  const nJudged = nPassed + nFailed;
  if (nJudged === 0) return "None of these trials is judged yet.";
  return `Reviewers passed ${formatCount(nPassed)} of ${formatCount(nJudged)} judged trials, of ${formatCount(nTrials)}.`;
}

/** Upper ends of the scale that read well in points. */
const ENDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** Returns the smallest round upper end that covers the maximum win of each fix. */
function selectWinEnd(wins: readonly (ExpectedWin | Unavailable)[]): number {
  const most = Math.max(
    0,
    ...wins.map((win) => (win.kind === "computed" ? Math.max(win.most, win.high) : 0)),
  );
  return ENDS.find((end) => end >= most) ?? 1;
}

function WinPlot({
  win,
  most,
  end,
  width,
}: {
  win: ExpectedWin | Unavailable;
  most: number;
  end: number;
  width: number;
}) {
  const scale = { low: 0, high: end };
  const reach = percent(Math.min(1, placeOn(win.kind === "computed" ? win.most : most, scale)));
  return (
    <svg className="win-plot" width={width} height={20} role="img">
      <title>{describeWin(win)}</title>
      {win.kind === "unavailable" ? (
        <line className="win-unknown" x1="0%" x2={reach} y1={10} y2={10} />
      ) : (
        <>
          <rect className="win-most" x="0%" y={6} width={reach} height={8} />
          <StripMark
            interval={placeInterval({ value: win.expected, low: win.low, high: win.high }, scale)}
            group={PLAIN}
            y={10}
            size={7}
          />
        </>
      )}
    </svg>
  );
}
