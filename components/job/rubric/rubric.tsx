import { DataTable } from "@/components/ui/data-table";
import { FacetMenu } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count, Unknown } from "@/components/ui/values";
import { RUBRIC_SORTS } from "@/lib/core/domain/rubric";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { formatTask } from "@/lib/core/format/words";

import "./rubric.css";
import type { GroupChange } from "@/lib/core/stats";
import { jobHref, trialHref } from "@/lib/pages/address/href";
import type { RubricParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { RubricPanel, FitCount, RubricBench } from "@/lib/pages/job/rubric";
import type { RecomputedTrial } from "@/lib/pages/job/rubric-trials";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { FilteredRows, type ListFilter, type ListTab } from "../filters";
import { formatBounds, GroupAgent } from "../group-cells";
import {
  describeWeights,
  FIT_WORDS,
  formatChange,
  ROLLUP_WORDS,
  TriedRubric,
  USUAL_RUBRIC,
} from "./tried-rubric";

type RubricTab = ListTab<RubricPanel, RubricParams>;

interface BenchProps extends RubricTab {
  readonly bench: RubricBench;
}

export function JobRubric(props: RubricTab) {
  const { page, panel, list } = props;
  const { bench, families, state } = panel;
  const { hrefOf } = list;
  if (bench === null && state === "reading") return <DerivedDetailsReading what="Rubrics" />;
  if (bench === null) {
    return (
      <Notice title="No rubric to recompute">
        No trial of this job has a reward breakdown, so there are no dimension scores. Verifiers write them as{" "}
        <code>reward-details.json</code> or <code>details.json</code> in the trial&rsquo;s verifier folder.
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
            clearHref={hrefOf({ family: null, ...USUAL_RUBRIC })}
            options={families.map(({ name, nTrials }) => ({
              value: name,
              label: name,
              count: nTrials,
              selected: bench.family.name === name,
              href: hrefOf({ family: name, ...USUAL_RUBRIC }),
            }))}
          />
        </FilterBar>
      ) : null}
      <RubricFits {...props} bench={bench} />
      <Section
        title={families.length > 1 ? `Another rubric for ${bench.family.name}` : "Another rubric"}
        note="Nothing is saved: the weights are in the URL"
      >
        <div className="rubric-columns">
          <div>
            <TriedRubric tried={bench} action={jobHref(page.job.key)} usualHref={hrefOf(USUAL_RUBRIC)} />
            <p className="caption table-note">
              {describeWeights(bench)} {formatCount(bench.nCompared)} of{" "}
              {formatPlural(bench.family.nTrials, "finished trial")} have a reward and dimensions. A missing
              dimension counts as 0, as does one with a maximum of 0 or less.
            </p>
          </div>
          <RubricGroups page={page} bench={bench} />
        </div>
      </Section>
      <RubricTrials {...props} bench={bench} />
    </>
  );
}

function RubricFits({ panel, bench, list: { params, hrefOf } }: BenchProps) {
  const hasFamilies = panel.families.length > 1;
  const isOn = (fit: FitCount["fit"]) => params.fits.includes(fit);
  const toggleHref = (fit: FitCount["fit"]) => hrefOf({ fits: isOn(fit) ? [] : [fit] });
  const inFamily = (fit: FitCount["fit"]) => bench.fits.find((one) => one.fit === fit)?.count ?? 0;
  const columns: readonly DataColumn<FitCount>[] = [
    column("The stored reward", ({ fit }) =>
      inFamily(fit) === 0 ? (
        <span className="muted">{FIT_WORDS[fit]}</span>
      ) : (
        <Link href={toggleHref(fit)} mode="stay" data-row-link="">
          {FIT_WORDS[fit]}
        </Link>
      ),
    ),
    {
      id: "family",
      header: hasFamilies ? bench.family.name : "Trials",
      meta: { numeric: true },
      cell: ({ fit }) => <Count value={inFamily(fit)} href={toggleHref(fit)} />,
    },
    {
      id: "job",
      header: "Whole job",
      meta: { numeric: true },
      isFilled: () => hasFamilies,
      cell: ({ count }) => formatCount(count),
    },
  ];
  return (
    <Section title="Does the reward follow from its dimensions?" note={describe(panel)}>
      <DataTable
        caption="Rewards checked against their dimensions"
        className="rubric-fits table-compact"
        columns={columns}
        rows={panel.fits}
        rowKey={({ fit }) => fit}
        rowClass={({ fit }) => (isOn(fit) ? "selected" : undefined)}
      />
      <p className="caption table-note">
        A reward that does not follow may still be right: its verifier may use unrecorded weights.
      </p>
      <Methods>
        <p>
          Every trial is checked against the weighted mean and the minimum of its dimensions, with the weights
          in its details if complete, otherwise with equal weights. To four decimals; a stored reward with two
          decimals may be rounded.
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

function meanColumn(side: "before" | "after", header: string): DataColumn<GroupChange> {
  return column(
    header,
    ({ [side]: { mean, bounds } }) => (
      <span title={String(mean)}>
        {formatReward(mean)}{" "}
        <span className="muted">{formatBounds(bounds.kind === "computed" ? bounds : null)}</span>
      </span>
    ),
    { numeric: true },
  );
}

function listGroupColumns(page: JobPage): readonly DataColumn<GroupChange>[] {
  return [
    column("Rank", ({ rankBefore, rankAfter }) => (
      <>
        {rankAfter} <RankMove before={rankBefore} after={rankAfter} />
      </>
    )),
    column("Agent and model", ({ group }) => <GroupAgent groups={page.groups} groupKey={group} />),
    meanColumn("before", "Stored mean, 95 %"),
    meanColumn("after", "Recomputed, 95 %"),
    column(
      "Change",
      ({ difference }) => (
        <span className={difference === 0 ? "zero" : undefined} title={String(difference)}>
          {formatChange(difference)}
        </span>
      ),
      { numeric: true },
    ),
    column(
      "Changed",
      ({ nChanged, n }) => (
        <span className={nChanged === 0 ? "zero" : undefined}>
          {formatCount(nChanged)} of {formatCount(n)}
        </span>
      ),
      { numeric: true, title: "Trials whose reward changes" },
    ),
  ];
}

function RubricGroups({ page, bench }: { page: JobPage; bench: RubricBench }) {
  if (bench.groups.length === 0) {
    return <Notice title="Nothing to rank">No trial of this family has both a reward and dimensions.</Notice>;
  }
  return (
    <div>
      <DataTable
        caption="Agents by their stored and recomputed mean"
        columns={listGroupColumns(page)}
        rows={bench.groups}
        rowKey={({ group }) => group}
      />
      <p className="caption table-note">
        Equal means share a rank. Where intervals overlap widely, ranks mean little.
      </p>
      <Methods>
        <p>
          Over the same trials before and after: those of this family with a reward and dimensions. Interval:
          95 %, clustered by task.
        </p>
      </Methods>
    </div>
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
    column(
      "Task and attempt",
      ({ trial }) => (
        <Link href={trialHref(job.key, trial.key)} data-row-link="">
          {formatTask({ ...trial, trialName: trial.key })} <span className="muted">{trial.attempt}</span>
        </Link>
      ),
      { className: "name", sort: "task", ascends: true, phone: "first" },
    ),
    column("Agent and model", ({ trial }) => <GroupAgent groups={groups} groupKey={trial.groupKey} />, {
      phone: "second",
    }),
    column("Stored", ({ trial }) => trial.rewardText ?? <Unknown />, {
      numeric: true,
      sort: "stored",
      phone: "labelled",
    }),
    column(
      "Recomputed",
      ({ recomputed }) => (recomputed === null ? <Unknown /> : formatReward(recomputed, 4)),
      { numeric: true, sort: "recomputed", phone: "labelled" },
    ),
    column(
      "Change",
      ({ change }) =>
        change === null ? (
          <Unknown />
        ) : (
          <span className={change === 0 ? "zero" : undefined}>{formatChange(change)}</span>
        ),
      { numeric: true, sort: "change", phone: "score" },
    ),
    column(
      "The stored reward",
      ({ trial: { fit } }) => (
        <span className={fit === "other" ? undefined : "muted"}>{FIT_WORDS[fit ?? "no_dimensions"]}</span>
      ),
      { phone: "second" },
    ),
  ];
}

const FILTERS: readonly ListFilter<RubricParams>[] = [
  { label: "Stored reward", off: { fits: [] } },
  { label: "Group", off: { groups: [] } },
];

function RubricTrials({ page, bench, list }: BenchProps) {
  const { sort, descending } = list.params;
  const { nTrials } = bench.family;
  const shown =
    bench.nMatching < nTrials ? `${formatCount(bench.nMatching)} of ${formatPlural(nTrials, "trial")}; ` : "";
  return (
    <Section
      title="Trials"
      note={`${shown}${formatCount(bench.nChanged)} change under the ${ROLLUP_WORDS[bench.rollup]}`}
    >
      <FilteredRows noun="trial" list={list} filters={FILTERS} page={bench}>
        <DataTable
          caption="Trials with their stored and recomputed reward"
          columns={listColumns(page)}
          rows={bench.rows}
          rowKey={({ trial }) => trial.key}
          order={{ sorts: RUBRIC_SORTS, sort, descending, hrefOf: list.hrefOf }}
        />
      </FilteredRows>
    </Section>
  );
}
