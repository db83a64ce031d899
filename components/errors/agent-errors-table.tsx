import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import type { ExceptionCause } from "@/lib/core/domain/exception-cause";
import { formatCount } from "@/lib/core/format/number";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { AgentErrors } from "@/lib/pages/errors/agents";

import { CAUSE_WORDS, describeRate, formatRate } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

const MOST_ROWS = 12;

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
  const end = selectRateEnd(shown.map(({ rate }) => rate));
  const hidden = agents.length - shown.length;
  return (
    <>
      <Table
        caption="Exceptions by agent and model"
        columns={[
          { id: "agent", label: "Agent and model" },
          { id: "trials", label: "Finished trials", numeric: true },
          { id: "errors", label: "With exception", numeric: true },
          { id: "rate", label: "%", numeric: true },
          { id: "interval", label: <RateScale end={end} width={208} /> },
          ...causes.map((cause) => ({
            id: `cause-${cause}`,
            label: CAUSE_WORDS[cause],
            numeric: true,
            minor: true,
          })),
        ]}
      >
        <tbody>
          {shown.map(({ agentModel, rate, causes: counts }) => (
            <tr key={agentModel.name}>
              <td>
                <Link
                  className="quiet"
                  href={errorsHref(params, { agents: [agentModel.name], open: null })}
                  title="Show this agent alone"
                >
                  <AgentName {...agentModel} />
                </Link>
              </td>
              <td className="numeric">{formatCount(agentModel.nTrials)}</td>
              <td className="numeric">
                <b>{formatCount(rate.kind === "computed" ? rate.count : 0)}</b>
              </td>
              <td className="numeric" title={describeRate(rate)}>
                {formatRate(rate)}
              </td>
              <td className="interval-cell">
                <RatePlot rate={rate} end={end} width={208} identity={agentModel.identity} />
              </td>
              {causes.map((cause) => (
                <td key={cause} className={counts.has(cause) ? "numeric minor" : "numeric minor zero"}>
                  {formatCount(counts.get(cause) ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {hidden === 0 ? null : (
        <p className="caption errors-note">
          {hidden === 1
            ? "1 agent with fewer exceptions is"
            : `${formatCount(hidden)} agents with fewer exceptions are`}{" "}
          not listed. Choose jobs or agents above to see them.
        </p>
      )}
    </>
  );
}
