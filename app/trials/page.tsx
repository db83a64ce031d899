import type { Metadata } from "next";

import { listTrialColumns } from "@/components/job/trials/columns";
import { NoJobs } from "@/components/jobs/no-jobs";
import { RunsTabs } from "@/components/jobs/runs-tabs";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { AllTrials } from "@/components/trials/all-trials";
import { PageTitle } from "@/components/ui/page-title";
import { listUnknownColumns } from "@/components/ui/table-columns";
import { getShell } from "@/lib/pages/shell/shell";
import { listUnknownTrialsValues, parseTrialsParams } from "@/lib/pages/trials/address";
import { countAllTrials, getAllTrialsPage } from "@/lib/pages/trials/page";
import { getViewsOfList } from "@/lib/pages/views/page";

export const metadata: Metadata = { title: "Trials" };

export default async function TrialsRoute({ searchParams }: PageProps<"/trials">) {
  const search = await searchParams;
  const params = parseTrialsParams(search, true);
  const [page, shell, views] = await Promise.all([
    getAllTrialsPage(params),
    getShell(),
    getViewsOfList("/trials"),
  ]);
  const unknown = [
    ...listUnknownTrialsValues(search, true),
    ...listUnknownColumns(listTrialColumns(params), params.columns),
  ];
  return (
    <PageFrame crumbs={[RUNS, { label: "Trials" }]} unknown={unknown} isEmpty={page.panel.nTrials === 0}>
      <PageTitle title={RUNS.label} tabs={<RunsTabs current="trials" shell={shell} />} />
      {page.nJobs === 0 ? (
        <NoJobs roots={shell.roots} />
      ) : (
        <AllTrials
          page={page}
          params={params}
          views={views}
          count={(change) => countAllTrials({ ...params, ...change })}
        />
      )}
    </PageFrame>
  );
}
