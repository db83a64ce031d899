import { ChevronDown, ChevronRight } from "lucide-react";

import { AgentModelHeading } from "@/components/errors/agent-model-heading";
import { DataTable } from "@/components/ui/data-table";
import { IntervalScale } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import type { DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { formatCount, formatPlural, formatPoints } from "@/lib/core/format/number";
import { OWNER_WORDS } from "@/lib/core/format/words";
import { OWNER_OF } from "@/lib/core/triage/owners";
import { jobPageHref } from "@/lib/pages/job/address";
import { triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";

import { FindingDetail } from "./finding-detail";
import { FindingKeys } from "./finding-keys";
import { selectTrials } from "./select-trials";
import { describeWin, nameFinding, quoteEvidence } from "./triage-words";
import { selectWinEnd, WinPlot } from "./win-plot";

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
          {rest.most === null ? "" : `, at most ${formatPoints(rest.most)} points each`}. Filters find them.
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
          {formatCount(page.scope.nTrials)} finished trials that the filter chooses, of which a bar reaches
          what full rewards would add. Expected: these trials would score as attempts without the failure do,
          first the same agent’s at the task, else other agents’ at the task, else the agent’s other trials;
          where reviewers passed most of at least three that they judged, as many as they passed. Interval: 95
          %, Jeffreys’s for each of these, added up as independent; for the same tasks run again. Trials that
          did not end are in no mean, and unexplained ones may be anything.
        </p>
        <p>“only” an agent: others tried the same tasks at least as often, and none of them has it.</p>
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
    {
      id: "finding",
      header: "Finding and evidence",
      meta: { className: "finding-name", phone: "first" },
      cell: (row) => <FindingName row={row} params={params} isOpen={row.key === open} />,
    },
    {
      id: "owner",
      header: "Owner",
      meta: { room: "minor", phone: "second" },
      cell: ({ failureClass }) => OWNER_WORDS[OWNER_OF[failureClass]],
    },
    ...listAgentColumns(page),
    {
      id: "others",
      header: "Others",
      meta: { numeric: true, room: "minor" },
      isFilled: ({ nOthers }) => nOthers > 0,
      cell: ({ nOthers }) => <Count value={nOthers} />,
    },
    {
      id: "trials",
      header: "Trials",
      meta: { numeric: true, phone: "labelled" },
      cell: (row) => (
        <b>
          <Link
            href={jobPageHref(null, selectTrials(row, params, page))}
            title={`Open ${formatPlural(row.nTrials, "trial")}`}
            data-row-link=""
          >
            {formatCount(row.nTrials)}
          </Link>
        </b>
      ),
    },
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
    {
      id: "points",
      header: "Points",
      meta: { numeric: true, phone: "side" },
      cell: ({ win }) => (
        <span title={describeWin(win)}>
          {win.kind === "computed" ? (
            <b>{formatPoints(win.expected)}</b>
          ) : (
            <span className="muted">unknown</span>
          )}
        </span>
      ),
    },
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
