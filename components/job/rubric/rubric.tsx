import { FacetMenu } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/page-title";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { RubricPanel } from "@/lib/pages/job/rubric";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import type { CountRows } from "../filters";
import { RubricFits } from "./rubric-fits";
import { RubricGroups } from "./rubric-groups";
import { RubricTrials } from "./rubric-trials";
import { describeWeights, TriedRubric, USUAL_RUBRIC } from "./tried-rubric";

import "./rubric.css";

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
