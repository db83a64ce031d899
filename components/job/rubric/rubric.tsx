import { DataTable } from "@/components/ui/data-table";
import { FacetMenu } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { IntervalHeading, IntervalPlot } from "@/components/ui/interval-plot";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";

import "./rubric.css";
import { RUBRIC_SORTS } from "@/lib/core/domain/rubric";
import { formatCount, formatPlural, describeMean, formatReward } from "@/lib/core/format/number";
import type { MeanInterval } from "@/lib/core/stats";
import { jobHref, trialHref } from "@/lib/pages/address/href";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { RubricPanel, FitCount, RubricBench } from "@/lib/pages/job/rubric";
import type { RecomputedTrial } from "@/lib/pages/job/rubric-trials";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { type CountRows, NoJobRows } from "../filters";
import { CountCell, formatBounds, GroupAgent } from "../groups/group-cells";
import { FIT_WORDS, formatChange, ROLLUP_WORDS } from "./rubric-words";
import { describeWeights, TriedRubric, USUAL_RUBRIC } from "./tried-rubric";

export function JobRubric({
  page,
  panel,
  params,
  count,
}: {
  page: JobPage;
  panel: RubricPanel;
  params: JobParams;
  count: CountRows;
}) {
  const { bench, families, state } = panel;
  const { key } = page.job;
  if (bench === null && state === "reading") return <DerivedDetailsReading what="Rubrics" />;
  if (bench === null) {
    return (
      <Notice title="No rubric to recompute">
        No trial of this job has a reward breakdown, so there are no dimension scores. Verifiers write them as{" "}
        <code>reward-details.json</code> or <code>details.json</code> into the trial&rsquo;s verifier folder.
      </Notice>
    );
  }
  return (
    <>
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      {families.length > 1 ? (
        <FilterBar count={formatPlural(families.length, "task family", "task families")}>
          <FacetMenu
            label="Task family"
            clearHref={jobPageHref(key, params, { family: null, ...USUAL_RUBRIC })}
            options={families.map(({ name, nTrials }) => ({
              value: name,
              label: name,
              count: nTrials,
              selected: bench.family.name === name,
              href: jobPageHref(key, params, { family: name, ...USUAL_RUBRIC }),
            }))}
          />
        </FilterBar>
      ) : null}
      <RubricFits panel={panel} bench={bench} params={params} jobKey={key} />
      <Section
        title={families.length > 1 ? `Another rubric for ${bench.family.name}` : "Another rubric"}
        note="Nothing is saved: the weights are in the address"
      >
        <div className="rubric-columns">
          <div>
            <TriedRubric
              tried={bench}
              action={jobHref(key)}
              usualHref={jobPageHref(key, params, USUAL_RUBRIC)}
            />
            <p className="caption table-note">
              {describeWeights(bench)} {formatCount(bench.nCompared)} of{" "}
              {formatPlural(bench.family.nTrials, "finished trial")} have a reward and dimensions. A dimension
              that a trial does not report counts as 0, as does one with a maximum of 0 or less.
            </p>
          </div>
          <RubricGroups page={page} bench={bench} />
        </div>
      </Section>
      <RubricTrials page={page} bench={bench} params={params} count={count} />
    </>
  );
}

function RubricFits({
  panel,
  bench,
  params,
  jobKey,
}: {
  panel: RubricPanel;
  bench: RubricBench;
  params: JobParams;
  jobKey: string;
}) {
  const hasFamilies = panel.families.length > 1;
  const columns: readonly Column[] = [
    { id: "fit", label: "The stored reward" },
    { id: "family", label: hasFamilies ? bench.family.name : "Trials", numeric: true },
    ...(hasFamilies ? [{ id: "job", label: "Whole job", numeric: true }] : []),
  ];
  const count = (counts: readonly FitCount[], fit: FitCount["fit"]) =>
    counts.find((one) => one.fit === fit)?.count ?? 0;
  return (
    <Section title="Does the reward follow from its dimensions?" note={describe(panel)}>
      <Table
        caption="Whether rewards follow from their dimensions"
        columns={columns}
        className="rubric-fits"
        compact
      >
        <tbody>
          {panel.fits.map(({ fit, count: inJob }) => {
            const inFamily = count(bench.fits, fit);
            const isOn = params.fits.includes(fit);
            const href = jobPageHref(jobKey, params, { fits: isOn ? [] : [fit] });
            return (
              <tr key={fit} className={isOn ? "selected" : undefined}>
                <td>
                  {inFamily === 0 ? (
                    <span className="muted">{FIT_WORDS[fit]}</span>
                  ) : (
                    <Link href={href} mode="stay" data-row-link="">
                      {FIT_WORDS[fit]}
                    </Link>
                  )}
                </td>
                <CountCell count={inFamily} href={href} />
                {hasFamilies ? <td className="numeric">{formatCount(inJob)}</td> : null}
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="caption table-note">
        A reward that does not follow may still be right: its verifier may use weights that the details do not
        give.
      </p>
      <Methods>
        <p>
          Every trial is checked against the weighted mean and the minimum of its own dimensions, with the
          weights in its details if all have one, otherwise with equal weights. To four decimals; a stored
          reward with two decimals may be rounded.
        </p>
      </Methods>
    </Section>
  );
}

function describe({ fits }: RubricPanel): string {
  const nOther = fits.find(({ fit }) => fit === "other")?.count ?? 0;
  const nChecked = fits.reduce((sum, { fit, count }) => (fit.startsWith("no_") ? sum : sum + count), 0);
  return `${formatCount(nOther)} of ${formatCount(nChecked)} checked do not`;
}

const PLOT_WIDTH = 76;

const COLUMNS: readonly Column[] = [
  { id: "rank", label: "Rank" },
  { id: "agent", label: "Agent and model" },
  { id: "before", label: "Stored mean, 95 %", numeric: true },
  { id: "before-plot", label: <IntervalHeading width={PLOT_WIDTH} />, minor: true },
  { id: "after", label: "Recomputed, 95 %", numeric: true },
  { id: "after-plot", label: <IntervalHeading width={PLOT_WIDTH} />, minor: true },
  { id: "difference", label: "Change", numeric: true },
  { id: "trials", label: "Changed", title: "Trials whose reward changes", numeric: true },
];

function RubricGroups({ page, bench }: { page: JobPage; bench: RubricBench }) {
  if (bench.groups.length === 0) {
    return <Notice title="Nothing to rank">No trial of this family has both a reward and dimensions.</Notice>;
  }
  const identities = new Map(page.groups.map(({ group, identity }) => [group.key, identity]));
  return (
    <div>
      <Table caption="Agents by their stored and recomputed mean" columns={COLUMNS}>
        <tbody>
          {bench.groups.map((change) => {
            const identity = identities.get(change.group) ?? 0;
            return (
              <tr key={change.group}>
                <td className="nowrap">
                  {change.rankAfter} <RankMove before={change.rankBefore} after={change.rankAfter} />
                </td>
                <td>
                  <GroupAgent groups={page.groups} groupKey={change.group} />
                </td>
                <MeanCells interval={change.before} identity={identity} />
                <MeanCells interval={change.after} identity={identity} />
                <td
                  className={change.difference === 0 ? "numeric zero" : "numeric"}
                  title={String(change.difference)}
                >
                  {formatChange(change.difference)}
                </td>
                <td className={change.nChanged === 0 ? "numeric zero" : "numeric"}>
                  {formatCount(change.nChanged)} of {formatCount(change.n)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="caption table-note">
        Equal means share a rank. Where intervals overlap widely, ranks mean little.
      </p>
      <Methods>
        <p>
          Over the same trials before and after: those of this family with a reward and dimensions. Interval:
          95 %, tasks as clusters.
        </p>
      </Methods>
    </div>
  );
}

function MeanCells({ interval: { mean, bounds }, identity }: { interval: MeanInterval; identity: number }) {
  const known = bounds.kind === "computed" ? bounds : null;
  return (
    <>
      <td className="numeric" title={String(mean)}>
        {formatReward(mean)} <span className="muted">{formatBounds(known)}</span>
      </td>
      <td className="interval-cell minor">
        <IntervalPlot
          title={describeMean(mean, known)}
          width={PLOT_WIDTH}
          mark={known === null ? null : { value: mean, low: known.low, high: known.high, identity }}
        />
      </td>
    </>
  );
}

function RankMove({ before, after }: { before: number; after: number }) {
  if (before === after) return <span className="muted">same</span>;
  const moved = Math.abs(before - after);
  return (
    <b>
      {before > after ? "up" : "down"} {formatCount(moved)}
    </b>
  );
}

function listColumns({ job, groups }: JobPage): readonly DataColumn<RecomputedTrial>[] {
  return [
    {
      id: "task",
      header: "Task and attempt",
      meta: { className: "name", sort: "task", ascends: true, phone: "first" },
      cell: ({ trial }) => (
        <Link href={trialHref(job.key, trial.key)} data-row-link="">
          {trial.taskName} <span className="muted">{trial.attempt}</span>
        </Link>
      ),
    },
    {
      id: "agent",
      header: "Agent and model",
      meta: { phone: "second" },
      cell: ({ trial }) => <GroupAgent groups={groups} groupKey={trial.groupKey} />,
    },
    {
      id: "stored",
      header: "Stored",
      meta: { numeric: true, sort: "stored", phone: "labelled" },
      cell: ({ trial }) => trial.rewardText ?? <Unknown />,
    },
    {
      id: "recomputed",
      header: "Recomputed",
      meta: { numeric: true, sort: "recomputed", phone: "labelled" },
      cell: ({ recomputed }) => (recomputed === null ? <Unknown /> : formatReward(recomputed, 4)),
    },
    {
      id: "change",
      header: "Change",
      meta: { numeric: true, sort: "change", phone: "score" },
      cell: ({ change }) =>
        change === null ? (
          <Unknown />
        ) : (
          <span className={change === 0 ? "zero" : undefined}>{formatChange(change)}</span>
        ),
    },
    {
      id: "fit",
      header: "The stored reward",
      meta: { phone: "second" },
      cell: ({ trial: { fit } }) => (
        <span className={fit === "other" ? undefined : "muted"}>{FIT_WORDS[fit ?? "no_dimensions"]}</span>
      ),
    },
  ];
}

function RubricTrials({
  page,
  bench,
  params,
  count,
}: {
  page: JobPage;
  bench: RubricBench;
  params: JobParams;
  count: CountRows;
}) {
  const { key } = page.job;
  const isCut = bench.nMatching < bench.family.nTrials;
  const shown = isCut
    ? `${formatCount(bench.nMatching)} of ${formatPlural(bench.family.nTrials, "trial")}; `
    : "";
  return (
    <Section
      title="Trials"
      note={`${shown}${formatCount(bench.nChanged)} change by the ${ROLLUP_WORDS[bench.rollup]}`}
    >
      {bench.rows.length === 0 ? (
        <NoJobRows noun="trial" jobKey={key} params={params} count={count} />
      ) : (
        <DataTable
          caption="Trials with their stored and recomputed reward"
          columns={listColumns(page)}
          rows={bench.rows}
          rowKey={({ trial }) => trial.key}
          order={{
            sorts: RUBRIC_SORTS,
            sort: params.rubricSort,
            descending: params.descending,
            hrefOf: ({ sort, descending }) => jobPageHref(key, params, { rubricSort: sort, descending }),
          }}
        />
      )}
      <Pager
        page={bench}
        noun="trial"
        label="Pages of the trials"
        hrefOf={(to) => jobPageHref(key, params, { page: to })}
      />
    </Section>
  );
}
