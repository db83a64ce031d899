import { jobPageHref, type JobParams, jobTrialsHref } from "@/lib/addresses/job";
import { AgentName } from "@/components/ui/agent-name";
import { Methods } from "@/components/ui/methods";
import { PartPager } from "@/components/ui/pager";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { MOST_SHOWN_GROUPS } from "@/lib/domain/job-filter";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import { countAbsentTrials } from "@/lib/domain/job";
import type { Outcome } from "@/lib/domain/trial";
import { formatCount, formatCost, MISSING } from "@/lib/format/number";
import type { JobGroup, JobPage, MetricLine } from "@/lib/queries/job/page";

import { CountCell, selectBounds } from "./group-cells";
import { SettingsSwitch, SettingsWords } from "./group-settings";
import { IntervalHeading } from "@/components/ui/interval-plot";
import { LineCells, type LinesView, PassCells } from "./group-lines";

import "../job-page.css";

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

interface GroupsView extends LinesView {
  readonly params: JobParams;
  readonly outcomes: typeof OUTCOME_COLUMNS;
  /** Lines of one group, all of its keys included. */
  readonly mostLines: number;
  readonly mostLineBytes: number;
}

function prepareView(page: JobPage, params: JobParams): GroupsView {
  const { groups } = page;
  const ks = page.ks.length <= MAX_KS ? page.ks : [...page.ks.slice(0, MAX_KS - 1), ...page.ks.slice(-1)];
  const outcomes = OUTCOME_COLUMNS.filter(
    ({ outcome, always }) => always || groups.some((group) => group.counts[outcome] > 0),
  );
  const hasKeys = groups.some(
    ({ metricLines }) => metricLines.length > 1 || metricLines.some((line) => line.metric !== "mean"),
  );
  const nColumns = 6 + (hasKeys ? 1 : 0) + (ks.length === 0 ? 0 : ks.length + 1) + outcomes.length;
  const plotWidth = Math.max(PLOT_WIDTH_MIN, PLOT_WIDTH - 36 * Math.max(0, nColumns - FEW_COLUMNS));
  const mostLines = Math.max(MAX_LINES, Math.floor(MOST_TABLE_LINES / page.shown.groups.length));
  const mostLineBytes = MAX_LINES_BYTES / page.shown.groups.length;
  return { jobKey: page.entry.job.key, params, ks, outcomes, hasKeys, plotWidth, mostLines, mostLineBytes };
}

function listColumns({ ks, outcomes, hasKeys, plotWidth }: GroupsView): readonly Column[] {
  return [
    { id: "agent", label: "Agent and model" },
    ...(hasKeys ? [{ id: "key", label: "Reward key or metric" }] : []),
    {
      id: "mean",
      label: hasKeys ? "Recorded" : "Mean reward",
      numeric: true,
      title: "As recorded in result.json",
    },
    { id: "range", label: "95 % interval", numeric: true, minor: true },
    { id: "interval", label: <IntervalHeading width={plotWidth} />, minor: true },
    { id: "check", label: "Check" },
    ...ks.map((k) => ({ id: `k${k}`, label: `pass@${k}`, numeric: true, title: "Harbor's figure" })),
    ...(ks.length === 0 ? [] : [{ id: "pass-check", label: "Check" }]),
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
export function JobGroups({ page, params }: { page: JobPage; params: JobParams }) {
  const view = prepareView(page, params);
  return (
    <>
      <Table caption="Evals groups of this job" columns={listColumns(view)}>
        <tbody>
          {page.shown.groups.map((group) => (
            <GroupRows key={group.group.key} group={group} view={view} />
          ))}
        </tbody>
      </Table>
      <PartPager
        part={page.shown.part}
        size={MOST_SHOWN_GROUPS}
        noun="group"
        label="Pages of the groups"
        hrefOf={(groupsFrom) => jobPageHref(page.entry.job.key, params, { groupsFrom, page: params.page })}
      />
      <SettingsSwitch page={page} params={params} />
      <p className="caption table-note">{describeTable(page, view)}</p>
      {page.groups.some((group) => selectBounds(group) !== null) ? (
        <Methods>
          <p>
            Interval: 95 %, t (Wilson where few pass or fail), with tasks as clusters: all attempts at a task
            count as one. {MISSING_RULES[page.entry.job.kind === "ledger" ? "ledger" : "harbor"]}
          </p>
        </Methods>
      ) : null}
    </>
  );
}

function GroupRows({ group, view }: { group: JobGroup; view: GroupsView }) {
  const { lines, nFolded } = foldLines(group.metricLines, view);
  const [first, ...others] = lines;
  const canFold = group.metricLines.length > MAX_LINES;
  const nBeforeKey = view.hasKeys ? 1 : 0;
  const nAfter = view.ks.length + (view.ks.length === 0 ? 0 : 1) + view.outcomes.length + 1;
  return (
    <>
      <tr className={others.length > 0 || canFold ? "continued" : undefined}>
        <td>
          <Link
            className="quiet"
            href={jobTrialsHref(view.jobKey, { groups: [group.group.key], isDivided: view.params.isDivided })}
            data-row-link=""
            title={`Trials of ${group.group.key}`}
          >
            <AgentName identity={group.identity} agent={group.group.agent} model={group.group.model} />
          </Link>
          <SettingsWords group={group} />
        </td>
        <LineCells line={first ?? null} group={group} view={view} />
        <PassCells group={group} view={view} />
        {view.outcomes.map(({ outcome }) =>
          group.nTrials === 0 ? (
            <td key={outcome} className="numeric unknown" title="No trial of this group is here">
              {MISSING}
            </td>
          ) : (
            <CountCell
              key={outcome}
              count={group.counts[outcome]}
              href={jobTrialsHref(view.jobKey, {
                groups: [group.group.key],
                outcomes: [outcome],
                isDivided: view.params.isDivided,
              })}
            />
          ),
        )}
        <td
          className={group.costPerPass === null ? "numeric minor unknown" : "numeric minor"}
          title={`${group.nWithCost} of ${group.nTrials} trials report a cost`}
        >
          {formatCost(group.costPerPass)}
        </td>
      </tr>
      {others.map((line, index) => (
        <tr
          key={line.figure.path}
          className={index === others.length - 1 && !canFold ? undefined : "continued"}
        >
          <td />
          {nBeforeKey === 0 ? null : <LineCells line={line} group={group} view={view} />}
          <td colSpan={nAfter} />
        </tr>
      ))}
      {canFold ? (
        <tr>
          <td />
          <td colSpan={nAfter + 5}>
            <Link
              href={jobPageHref(view.jobKey, view.params, {
                allKeys: !view.params.allKeys,
                page: view.params.page,
              })}
              mode="replace"
            >
              {view.params.allKeys ? "Fewer keys" : `${nFolded} more keys`}
            </Link>
            {view.params.allKeys && nFolded > 0 ? ` ${formatCount(nFolded)} more under Score check` : ""}
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** A group with more metric lines than this shows its headline and whatever is off. */
const MAX_LINES = 3;
/** Lines of all groups together, their bytes, and of one beside its names; the tab that checks the figures has pages of them. */
const MOST_TABLE_LINES = 600;
const MAX_LINES_BYTES = 700_000;
const LINE_BYTES = 1_000;

function foldLines(
  all: readonly MetricLine[],
  { params, jobKey, mostLines, mostLineBytes }: GroupsView,
): { readonly lines: readonly MetricLine[]; readonly nFolded: number } {
  const cut = (wanted: readonly MetricLine[]) => {
    const lines = takeFitting(
      wanted.slice(0, mostLines),
      mostLineBytes,
      ({ rewardKey, figure }) =>
        LINE_BYTES +
        countPageBytes(rewardKey ?? "") +
        countAddressBytes(figure.path) +
        countAddressBytes(jobKey),
    );
    return { lines, nFolded: all.length - lines.length };
  };
  if (params.allKeys || all.length <= MAX_LINES) return cut(all);
  const isQuiet = ({ figure }: MetricLine) => figure.verdict === "exact" || figure.verdict === "not-recorded";
  return cut(all.filter((line, index) => index === 0 || !isQuiet(line)));
}

/** What becomes of a trial without a reward, in the mean and in its interval. */
const MISSING_RULES = {
  harbor: "A missing reward counts as 0, as in Harbor.",
  ledger: "Trials without an evaluation are excluded, as in the ledger's own reports.",
} as const;

function describeTable(page: JobPage, view: GroupsView): string {
  const { groups, ks } = page;
  const { attempts } = page.entry;
  const areAllHere = countAbsentTrials(page.entry.job.planned, page.entry.nTrials) === 0;
  const left = OUTCOME_COLUMNS.filter(
    (column) => !view.outcomes.includes(column) && (areAllHere || column.outcome !== "missing"),
  ).map(({ label }) => label.toLowerCase());
  const parts = [
    ks.length > 0
      ? `pass@k is Harbor's figure (rewards of 0 or 1${view.ks.length < ks.length ? `; ${ks.length - view.ks.length} more k under Score check` : ""}).`
      : attempts?.max === 1
        ? "No pass@k: one attempt per task."
        : "",
    left.length > 0 && groups.some((group) => group.nTrials > 0)
      ? `No trial is ${left.join(", ").replace(/, ([^,]*)$/, " or $1")}.`
      : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
