import type { Metadata } from "next";

import { linkIssues } from "@/components/load-report/issue-links";
import { LoadReport } from "@/components/load-report/load-report";
import { RescanButton } from "@/components/jobs/rescan-button";
import { PageFrame } from "@/components/shell/page-frame";
import { CutNote } from "@/components/ui/cut-note";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/format/number";
import { getLoadReport } from "@/lib/queries/shell/load-report";

import { loadReportAddress } from "@/lib/addresses/load-report";

export const metadata: Metadata = { title: "Load report" };

export default async function LoadReportRoute({ searchParams }: PageProps<"/load-report">) {
  const { text } = loadReportAddress.read(await searchParams);
  const { issues, nMatching, totals } = await getLoadReport(text);
  return (
    <PageFrame crumbs={[{ label: "Jobs", href: "/" }, { label: "Load report" }]}>
      <PageTitle
        title="Load report"
        summary={`${formatPlural(totals.nProblems, "problem")} and ${formatPlural(totals.nNotes, "note")} in ${formatPlural(totals.nTrials, "trial")}. One bad file never hides the others, and job folders are never written to.`}
        actions={<RescanButton />}
      />
      {totals.nProblems + totals.nNotes === 0 ? (
        <Notice title="Nothing to report">Every file was read without problems.</Notice>
      ) : (
        <>
          <FilterBar>
            <FilterText param="q" label="Filter issues" />
          </FilterBar>
          <CutNote shown={issues.length} total={nMatching}>
            Use the filter to find the rest.
          </CutNote>
          {issues.length === 0 ? (
            <NoMatches
              noun="issue"
              params={{ text }}
              filters={[["Text", { text: "" }]]}
              hrefOf={() => loadReportAddress.href("/load-report", {})}
              count={() => Promise.resolve(totals.nProblems + totals.nNotes)}
            />
          ) : (
            <LoadReport issues={linkIssues(issues)} />
          )}
        </>
      )}
    </PageFrame>
  );
}
