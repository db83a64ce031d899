import Link from "next/link";

import { jobPageHref, jobTrialsHref, parseJobParams } from "@/app/jobs/[job]/search-params";
import { AgentName } from "@/components/ui/agent-name";
import { ExactNumber } from "@/components/ui/exact-number";
import { IntervalScale } from "@/components/ui/interval-plot";
import { Seal } from "@/components/ui/seal";
import { type Column, Table } from "@/components/ui/table";
import type { Outcome } from "@/lib/domain/trial";
import type { Figure } from "@/lib/domain/verification";
import { formatCost, formatReward, MISSING } from "@/lib/format/number";
import type { JobGroup, JobPage, MetricLine } from "@/lib/queries/job-page";

import { CountCell, formatBounds, IntervalCells } from "./group-cells";

import "./job-page.css";

/** Width of the interval plot in a table of few columns, and what each further column takes from it. */
const PLOT_WIDTH = 208;
const PLOT_WIDTH_MIN = 88;
const FEW_COLUMNS = 12;

/** More k than these do not fit beside the rest; the verification tab has them all. */
const MAX_KS = 4;

/** Outcomes in column order. `always` ones show in every job, the others when any group has one. */
const OUTCOME_COLUMNS: readonly {
  readonly outcome: Outcome;
  readonly label: string;
  readonly always: boolean;
}[] = [
  { outcome: "passed", label: "Passed", always: true },
  { outcome: "failed", label: "Failed", always: true },
  { outcome: "partial", label: "Partial", always: false },
  { outcome: "errored", label: "Error", always: true },
  { outcome: "timeout", label: "Timeout", always: true },
  { outcome: "cancelled", label: "Cancelled", always: false },
  { outcome: "running", label: "Running", always: false },
  { outcome: "missing", label: "Missing", always: false },
  { outcome: "unreadable", label: "Unreadable", always: false },
  { outcome: "unscored", label: "Unscored", always: false },
];

interface GroupsView {
  readonly jobKey: string;
  readonly ks: readonly string[];
  readonly outcomes: typeof OUTCOME_COLUMNS;
  readonly hasKeys: boolean;
  readonly plotWidth: number;
}

function prepareView(page: JobPage): GroupsView {
  const { groups } = page;
  const ks = page.ks.length <= MAX_KS ? page.ks : [...page.ks.slice(0, MAX_KS - 1), ...page.ks.slice(-1)];
  const outcomes = OUTCOME_COLUMNS.filter(
    ({ outcome, always }) => always || groups.some((group) => group.counts[outcome] > 0),
  );
  const hasKeys = groups.some((group) => group.metricLines.length > 1);
  const nColumns = 6 + (hasKeys ? 1 : 0) + (ks.length === 0 ? 0 : ks.length + 1) + outcomes.length;
  const plotWidth = Math.max(PLOT_WIDTH_MIN, PLOT_WIDTH - 36 * Math.max(0, nColumns - FEW_COLUMNS));
  return { jobKey: page.entry.job.key, ks, outcomes, hasKeys, plotWidth };
}

function listColumns({ ks, outcomes, hasKeys, plotWidth }: GroupsView): readonly Column[] {
  return [
    { id: "agent", label: "Agent and model" },
    ...(hasKeys ? [{ id: "key", label: "Reward key" }] : []),
    {
      id: "mean",
      label: hasKeys ? "Recorded" : "Mean reward",
      numeric: true,
      title: "As result.json records it",
    },
    { id: "width", label: "± 95 %", numeric: true, minor: true },
    { id: "interval", label: <IntervalScale width={plotWidth} />, minor: true },
    { id: "seal", label: "Recomputed" },
    ...ks.map((k) => ({ id: `k${k}`, label: `pass@${k}`, numeric: true, title: "Harbor's figure" })),
    ...(ks.length === 0 ? [] : [{ id: "pass-seal", label: "Recomputed" }]),
    ...outcomes.map(({ outcome, label }) => ({ id: outcome, label, numeric: true })),
    {
      id: "cost",
      label: "$ per pass",
      title: "Known cost of the group over its passed trials",
      numeric: true,
      minor: true,
    },
  ];
}

/** One row per evals group: recorded and recomputed metrics, Harbor's pass@k, counts. */
export function JobGroups({ page }: { page: JobPage }) {
  const view = prepareView(page);
  return (
    <>
      <Table caption="Evals groups of this job" columns={listColumns(view)}>
        <tbody>
          {page.groups.map((group) => (
            <GroupRows key={group.group.key} group={group} view={view} />
          ))}
        </tbody>
      </Table>
      <p className="caption table-note">{describeTable(page, view)}</p>
    </>
  );
}

function GroupRows({ group, view }: { group: JobGroup; view: GroupsView }) {
  const [first, ...others] = group.metricLines;
  const nBeforeKey = view.hasKeys ? 1 : 0;
  const nAfter = view.ks.length + (view.ks.length === 0 ? 0 : 1) + view.outcomes.length + 1;
  return (
    <>
      <tr className={others.length > 0 ? "continued" : undefined}>
        <td>
          <Link
            className="quiet"
            href={jobTrialsHref(view.jobKey, { groups: [group.group.key] })}
            data-row-link=""
            prefetch={false}
            title={`Trials of ${group.group.key}`}
          >
            <AgentName identity={group.identity} agent={group.group.agent} model={group.group.model} />
          </Link>
        </td>
        <LineCells line={first ?? null} group={group} view={view} />
        <PassCells group={group} view={view} />
        {view.outcomes.map(({ outcome }) => (
          <CountCell
            key={outcome}
            count={group.counts[outcome]}
            href={jobTrialsHref(view.jobKey, { groups: [group.group.key], outcomes: [outcome] })}
          />
        ))}
        <td
          className={group.costPerPass === null ? "numeric minor unknown" : "numeric minor"}
          title={`${group.nWithCost} of ${group.nAll} trials report a cost`}
        >
          {formatCost(group.costPerPass)}
        </td>
      </tr>
      {others.map((line, index) => (
        <tr key={line.figure.path} className={index === others.length - 1 ? undefined : "continued"}>
          <td />
          {nBeforeKey === 0 ? null : <LineCells line={line} group={group} view={view} />}
          <td colSpan={nAfter} />
        </tr>
      ))}
    </>
  );
}

function LineCells({ line, group, view }: { line: MetricLine | null; group: JobGroup; view: GroupsView }) {
  const isHeadline =
    line !== null && (line.rewardKey === null ? line.metric : line.rewardKey) === group.headline?.key;
  const figure = line?.figure ?? null;
  return (
    <>
      {view.hasKeys ? (
        <td>
          {line?.rewardKey ?? line?.metric ?? MISSING}
          {line !== null && line.rewardKey !== null && line.metric !== "mean" ? (
            <span className="muted"> {line.metric}</span>
          ) : null}
        </td>
      ) : null}
      <FigureCell figure={figure} />
      {isHeadline && line.metric === "mean" ? (
        <IntervalCells summary={group} identity={group.identity} width={view.plotWidth} />
      ) : (
        <>
          <td className="numeric unknown minor">{isHeadline || line === null ? MISSING : ""}</td>
          <td className="minor" />
        </>
      )}
      <SealCell figure={figure} view={view} />
    </>
  );
}

/** The recorded number, or a dash where result.json states none. */
function FigureCell({ figure }: { figure: Figure | null }) {
  const exact = figure?.recorded ?? null;
  if (exact === null) return <td className="numeric unknown">{MISSING}</td>;
  return (
    <td className="numeric">
      <ExactNumber shown={formatFigure(exact)} exact={exact} />
    </td>
  );
}

/** Whether the recorded number follows from the trials; the recomputed one stands beside it unless it is the same. */
function SealCell({ figure, view }: { figure: Figure | null; view: GroupsView }) {
  if (figure === null) return <td className="unknown">{MISSING}</td>;
  const verification = parseJobParams({ tab: "verification" });
  return (
    <td>
      <span className="job-recomputed">
        <Link
          className="quiet"
          href={jobPageHref(view.jobKey, verification, { figure: figure.path })}
          prefetch={false}
          title={figure.reason ?? "The same bits, computed again from the trials"}
        >
          <Seal seal={figure.verdict} ulps={figure.ulps} />
        </Link>
        {figure.verdict === "exact" || figure.recomputed === null ? null : (
          <ExactNumber shown={formatFigure(figure.recomputed)} exact={figure.recomputed} />
        )}
      </span>
    </td>
  );
}

function PassCells({ group, view }: { group: JobGroup; view: GroupsView }) {
  if (view.ks.length === 0) return null;
  const verification = parseJobParams({ tab: "verification" });
  return (
    <>
      {view.ks.map((k) => (
        <FigureCell key={k} figure={group.passAtK.get(k) ?? null} />
      ))}
      <td>
        {group.passAtK.size === 0 ? (
          <span className="unknown" title={explainIneligible(group)}>
            {MISSING}
          </span>
        ) : (
          <Link
            className="quiet"
            href={jobPageHref(view.jobKey, verification, { kinds: ["pass-at-k"], groups: [group.group.key] })}
            prefetch={false}
          >
            <Seal seal={group.passSeal} />
          </Link>
        )}
      </td>
    </>
  );
}

function explainIneligible({ group }: JobGroup): string {
  switch (group.passAtKIneligible) {
    case "several-reward-keys":
      return "No pass@k: Harbor computes it for a single reward key only";
    case "reward-not-0-or-1":
      return "No pass@k: Harbor computes it for rewards of 0 or 1 only";
    case "one-attempt":
      return "No pass@k: some task has a single attempt";
    case "no-trials":
      return "No pass@k: no trial has a result here";
    case null:
      return "No pass@k";
  }
}

/** Python's text of a number, shortened to three decimals; other text stays. */
export function formatFigure(text: string): string {
  const value = text === "NaN" ? NaN : Number(text);
  if (Number.isNaN(value) && text !== "NaN") return text;
  return Number.isInteger(value) && !text.includes(".") ? text : formatReward(value);
}

function describeTable({ groups, ks, attempts }: JobPage, view: GroupsView): string {
  const left = OUTCOME_COLUMNS.filter((column) => !view.outcomes.includes(column)).map(({ label }) =>
    label.toLowerCase(),
  );
  const bounds = groups.map((group) => formatBounds(null) === MISSING && group.interval.kind === "computed");
  const parts = [
    bounds.includes(true)
      ? "Interval: 95 %, t, tasks as clusters, all attempts at a task count as one; a missing reward counts 0, as Harbor scores it."
      : "",
    ks.length > 0
      ? `pass@k is Harbor's figure (rewards of 0 or 1${view.ks.length < ks.length ? `; ${ks.length - view.ks.length} more k under Verification` : ""}).`
      : attempts?.max === 1
        ? "No pass@k: one attempt a task."
        : "",
    left.length > 0 ? `No trial is ${left.join(", ").replace(/, ([^,]*)$/, " or $1")}.` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
