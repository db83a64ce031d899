import { ChevronDown, ChevronRight } from "lucide-react";

import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { AgentModel, ErrorRow, ErrorsPage, JobSpread } from "@/lib/pages/errors/page";
import { jobTrialsHref } from "@/lib/pages/job/address";

import { AgentModelHeading } from "./agent-model-heading";
import { describeRate, formatRate } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

/** Width of a rate plot in pixels: at 1024 px all but the minor columns fit. */
const PLOT_WIDTH = 108;

function rewardColumn(
  id: keyof ErrorRow["rewards"],
  header: string,
  meta: DataColumn<ErrorRow>["meta"] = {},
): DataColumn<ErrorRow> {
  return {
    id,
    header,
    meta: { numeric: true, ...meta },
    cell: ({ rewards }) => <Count value={rewards[id]} />,
  };
}

export function listErrorColumns(
  { rows, scope, columns }: ErrorsPage,
  params: ErrorsParams,
  open: string | null,
): readonly DataColumn<ErrorRow>[] {
  const end = selectRateEnd(rows.map(({ rate }) => rate));
  return [
    {
      id: "type",
      header: "Exception",
      meta: { phone: "first" },
      cell: (row) => <TypeLink row={row} params={params} isOpen={row.type === open} />,
    },
    ...columns.map((agentModel, at) => agentColumn(agentModel, at, scope.agentModels)),
    {
      id: "others",
      header: "Others",
      meta: { numeric: true, title: "Agents without their own column" },
      isFilled: ({ nOthers }) => nOthers > 0,
      cell: ({ nOthers }) => <Count value={nOthers} />,
    },
    {
      id: "trials",
      header: "Trials",
      meta: { numeric: true, sort: "trials", phone: "score" },
      cell: ({ spread, nTrials, type }) => (
        <b>
          <TrialsLink spread={spread} count={nTrials} type={type} agents={[]} />
        </b>
      ),
    },
    {
      id: "rate",
      header: `% of ${formatCount(scope.nTrials)}`,
      meta: { numeric: true, phone: "labelled" },
      cell: ({ rate }) => <span title={describeRate(rate)}>{formatRate(rate)}</span>,
    },
    {
      id: "interval",
      header: <RateScale end={end} width={PLOT_WIDTH} />,
      meta: { className: "interval-cell" },
      cell: ({ rate }) => <RatePlot rate={rate} end={end} width={PLOT_WIDTH} />,
    },
    rewardColumn("none", "No reward", { room: "minor" }),
    rewardColumn("zero", "Reward 0"),
    rewardColumn("partial", "Partial", {
      room: "minor",
      title: "Between 0 and 1, or several keys without a headline",
    }),
    rewardColumn("one", "Reward 1", { phone: "labelled" }),
  ];
}

function agentColumn(agentModel: AgentModel, at: number, all: readonly AgentModel[]): DataColumn<ErrorRow> {
  return {
    id: `agent ${agentModel.name}`,
    header: <AgentModelHeading agentModel={agentModel} all={all} />,
    meta: { numeric: true },
    cell: ({ counts, type }) => {
      const own = counts[at];
      if (own === undefined) return null;
      return (
        <span title={describeRate(own.rate)}>
          <TrialsLink spread={own.spread} count={own.count} type={type} agents={[agentModel.agent]} />
        </span>
      );
    },
  };
}

function TypeLink({ row, params, isOpen }: { row: ErrorRow; params: ErrorsParams; isOpen: boolean }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Link
      className="error-type"
      href={errorsHref(params, { open: isOpen ? null : row.type })}
      mode="replace"
      aria-expanded={isOpen}
      data-row-link=""
    >
      <Chevron size={14} aria-hidden />
      <Mark status={row.mark} />
      <code>{row.type}</code>
    </Link>
  );
}

function TrialsLink({
  spread,
  count,
  type,
  agents,
}: {
  spread: JobSpread;
  count: number;
  type: string;
  agents: readonly string[];
}) {
  const only = spread.nJobs === 1 ? spread.jobs[0] : undefined;
  if (only === undefined) return <Count value={count} />;
  return (
    <Count
      value={count}
      href={jobTrialsHref(only.jobKey, { exceptions: [type], agents })}
      title={`Open ${formatPlural(count, "trial")} in ${only.jobName}`}
    />
  );
}
