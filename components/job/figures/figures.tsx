import { Check } from "@/components/ui/check";
import { DataTable } from "@/components/ui/data-table";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Methods } from "@/components/ui/methods";
import { Notice } from "@/components/ui/notice";
import { formatVerdict } from "@/lib/core/format/words";
import type { JobParams } from "@/lib/pages/job/address";
import type { FiguresPanel } from "@/lib/pages/job/figures";
import type { JobPage } from "@/lib/pages/job/page";

import { type CountRows, describeMatching, JobFacet, JobRows } from "../filters";
import { describeFigure, KIND_WORDS, listFigureColumns } from "./columns";

import "../job-page.css";

const ORDER_WORDS = {
  lock: "the plan in lock.json",
  stats: "the lists in result.json",
  directory: "directory order",
  started: "order of starting",
  finished: "order of finishing",
} as const;

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
  const { key } = page.job;
  // A reason shared by consecutive figures is shown once, below the last.
  const shownReasons = new Set(panel.rows.filter(({ reason }, at) => panel.rows[at + 1]?.reason !== reason));
  if (panel.nFigures === 0) {
    return (
      <Notice title="Nothing to compare">
        No recorded figure and no trial with a reward here. The load report lists what was left out.
      </Notice>
    );
  }
  return (
    <>
      <FigureFilters panel={panel} params={params} jobKey={key} />
      <JobRows noun="figure" jobKey={key} params={params} page={panel} count={count}>
        <DataTable
          caption="Figures of this job"
          columns={listFigureColumns(page)}
          rows={panel.rows}
          rowKey={({ path }) => path}
          below={(figure) => (shownReasons.has(figure) ? describeFigure(figure, key) : null)}
        />
      </JobRows>
      <Methods>
        <p>
          Figures of groups are recomputed from the rewards in the trials&rsquo; result.json, added in{" "}
          {ORDER_WORDS[page.job.report.order]}; those rewards are compared with the reward files.
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
  return (
    <FilterBar count={describeMatching(panel.nMatching, panel.nFigures, "figure")}>
      <FilterText label="Filter figures" />
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
