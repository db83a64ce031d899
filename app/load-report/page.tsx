import type { Metadata } from "next";

import { LoadReport } from "@/components/jobs/load-report";
import { PageFrame } from "@/components/shell/page-frame";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/format/number";
import { getLoadReport } from "@/lib/queries/load-report";

import { parseLoadReportParams } from "./search-params";

export const metadata: Metadata = { title: "Load report" };

export default async function LoadReportRoute({ searchParams }: PageProps<"/load-report">) {
  const { text } = parseLoadReportParams(await searchParams);
  const report = await getLoadReport(text);
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: "Load report" }]}>
      <PageTitle
        title="Load report"
        summary={`${formatPlural(report.nProblems, "problem")} and ${formatPlural(report.nNotes, "note")} in ${formatPlural(report.nTrials, "trial")}. One bad file never hides its neighbours, and nothing is ever written to a job folder.`}
      />
      {report.nProblems + report.nNotes === 0 ? (
        <Notice title="Nothing to report">Every file that was looked at could be read as it stands.</Notice>
      ) : (
        <>
          <FilterBar>
            <FilterText param="q" label="Filter issues" />
          </FilterBar>
          <LoadReport issues={report.issues} />
        </>
      )}
    </PageFrame>
  );
}
