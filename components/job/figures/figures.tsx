import { jobPageHref, type JobParams } from "@/lib/addresses/job";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { pack } from "@/components/ui/packed";
import { Pager } from "@/components/ui/pager";
import { Check } from "@/components/ui/check";
import { type Column, Table } from "@/components/ui/table";
import type { FigureKind } from "@/lib/domain/verification";
import { PAGE_PARAMS } from "@/lib/domain/list-page";
import { formatCount, formatPlural } from "@/lib/format/number";
import { formatVerdict } from "@/lib/format/words";
import type { JobGroup, JobPage } from "@/lib/queries/job/page";
import type { FiguresPanel } from "@/lib/queries/job/figures";

import { type FigureLine, JobFigureRows } from "./figure-rows";
import { type CountRows, JobChips, JobFacet, NoJobRows } from "../filters";

import "../job-page.css";

type FigureRow = FiguresPanel["rows"][number];

const KIND_WORDS: Readonly<Record<FigureKind, string>> = {
  outcome: "outcome line",
  counter: "counter",
  total: "total",
  metric: "metric",
  "pass-at-k": "pass@k",
  "reward-stats": "trials by reward",
  "exception-stats": "trials by exception",
  "reward-file": "reward file",
};

const ORDER_WORDS = {
  lock: "the plan in lock.json",
  stats: "the lists in result.json",
  directory: "directory order",
  started: "order of starting",
  finished: "order of finishing",
} as const;

const COLUMNS: readonly Column[] = [
  { id: "figure", label: "Figure" },
  { id: "of", label: "Of" },
  { id: "kind", label: "Kind", minor: true },
  { id: "recorded", label: "Recorded", numeric: true },
  { id: "recomputed", label: "Recomputed", numeric: true },
  { id: "verdict", label: "Verdict" },
  { id: "trials", label: "Trials", numeric: true },
];

/** The score check: every figure beside the recomputed one, the worst first. */
export function JobFigures({
  page,
  panel,
  params,
  count,
}: {
  page: JobPage;
  panel: FiguresPanel;
  params: JobParams;
  count: CountRows;
}) {
  const { key } = page.entry.job;
  if (panel.nFigures === 0) {
    return (
      <Notice title="Nothing to compare">
        No recorded figure and no trial with a reward here. The load report lists what was left out.
      </Notice>
    );
  }
  const groups = new Map(page.groups.map((group) => [group.group.key, group]));
  return (
    <>
      <FigureFilters panel={panel} params={params} jobKey={key} />
      <JobChips jobKey={key} params={params} />
      {panel.rows.length === 0 ? (
        <NoJobRows noun="figure" jobKey={key} params={params} count={count} />
      ) : (
        <>
          <Table caption="Figures of this job" columns={COLUMNS}>
            <JobFigureRows
              packed={pack(panel.rows.map((figure) => prepareFigureLine(figure, groups)))}
              jobKey={key}
            />
          </Table>
          <Pager
            page={panel}
            noun="figure"
            label="Pages of the figures"
            hrefOf={(to) => jobPageHref(key, params, { page: to })}
          />
        </>
      )}
      <Methods>
        <p>
          Figures of groups are recomputed from the rewards in the trials&rsquo; result.json, added in{" "}
          {ORDER_WORDS[page.entry.report.order]}; those rewards are compared with the reward files.
        </p>
        <p>
          Lists of trials are compared as sets and shown as their size. Harbor deletes the folder of a retried
          attempt, so retries are compared with config.json and job.log where possible.
        </p>
      </Methods>
    </>
  );
}

function FigureFilters({
  panel,
  params,
  jobKey,
}: {
  panel: FiguresPanel;
  params: JobParams;
  jobKey: string;
}) {
  const facet = { jobKey, params };
  const shown =
    panel.nMatching === panel.nFigures
      ? formatPlural(panel.nFigures, "figure")
      : `${formatCount(panel.nMatching)} of ${formatPlural(panel.nFigures, "figure")}`;
  return (
    <FilterBar end={<span>{shown}</span>}>
      <FilterText param="q" label="Filter figures" resets={PAGE_PARAMS} />
      <JobFacet
        {...facet}
        label="Verdict"
        filter="verdicts"
        values={panel.verdicts}
        wordFor={(verdict) => <Check verdict={verdict} words={formatVerdict(verdict)} />}
      />
      <JobFacet
        {...facet}
        label="Kind"
        filter="kinds"
        values={panel.kinds}
        wordFor={(kind) => KIND_WORDS[kind]}
      />
      {panel.groups.length > 1 ? (
        <JobFacet {...facet} label="Group" filter="groups" values={panel.groups} />
      ) : null}
    </FilterBar>
  );
}

function prepareFigureLine(figure: FigureRow, groups: ReadonlyMap<string, JobGroup>): FigureLine {
  const { path, recorded, recomputed, verdict, ulps, reason, rule, nTrials } = figure;
  const group = groups.get(figure.group ?? "");
  return {
    path,
    shown: shortenPath(figure),
    group:
      group === undefined
        ? null
        : { identity: group.identity, agent: group.group.agent, model: group.group.model },
    kind: KIND_WORDS[figure.kind],
    ...{ recorded, recomputed, verdict, ulps, reason, rule, nTrials },
  };
}

/** The part of a path that tells figures of one group apart; the group stands beside it. */
function shortenPath({ path, group }: FigureRow): string {
  const prefix = `stats.evals.${group ?? ""}.`;
  return group !== null && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
