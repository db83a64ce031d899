import { KnownRollouts, RunChecks } from "@/components/compare/run-sets";
import { FacetMenu, ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { groupRef, jobHref } from "@/lib/pages/address/href";
import { jobPageHref, type DimensionsParams } from "@/lib/pages/job/address";
import type { DimensionChoice, DimensionSet } from "@/lib/pages/job/dimension-sides";
import type { DimensionsPanel, DimensionsTab } from "@/lib/pages/job/dimensions";
import type { JobPage } from "@/lib/pages/job/page";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { GroupAgent } from "../group-cells";
import { DimensionsBeside, NoSuchSet } from "./beside";
import { DimensionFamily } from "./dimension-family";
import { DimensionsOverview } from "./overview";

import "@/components/compare/run-sets.css";
import "../job-page.css";

interface DimensionsProps {
  readonly page: JobPage;
  readonly panel: DimensionsPanel;
  readonly params: DimensionsParams;
}

type TabProps = DimensionsProps & { readonly sides: DimensionsTab };

export function JobDimensions({ page, panel, sides, params }: TabProps) {
  const { families, state } = panel;
  const { overview, pooled, poolChoices, besideChoices } = sides;
  const set = pooled === "unknown" ? null : pooled;
  const isEmpty = families.length === 0 && overview.rows.length === 0;
  if (isEmpty && state === "reading") return <DerivedDetailsReading what="Dimensions" />;
  if (isEmpty) {
    return (
      <Notice title="No dimensions">
        No trial of this job has a reward breakdown or several reward keys. Verifiers can write a breakdown as{" "}
        <code>reward-details.json</code>, <code>details.json</code> or <code>checks</code> in the
        trial&rsquo;s verifier folder.
      </Notice>
    );
  }
  const hasAgents = page.groups.length > 1 && set === null;
  return (
    <>
      {state === "reading" || sides.poolState === "reading" ? <DerivedDetailsOutdated /> : null}
      {hasAgents || poolChoices.length + besideChoices.length > 0 ? (
        <FilterBar label="Whose dimensions">
          {hasAgents ? (
            <ListFacet
              label="Agent"
              values={page.groups.map(({ group, nFinished }) => ({ value: group.key, count: nFinished }))}
              chosen={params.groups}
              hrefOf={(groups) => jobPageHref(page.job.key, params, { groups })}
              wordFor={(groupKey) => <GroupAgent groups={page.groups} groupKey={groupKey} />}
            />
          ) : null}
          <SideMenus page={page} panel={panel} params={params} sides={sides} />
        </FilterBar>
      ) : null}
      <SideRuns sides={sides} params={params} />
      <DimensionsBeside params={params} sides={sides} />
      <DimensionsOverview page={page} overview={overview} pooled={set} params={params} />
      {families.length === 0 || set !== null ? null : <Families page={page} panel={panel} params={params} />}
    </>
  );
}

function Families({ page, panel, params }: DimensionsProps) {
  const { key } = page.job;
  const { families, rows } = panel;
  const isAsked = params.family !== null || params.page > 1 || params.partFrom > 0 || params.groupsFrom > 0;
  return (
    <details className="dimension-families" open={isAsked || families.length === 1}>
      <summary>
        {families.length === 1 ? "Distributions" : "Families of tasks"}{" "}
        {families.length === 1 ? null : <span className="muted">{families.length}</span>}
      </summary>
      {families.length < 2 ? null : (
        <FilterBar count={formatPlural(families.length, "task family", "task families")}>
          <ListFacet
            label="Task family"
            values={families.map(({ name, nTrials }) => ({ value: name, count: nTrials }))}
            chosen={params.family === null ? [] : [params.family]}
            hrefOf={(chosen) => jobPageHref(key, params, { family: chosen.at(-1) ?? null })}
          />
        </FilterBar>
      )}
      {rows.map((section) => (
        <DimensionFamily
          key={section.position}
          page={page}
          section={section}
          isAlone={families.length === 1}
          isOpen={rows.length === 1}
          partHref={(partFrom) => jobPageHref(key, params, { family: section.name, partFrom })}
        />
      ))}
      <Pager
        page={panel}
        noun="task family"
        plural="task families"
        label="Pages of the task families"
        hrefOf={(to) => jobPageHref(key, params, { page: to })}
      />
      <DimensionNotes families={families.length} />
    </details>
  );
}

function DimensionNotes({ families }: { families: number }) {
  return (
    <>
      <p className="caption table-note">
        Mean score as a share of its maximum, with its 95 % interval. Bars and numbers open their trials.
      </p>
      <Methods>
        <p>
          Over finished trials, clustered by task. Trials without a dimension count as missing and are in no
          other figure.
        </p>
        <p>
          Each bar is a tenth of the scale; its height is the share of trials, on one scale per row. The dark
          part is exactly 0 or 1.
        </p>
        <p>
          Floor and ceiling, with at least 10 trials: more than 15 % at exactly 0 or 1 (McHorney and Tarlov,
          1995), or more than 85 % if only 0 and 1 occur.
        </p>
        {families > 1 ? (
          <p>Dimensions are matched by name within a task family; the overview above pools all families.</p>
        ) : null}
      </Methods>
    </>
  );
}

function SideMenus({ page: { job }, params, sides: { poolChoices, besideChoices } }: TabProps) {
  const pool = (pooled: readonly string[]) => jobPageHref(job.key, params, { pooled });
  const set = (beside: readonly string[]) => jobPageHref(job.key, params, { beside });
  return (
    <>
      <FacetMenu label="Runs" clearHref={pool([])} options={listOptions(poolChoices, params.pooled, pool)} />
      <FacetMenu
        label="Compare with"
        clearHref={set([])}
        options={listOptions(besideChoices, params.beside, set)}
      />
    </>
  );
}

function listOptions(
  choices: readonly DimensionChoice[],
  chosen: readonly string[],
  hrefOf: (refs: readonly string[]) => ReturnType<typeof jobPageHref>,
) {
  return choices.map(({ refs, name }) => {
    const value = refs.join(" ");
    const selected = value === chosen.join(" ");
    return { value, label: name, count: null, selected, href: hrefOf(selected ? [] : refs) };
  });
}

function SideRuns({ sides: { pooled, otherSet }, params }: Pick<TabProps, "sides" | "params">) {
  return (
    <>
      {pooled === "unknown" ? <NoSuchSet refs={params.pooled} what="run set of this job" /> : null}
      {pooled === null || pooled === "unknown" ? null : <PooledRuns set={pooled} />}
      {otherSet === null ? null : <PooledRuns set={otherSet} />}
    </>
  );
}

function PooledRuns({ set: { name, runs, nKnown, checks } }: { set: DimensionSet }) {
  return (
    <div className="run-sets">
      <b>{name}</b> counts {formatPlural(runs.length, "run")} together:{" "}
      {runs.map(({ job, group }, at) => (
        <span key={groupRef(job.key, group.key)}>
          {at === 0 ? "" : ", "}
          <Link href={jobHref(job.key, { tab: "dimensions" })}>{job.name}</Link>
        </span>
      ))}
      . <KnownRollouts nKnown={nKnown} />
      <RunChecks checks={checks} />
    </div>
  );
}
