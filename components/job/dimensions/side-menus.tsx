import { KnownRollouts, RunChecks } from "@/components/compare/run-sets";
import { FacetMenu } from "@/components/ui/facet-menu";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/core/format/number";
import { groupRef, jobHref } from "@/lib/pages/address/href";
import { jobPageHref, type DimensionsParams } from "@/lib/pages/job/address";
import type { DimensionChoice, DimensionSet } from "@/lib/pages/job/dimension-sides";
import type { DimensionsTab } from "@/lib/pages/job/dimensions-tab";
import type { JobPage } from "@/lib/pages/job/page";

import "@/components/compare/run-sets.css";

interface SideMenusProps {
  readonly job: JobPage["job"];
  readonly params: DimensionsParams;
  readonly sides: Pick<DimensionsTab, "poolChoices" | "besideChoices">;
}

export function SideMenus({ job, params, sides: { poolChoices, besideChoices } }: SideMenusProps) {
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

export function NoSuchSet({ refs, what }: { refs: readonly string[]; what: string }) {
  return (
    <Notice title={`No such ${what}`}>
      No open job of the same dataset is called <code>{refs.join(" ")}</code>. Choose another above.
    </Notice>
  );
}

export function SideRuns({
  sides: { pooled, otherSet },
  params,
}: {
  sides: Pick<DimensionsTab, "pooled" | "otherSet">;
  params: DimensionsParams;
}) {
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
