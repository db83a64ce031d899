import type { Metadata } from "next";

import { RecordedTable } from "@/components/annotations/annotations-page";
import { ButtonLink } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Pager } from "@/components/ui/pager";
import { formatPlural } from "@/lib/core/format/number";
import { recordedAddress, recordedHref } from "@/lib/pages/annotations/address";
import { getRecordedPage, type RecordedPage, getRecordedTotals } from "@/lib/pages/annotations/recorded";

import { ReviewPage } from "../review-page";

export const metadata: Metadata = { title: "Recorded judgments" };

export default async function RecordedRoute({ searchParams }: PageProps<"/annotations/recorded">) {
  const search = await searchParams;
  const { job, page: number } = recordedAddress.read(search);
  const page = await getRecordedPage(job, number);
  return (
    <ReviewPage
      current="recorded"
      totals={await getRecordedTotals()}
      label="Recorded in files"
      unknown={recordedAddress.listUnknown(search)}
      summary={describePage(page)}
      actions={
        page.job === null ? undefined : (
          <ButtonLink href={recordedHref(null)}>Judgments of all jobs</ButtonLink>
        )
      }
    >
      {page.rows.length === 0 ? (
        <Notice title="No judgments recorded in files">
          Ledgers of aec-bench store annotations, adjudications and triage verdicts in files. The open folders
          have none.
        </Notice>
      ) : (
        <>
          <RecordedTable rows={page.rows} />
          <Pager
            page={page}
            noun="judgment"
            label="Pages of recorded judgments"
            hrefOf={(to) => recordedHref(page.job?.key ?? null, to)}
          />
          <p className="caption table-note">These judgments are read-only and change no reward.</p>
        </>
      )}
    </ReviewPage>
  );
}

function describePage({ totals, job }: RecordedPage): string {
  const of = job === null ? "" : ` in ${job.name}`;
  return `${formatPlural(totals.nJudgments, "judgment")} of ${formatPlural(totals.nTrials, "trial")}${of}, from files of the open folders.`;
}
