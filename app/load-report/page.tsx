import type { Metadata } from "next";

import { describeDifference } from "@/components/job/copies";
import { RescanButton } from "@/components/jobs/rescan-button";
import { LoadReport } from "@/components/load-report/load-report";
import { ForAction } from "@/components/shell/account-context";
import { PageFrame } from "@/components/shell/page-frame";
import { RUNS } from "@/components/shell/places";
import { CutNote } from "@/components/ui/cut-note";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { PageTitle } from "@/components/ui/page-title";
import { formatPlural } from "@/lib/core/format/number";
import { jobHref } from "@/lib/pages/address/href";
import { ISSUE_SORTS, loadReportAddress, loadReportHref } from "@/lib/pages/load-report/address";
import { getLoadReport } from "@/lib/pages/load-report/page";

export const metadata: Metadata = { title: "Load report" };

export default async function LoadReportRoute({ searchParams }: PageProps<"/load-report">) {
  const search = await searchParams;
  const params = loadReportAddress.read(search);
  const report = await getLoadReport(params);
  const { part, nMatching, totals, copies } = report;
  return (
    <PageFrame crumbs={[RUNS, { label: "Load report" }]} unknown={loadReportAddress.listUnknown(search)}>
      <PageTitle
        title="Load report"
        summary={`${formatPlural(totals.nProblems, "problem")} and ${formatPlural(totals.nNotes, "note")} in ${formatPlural(totals.nTrials, "trial")}. One bad file never hides the others, and job folders are never written to.`}
        actions={
          <ForAction action="rescanAction">
            <RescanButton />
          </ForAction>
        }
      />
      {copies.total === 0 ? null : (
        <details>
          <summary>{formatPlural(copies.total, "copy", "copies")} not counted</summary>
          <ul>
            {copies.copies.map((copy) => (
              <li key={copy.key}>
                <Link href={jobHref(copy.key)}>{copy.place}</Link>: {describeDifference(copy)}
              </li>
            ))}
          </ul>
          <CutNote shown={copies.copies.length} total={copies.total}>
            Copies of a job are listed on its page.
          </CutNote>
        </details>
      )}
      {totals.nProblems + totals.nNotes === 0 ? (
        <Notice title="Nothing to report">Every file was read without problems.</Notice>
      ) : (
        <>
          <FilterBar>
            <FilterText label="Filter issues" resets={["from"]} />
          </FilterBar>
          <CutNote shown={part.total} total={nMatching}>
            Filter to find the rest.
          </CutNote>
          {part.total === 0 ? (
            <NoMatches
              noun="issue"
              params={params}
              filters={[["Text", { text: "" }]]}
              hrefOf={(change) => loadReportHref(params, change)}
              count={() => Promise.resolve(totals.nProblems + totals.nNotes)}
            />
          ) : (
            <LoadReport
              shown={report}
              order={{ ...params, sorts: ISSUE_SORTS, hrefOf: (order) => loadReportHref(params, order) }}
              hrefOf={(from) => loadReportHref(params, { from })}
            />
          )}
        </>
      )}
    </PageFrame>
  );
}
