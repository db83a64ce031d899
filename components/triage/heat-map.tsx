import { Methods } from "@/components/ui/methods";
import { Table } from "@/components/ui/table";
import { formatCount, formatDifferenceRange, formatPlural, formatPoints } from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import {
  CLASSES,
  listClasses,
  nameHeading,
  type Owner,
  OWNER_WORDS,
  OWNERS,
} from "@/lib/core/triage/classes";
import type { TriageParams } from "@/lib/pages/triage/address";
import type { HeatRow } from "@/lib/pages/triage/heat";
import type { TriagePage } from "@/lib/pages/triage/page";

import { type HeatLine, HeatRows } from "./heat-rows";
import { selectRow } from "./select-trials";

/** Share of a row's trials that gets the darkest shade. */
const FULL = { agent: 0.25, task: 1 } as const;

export function HeatMapTable({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { heat } = page;
  const { classes } = heat;
  const drawn = { classes, params };
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
            label: capitalise(nameHeading(failureClass)),
            title: CLASSES[failureClass].words,
            numeric: true,
          })),
        ]}
      >
        <tbody>
          <tr className="group-row">
            <th scope="rowgroup" colSpan={classes.length + 2}>
              Agents{" "}
              <span className="muted">
                trials; with the difference in points from other agents at the same tasks if its interval
                excludes 0
              </span>
            </th>
          </tr>
          <HeatRows
            lines={heat.agents.map((row) => toLine(row, page, params))}
            full={FULL.agent}
            {...drawn}
          />
          {heat.nOtherAgents > 0 ? (
            <tr>
              <td colSpan={classes.length + 2} className="muted">
                {formatPlural(heat.nOtherAgents, "more agent")}, in the sums below
              </td>
            </tr>
          ) : null}
          <tr className="group-row">
            <th scope="rowgroup" colSpan={classes.length + 2}>
              Tasks <span className="muted">{formatCount(heat.tasks.length)} with most failures</span>
            </th>
          </tr>
          <HeatRows lines={heat.tasks.map((row) => toLine(row, page, params))} full={FULL.task} {...drawn} />
          {heat.nOtherTasks > 0
            ? sum(formatPlural(heat.nOtherTasks, "other task"), heat.otherTasks, false)
            : null}
          {sum("All", heat.all, true)}
        </tbody>
      </Table>
      <Methods>
        <p>
          Shade: the share of the row’s finished trials, darkest from {FULL.agent * 100} % for agents and 100
          % for tasks. Difference: the agent’s share minus that of all others at the same task, each task with
          the same weight; interval 95 % for {formatPlural(heat.nComparisons, "difference")} jointly
          (Bonferroni), for new tasks.
        </p>
        <p>{OWNERS.map(describeOwner).join(". ")}.</p>
      </Methods>
    </>
  );
}

function describeOwner(owner: Owner): string {
  const classes = listClasses({ owner }).map((one) => CLASSES[one].words);
  return `${OWNER_WORDS[owner]}: ${classes.join(", ")}`;
}

function toLine(row: HeatRow, page: TriagePage, params: TriageParams): HeatLine {
  const { agentModel, taskName, nFailures, nTrials, cells } = row;
  return {
    ...{ agentModel, taskName, nFailures, nTrials },
    trials: selectRow(row, params, page),
    counts: cells.map(({ n }) => n),
    differences: cells.map(({ n, difference }) => {
      if (n === 0 || difference === null) return null;
      const { low, high } = difference.bounds;
      const points = formatPoints(difference.difference);
      const said = `${points} points against the others [${formatDifferenceRange(difference.bounds, true)}]`;
      return { said, clear: low > 0 || high < 0 ? points : null };
    }),
  };
}
