import type { ReactNode } from "react";

import { describeRate } from "@/components/errors/rates";
import { FAILURES } from "@/components/shell/places";
import { ButtonLink } from "@/components/ui/button";
import { FacetMenu } from "@/components/ui/facet-menu";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Methods } from "@/components/ui/methods";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { Segment } from "@/components/ui/segment";
import { Tabs } from "@/components/ui/tabs";
import { listNames } from "@/lib/core/format/list-names";
import {
  formatPlural,
  formatCount,
  formatDifferenceRange,
  formatPercent,
  formatPoints,
  MISSING,
} from "@/lib/core/format/number";
import { capitalise } from "@/lib/core/format/words";
import {
  CLASSES,
  FAILURE_CLASSES,
  listClasses,
  type Owner,
  OWNER_WORDS,
  OWNERS,
} from "@/lib/core/triage/classes";
import { errorsHref } from "@/lib/pages/errors/address";
import { scannersHref } from "@/lib/pages/errors/address";
import { triageHref, type TriageParams, REVIEWED, type HeatRows } from "@/lib/pages/triage/address";
import type { HeatMap as Map, HeatRow } from "@/lib/pages/triage/heat";
import type { TriagePage } from "@/lib/pages/triage/page";

import { FilterChips } from "../ui/filter-bar";
import { type HeatLine, HeatMap } from "./heat-map";
import { selectRow } from "./select-trials";
import { dropBenchmark, HEADINGS } from "./triage-words";
import { countWho, listWho, type Who } from "./who-strip";

import "./triage.css";

type FailuresTab = "causes" | "agent" | "task" | "exceptions" | "scanners";

interface FailuresHeadProps {
  readonly tab: FailuresTab;
  readonly params: Partial<TriageParams>;
  readonly counts?: Partial<Record<FailuresTab, number>>;
  readonly children?: ReactNode;
}

export function FailuresHead({ tab, params, counts = {}, children }: FailuresHeadProps) {
  const { jobs = [], agents = [] } = params;
  const tabs = [
    ["causes", "Causes", triageHref(params, { view: "causes" })],
    ["agent", "By agent", triageHref(params, { view: "agent" })],
    ["task", "By task", triageHref(params, { view: "task" })],
    ["exceptions", "Exceptions", errorsHref({ jobs, agents })],
    ["scanners", "Scanners", scannersHref()],
  ] as const;
  return (
    <PageTitle
      title={FAILURES.label}
      tabs={
        <Tabs
          label="Failures"
          current={tab}
          tabs={tabs.map(([id, label, href]) => ({ id, label, href, count: counts[id] ?? null }))}
        />
      }
      actions={children}
    />
  );
}

export function BenchmarkMenu({ page, params }: { page: TriagePage; params: TriageParams }) {
  return (
    <FacetMenu
      label="Benchmark"
      options={page.facets.datasets.map(({ id, label, count }) => ({
        value: id,
        label,
        count,
        selected: params.datasets.includes(id),
        href: triageHref(params, { datasets: [id], open: null }),
      }))}
    />
  );
}

export function FailuresAnswer({ answer, children }: { answer: ReactNode; children?: ReactNode }) {
  return (
    <p className="failures-answer">
      <b>{answer}</b> <span className="muted">{children}</span>
    </p>
  );
}

export function TriageFilters({ page, params }: { page: TriagePage; params: TriageParams }) {
  const { scope, facets } = page;
  const names = new Map(facets.jobs.map(({ key, name }) => [key, name]));
  const jobs = facets.jobs.map(({ key, count }) => ({ value: key, count }));
  const { tasks, classes, reviewed, text } = params;
  const isFiltered = [params.jobs, params.agents, tasks, classes, reviewed, text].some(
    ({ length }) => length > 0,
  );
  const facet = facetsOf(params, (change) => triageHref(params, { ...change, open: null }));
  return (
    <details className="failures-filter" open={isFiltered}>
      <summary className="button button-plain">Filter</summary>
      <FilterBar count={formatPlural(scope.failures.length, "trial")}>
        <FilterText label="Find in evidence" resets={["open"]} />
        {facet("Job", "jobs", jobs, (key) => names.get(key))}
        {facet("Agent", "agents", facets.agents)}
        {facet("Class", "classes", listClassCounts(page, params), (value) =>
          capitalise(CLASSES[value].words),
        )}
        {facet(
          "Reviewed",
          "reviewed",
          REVIEWED.map((value) => ({ value, count: null })),
          (value) => (value === "yes" ? "Judged" : "Not judged"),
        )}
        <FilterChips
          chips={tasks.map((task) => ({
            words: task,
            href: triageHref(params, { tasks: tasks.filter((one) => one !== task), open: null }),
          }))}
        />
      </FilterBar>
    </details>
  );
}

function listClassCounts({ scope }: TriagePage, { classes }: TriageParams) {
  return FAILURE_CLASSES.flatMap((value) => {
    const count = scope.classes.get(value) ?? 0;
    return count > 0 || classes.includes(value) ? [{ value, count }] : [];
  });
}

const FILTERS: readonly Filter<TriageParams>[] = [
  ["Text", { text: "" }],
  ["Class", { classes: [] }],
  ["Reviewed", { reviewed: [] }],
  ["Task", { tasks: [] }],
  ["Agent", { agents: [] }],
  ["Job", { jobs: [] }],
];

export function NoFailures({ page, ...list }: Filtered<TriageParams> & { page: TriagePage }) {
  const { params } = list;
  const { scope, facets } = page;
  const { all, nUnclassified, nReference, nLeftOut, nTrials } = scope;
  if (all.length === 0 && nUnclassified === 0 && nReference > 0)
    return (
      <Notice
        title="Only oracle and nop did not pass"
        actions={<ButtonLink href="/datasets">Datasets</ButtonLink>}
      >
        {formatPlural(nReference, "trial")} of agents that solve no task. See the task health of their
        dataset.
      </Notice>
    );
  if (
    FILTERS.some(([, change]) =>
      Object.keys(change).some((name) => params[name as keyof TriageParams]?.length),
    )
  )
    return (
      <NoMatches
        {...list}
        noun="trial that did not pass"
        plural="trials that did not pass"
        filters={FILTERS}
        hrefOf={triageHref}
      />
    );
  if (nUnclassified > 0)
    return (
      <Notice title="Not classified yet">
        {formatPlural(nUnclassified, "trial is", "trials are")} not read yet. This page updates automatically.
      </Notice>
    );
  if (nLeftOut > 0)
    return (
      <Notice title="Not classified" actions={<ButtonLink href="/load-report">Load report</ButtonLink>}>
        {formatPlural(nLeftOut, "job")} could not be classified. See the load report.
      </Notice>
    );
  if (nTrials === 0)
    return (
      <Notice title="No finished trials" actions={<ButtonLink href="/">Jobs</ButtonLink>}>
        Causes appear once trials end.
      </Notice>
    );
  const name = facets.datasets.find(({ id }) => params.datasets.includes(id))?.label;
  return (
    <Notice title={name === undefined ? "Everything passed" : `No failed trials in ${name}`}>
      All of {formatPlural(nTrials, "finished trial")} passed.
    </Notice>
  );
}

/** Share of a row's trials that gets the darkest shade. */
const FULL = { agent: 0.25, job: 0.25, task: 1, family: 1 } as const;

const PAIRS = { agent: ["agent", "job"], task: ["task", "family"] } as const;

const MOST_NAMES = 60;

interface HeatViewProps {
  readonly page: TriagePage;
  readonly params: TriageParams;
  readonly heat: Map;
}

export function HeatView({ page, params, heat }: HeatViewProps) {
  const { rows, classes, sums, nOthers, nComparisons } = heat;
  const clean = heat.clean.map((name) => dropBenchmark(name, params));
  const lines = heat.lines.map((row) => ({ ...row, label: dropBenchmark(row.label, params) }));
  const who = listWho(page.scope.agentModels.map(({ name }) => name));
  const options: readonly HeatRows[] = PAIRS[getHeatTab(rows)];
  return (
    <>
      <div className="flow heat-head">
        <HeatAnswer worst={heat.worst} clean={clean} params={params} />
        <Segment
          label="List by"
          value={rows}
          options={options.map((value) => ({ value, label: HEADINGS[value] }))}
          hrefOf={(view) => triageHref(params, { view })}
        />
      </div>
      <HeatMap
        key={rows}
        {...{ rows, classes, sums }}
        agents={who.names}
        full={FULL[rows]}
        lines={lines.map((row) => toLine(row, page, params, rows === "task" ? who : null))}
      />
      {nOthers === 0 ? null : (
        <p className="caption">
          {formatPlural(nOthers, "more row")}, in the sums. Filter to find {nOthers === 1 ? "it" : "them"}.
        </p>
      )}
      {clean.length === 0 ? null : (
        <details className="heat-clean">
          <summary>{formatPlural(clean.length, "task")} never failed</summary>
          <p className="muted">{listNames(clean, ", ", MOST_NAMES)}</p>
        </details>
      )}
      <Methods>
        <p>
          A cell is a number of failed trials. Shade: the share of the row’s finished trials, darkest from{" "}
          {FULL[rows] * 100} %. Difference: the agent’s share minus that of all others at the same task, each
          task with the same weight; interval 95 % for {formatPlural(nComparisons, "difference")} jointly
          (Bonferroni), for new tasks. Outcomes: all trials, by who can fix them.
        </p>
        <p>{OWNERS.map(describeOwner).join(". ")}.</p>
      </Methods>
    </>
  );
}

export function getHeatTab(rows: HeatRows): "agent" | "task" {
  return rows === "agent" || rows === "job" ? "agent" : "task";
}

function HeatAnswer({
  worst: [first, ...next],
  clean,
  params,
}: Pick<Map, "worst" | "clean"> & { params: TriageParams }) {
  if (first === undefined) return null;
  const nameRow = ({ label }: typeof first) => dropBenchmark(label, params);
  const then = next.map((row) => `${nameRow(row)} (${formatCount(row.nFailures)})`);
  return (
    <FailuresAnswer answer={`Most failures: ${nameRow(first)}, ${formatPlural(first.nFailures, "trial")}`}>
      {then.length === 0 ? null : `Next: ${then.join(", ")}. `}
      {clean.length === 0 ? null : `${formatPlural(clean.length, "task")} never failed.`}
    </FailuresAnswer>
  );
}

function describeOwner(owner: Owner): string {
  const classes = listClasses({ owner }).map((one) => CLASSES[one].words);
  return `${OWNER_WORDS[owner]}: ${classes.join(", ")}`;
}

function hrefOf({ agentModel, jobKey, taskNames }: HeatRow, params: TriageParams) {
  const causes = { ...params, view: "causes", open: null } as const;
  if (agentModel !== null) return triageHref(causes, { agents: [agentModel.name] });
  if (jobKey !== null) return triageHref(causes, { jobs: [jobKey] });
  return taskNames?.length === 1 ? triageHref(causes, { tasks: taskNames }) : null;
}

function toLine(row: HeatRow, page: TriagePage, params: TriageParams, who: Who | null): HeatLine {
  const { label, agentModel, nFailures, nTrials, nAll, passed, byOwner, byAgent, cells } = row;
  return {
    ...{ label, agentModel, nFailures, nTrials, nAll },
    passed: passed.kind === "computed" ? formatPercent(passed.rate) : MISSING,
    passedTitle: describeRate(passed),
    outcomes: [
      ["passed", passed.kind === "computed" ? passed.count : 0, "passed"],
      ...OWNERS.map((owner) => [owner, byOwner.get(owner) ?? 0, OWNER_WORDS[owner].toLowerCase()] as const),
    ],
    href: hrefOf(row, params),
    trials: selectRow(row, params, page),
    counts: cells.map(({ n }) => n),
    differences: cells.map(({ n, difference }) =>
      n === 0 || difference === null
        ? null
        : `${formatPoints(difference.difference)} points against the others [${formatDifferenceRange(difference.bounds, true)}]`,
    ),
    who: who === null ? null : countWho(byAgent, who),
  };
}
