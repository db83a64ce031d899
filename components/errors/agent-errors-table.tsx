import { AgentName } from "@/components/ui/agent-name";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import { formatCount } from "@/lib/core/format/number";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { AgentErrors } from "@/lib/pages/errors/agents";

import { CAUSE_WORDS, describeRate, formatRate } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

const MOST_ROWS = 12;
const PLOT_WIDTH = 208;

export function AgentErrorsTable({
  agents,
  causes,
  params,
}: {
  agents: readonly AgentErrors[];
  causes: readonly ExceptionCause[];
  params: ErrorsParams;
}) {
  const shown = agents.slice(0, MOST_ROWS);
  const hidden = agents.length - shown.length;
  return (
    <>
      <DataTable
        caption="Exceptions by agent and model"
        columns={listColumns(causes, params, selectRateEnd(shown.map(({ rate }) => rate)))}
        rows={shown}
        rowKey={({ agentModel }) => agentModel.name}
      />
      {hidden === 0 ? null : (
        <p className="caption errors-note">
          {hidden === 1
            ? "1 agent with fewer exceptions is"
            : `${formatCount(hidden)} agents with fewer exceptions are`}{" "}
          not listed. Filter by job or agent to see them.
        </p>
      )}
    </>
  );
}

function listColumns(
  causes: readonly ExceptionCause[],
  params: ErrorsParams,
  end: number,
): readonly DataColumn<AgentErrors>[] {
  return [
    column("Agent and model", ({ agentModel }) => (
      <Link
        className="quiet"
        href={errorsHref(params, { agents: [agentModel.name], open: null })}
        title="Show this agent alone"
      >
        <AgentName {...agentModel} />
      </Link>
    )),
    column("Finished trials", ({ agentModel }) => formatCount(agentModel.nTrials), { numeric: true }),
    column("With exception", ({ rate }) => <b>{formatCount(rate.kind === "computed" ? rate.count : 0)}</b>, {
      numeric: true,
    }),
    column(
      "%",
      ({ rate }) => formatRate(rate),
      { numeric: true },
      ({ rate }) => ({ title: describeRate(rate) }),
    ),
    {
      id: "interval",
      header: <RateScale end={end} width={PLOT_WIDTH} />,
      meta: { className: "interval-cell" },
      cell: ({ agentModel, rate }) => (
        <RatePlot rate={rate} end={end} width={PLOT_WIDTH} identity={agentModel.identity} />
      ),
    },
    ...causes.map((cause) =>
      column<AgentErrors>(
        CAUSE_WORDS[cause],
        ({ causes: counts }) => <Count value={counts.get(cause) ?? 0} />,
        {
          numeric: true,
          room: "minor",
        },
      ),
    ),
  ];
}
