import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { Pager } from "@/components/ui/pager";
import type { DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { RUBRIC_SORTS } from "@/lib/core/domain/rubric";
import { formatCount, formatPlural, formatReward } from "@/lib/core/format/number";
import { trialHref } from "@/lib/pages/address/href";
import { jobPageHref, type JobParams } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { RubricBench } from "@/lib/pages/job/rubric";
import type { RecomputedTrial } from "@/lib/pages/job/rubric-trials";

import { type CountRows, NoJobRows } from "../filters";
import { GroupAgent } from "../groups/group-cells";
import { FIT_WORDS, formatChange, ROLLUP_WORDS } from "./rubric-words";

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

export function RubricTrials({
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
