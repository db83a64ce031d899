import { Segment } from "@/components/compare/segment";
import { describeRate } from "@/components/errors/error-words";
import { Methods } from "@/components/ui/methods";
import { listNames } from "@/lib/core/format/list-names";
import {
  formatCount,
  formatDifferenceRange,
  formatPercent,
  formatPlural,
  formatPoints,
  MISSING,
} from "@/lib/core/format/number";
import { CLASSES, listClasses, type Owner, OWNER_WORDS, OWNERS } from "@/lib/core/triage/classes";
import { type HeatRows, triageHref, type TriageParams } from "@/lib/pages/triage/address";
import type { HeatMap as Map, HeatRow } from "@/lib/pages/triage/heat";
import type { TriagePage } from "@/lib/pages/triage/page";

import { FailuresAnswer } from "./failures-head";
import { type HeatLine, HeatMap } from "./heat-map";
import { selectRow } from "./select-trials";
import { dropBenchmark, HEADINGS } from "./triage-words";
import { countWho, listWho, type Who } from "./who";

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
