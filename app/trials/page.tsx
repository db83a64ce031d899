import type { Metadata } from "next";

import { listTrialColumns } from "@/components/job/trials/columns";
import { NoJobs } from "@/components/jobs/no-jobs";
import { PageFrame } from "@/components/shell/page-frame";
import { AllTrials } from "@/components/trials/all-trials";
import { PageTitle } from "@/components/ui/page-title";
import { listUnknownColumns } from "@/components/ui/table-columns";
import { formatPlural } from "@/lib/core/format/number";
import { getShell } from "@/lib/pages/shell/shell";
import { listUnknownTrialsValues, parseTrialsParams } from "@/lib/pages/trials/address";
import { countAllTrials, getAllTrialsPage } from "@/lib/pages/trials/page";

export const metadata: Metadata = { title: "Trials" };

export default async function TrialsRoute({ searchParams }: PageProps<"/trials">) {
  const search = await searchParams;
  const params = parseTrialsParams(search, true);
  const [page, shell] = await Promise.all([getAllTrialsPage(params), getShell()]);
  const unknown = [
    ...listUnknownTrialsValues(search, true),
    ...listUnknownColumns(listTrialColumns(params), params.columns),
  ];
  return (
    <PageFrame crumbs={[{ label: "Trials" }]} unknown={unknown} narrow isEmpty={page.panel.nTrials === 0}>
      <PageTitle
        title="Trials"
        summary={`${formatPlural(page.panel.nTrials, "trial")} of ${formatPlural(page.nJobs, "job")}.`}
      />
      {page.nJobs === 0 ? (
        <NoJobs roots={shell.roots} />
      ) : (
        <AllTrials page={page} params={params} count={(change) => countAllTrials({ ...params, ...change })} />
      )}
    </PageFrame>
  );
}
