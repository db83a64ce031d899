import { AgentName } from "@/components/ui/agent-name";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Table } from "@/components/ui/table";
import { jobPageHref } from "@/lib/addresses/job";
import { type TriageParams, triageHref } from "@/lib/addresses/triage";
import { formatCount, formatDifferenceRange, formatPlural, formatPoints } from "@/lib/format/number";
import { capitalise, FAILURE_WORDS } from "@/lib/format/words";
import type { HeatCell, HeatRow } from "@/lib/queries/triage/heat";
import type { TriagePage } from "@/lib/queries/triage/page";

import { OwnerMeanings } from "./outcomes-table";
import { selectCell } from "./select-trials";
import { CLASS_HEADINGS } from "./triage-words";

/** The darkest shade, in per cent of ink, and the share of a row's trials that has it. */
const DARKEST = 34;
const FULL = { agent: 0.25, task: 1 } as const;

/** Classes of failures by agent, then by the tasks with most failures. */
export function HeatMapTable({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { heat } = page;
  const { classes } = heat;
  const sum = (label: string, row: HeatRow, isAll: boolean) => (
    <tr className={isAll ? "total-row" : undefined}>
      <td>{isAll ? <b>{label}</b> : label}</td>
      <td className="numeric">{formatCount(row.nFailures)}</td>
      {row.cells.map(({ failureClass, n }) => (
        <td key={failureClass} className="numeric heat-sum">
          {formatCount(n)}
        </td>
      ))}
    </tr>
  );
  return (
    <>
      <Table
        caption="Classes of failures by agent and task"
        className="heat-map"
        columns={[
          { id: "name", label: "Agent or task" },
          { id: "lost", label: "Not passed", numeric: true },
          ...classes.map((failureClass) => ({
            id: failureClass,
            label: capitalise(CLASS_HEADINGS[failureClass]),
            title: FAILURE_WORDS[failureClass],
            numeric: true,
          })),
        ]}
      >
        <tbody>
          <tr className="group-row">
            <td colSpan={classes.length + 2}>
              Agents{" "}
              <span className="muted">
                trials; with points beside the other agents at the same tasks where the interval leaves out 0
              </span>
            </td>
          </tr>
          {heat.agents.map((row) => (
            <HeatRowCells key={row.agentModel?.name} row={row} page={page} params={params} />
          ))}
          {heat.nOtherAgents > 0 ? (
            <tr>
              <td colSpan={classes.length + 2} className="muted">
                {formatPlural(heat.nOtherAgents, "more agent")}, in the sums below
              </td>
            </tr>
          ) : null}
          <tr className="group-row">
            <td colSpan={classes.length + 2}>
              Tasks <span className="muted">{formatCount(heat.tasks.length)} with most failures</span>
            </td>
          </tr>
          {heat.tasks.map((row) => (
            <HeatRowCells key={row.taskName} row={row} page={page} params={params} />
          ))}
          {heat.nOtherTasks > 0
            ? sum(formatPlural(heat.nOtherTasks, "other task"), heat.otherTasks, false)
            : null}
          {sum("All", heat.all, true)}
        </tbody>
      </Table>
      <Methods>
        <p>
          Shade: the share of the row’s finished trials, darkest from {FULL.agent * 100} % for agents and from
          all of them for tasks. Difference: the agent’s share less that of all others at the same task, each
          task weighing the same; interval 95 % for {formatPlural(heat.nComparisons, "difference")} together
          (Bonferroni), for new tasks.
        </p>
        <OwnerMeanings words={FAILURE_WORDS} />
      </Methods>
    </>
  );
}

function HeatRowCells({ row, page, params }: { row: HeatRow; page: TriagePage; params: TriageParams }) {
  const { agentModel, taskName, nFailures, nTrials } = row;
  const full = agentModel === null ? FULL.task : FULL.agent;
  return (
    <tr>
      <td className="name">
        {agentModel === null ? (
          <Link href={triageHref(params, { tasks: [taskName ?? ""], open: null })} className="quiet">
            {taskName}
          </Link>
        ) : (
          <Link href={triageHref(params, { agents: [agentModel.name], open: null })} className="quiet">
            <AgentName {...agentModel} />
          </Link>
        )}
      </td>
      <td className="numeric nowrap">
        <b>{formatCount(nFailures)}</b> <span className="muted">of {formatCount(nTrials)}</span>
      </td>
      {row.cells.map((cell) => (
        <td
          key={cell.failureClass}
          className="numeric heat-cell"
          style={{ backgroundColor: shade(cell.n / Math.max(1, nTrials) / full) }}
        >
          <CellCount cell={cell} row={row} page={page} params={params} />
        </td>
      ))}
    </tr>
  );
}

function shade(share: number): string | undefined {
  if (share <= 0) return undefined;
  const ink = Math.max(2, Math.round(Math.min(1, share) * DARKEST));
  return `color-mix(in srgb, var(--ink) ${ink}%, var(--paper))`;
}

function CellCount({
  cell: { failureClass, n, difference },
  row,
  page,
  params,
}: {
  cell: HeatCell;
  row: HeatRow;
  page: TriagePage;
  params: TriageParams;
}) {
  if (n === 0) return <span className="muted">0</span>;
  const isClear = difference !== null && (difference.bounds.low > 0 || difference.bounds.high < 0);
  const said =
    difference === null
      ? ""
      : `, ${formatPoints(difference.difference)} points beside the others [${formatDifferenceRange(difference.bounds, true)}]`;
  return (
    <Link
      href={jobPageHref(null, selectCell(row, failureClass, params, page))}
      title={`${row.agentModel?.name ?? row.taskName ?? ""}, ${FAILURE_WORDS[failureClass]}: ${formatPlural(n, "trial")}${said}`}
    >
      {formatCount(n)}
      {isClear ? <small>{formatPoints(difference.difference)}</small> : null}
    </Link>
  );
}
