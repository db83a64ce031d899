import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, SUSPECT_WORDS } from "@/lib/core/format/words";
import type { Suspects } from "@/lib/pages/errors/detail";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { describeUnread } from "./error-words";

const TITLE = capitalise(SUSPECT_WORDS.full);

const COLUMNS: readonly DataColumn<Suspects["jobs"][number]>[] = [
  column(
    "Job",
    ({ jobKey, jobName }) => (
      <Link href={trialsPageHref(jobKey, { verifier: ["suspect"] })} data-row-link="">
        {jobName}
      </Link>
    ),
    { className: "name" },
  ),
  column("Trials", ({ nTrials }) => formatCount(nTrials), { numeric: true }),
  column("A log says so", ({ nTraceback }) => <Count value={nTraceback} />, { numeric: true }),
  column("Details missing (other attempts have them)", ({ nLackDetails }) => <Count value={nLackDetails} />, {
    numeric: true,
  }),
];

/** These trials are not exceptions and in no rate above. */
export function SuspectsTable({ suspects }: { suspects: Suspects }) {
  const { jobs, nTrials, nToRead } = suspects;
  const rest = describeUnread(nToRead);
  if (nTrials === 0) {
    return (
      <Section title={TITLE}>
        <p className="muted">{rest || "No signs of an unfinished verifier in these trials"}</p>
      </Section>
    );
  }
  const shown = jobs.slice(0, LIST_ROWS);
  return (
    <Section title={TITLE} note={formatPlural(nTrials, "trial")}>
      <CutNote shown={shown.length} total={jobs.length}>
        Filter by job to see the others.
      </CutNote>
      <DataTable
        caption="Suspects by job"
        className="table-compact"
        columns={COLUMNS}
        rows={shown}
        rowKey={({ jobKey }) => jobKey}
      />
      <p className="caption errors-note">Outcomes and figures are as recorded. {rest}</p>
      <Methods>
        <p>
          A log says so: the reward is 0 in all keys, or missing, and a log ends with a traceback of the
          verifier or reports its cancellation. Details missing: the reward is 0 and the trial lacks the
          details that other trials of its task have.
        </p>
      </Methods>
    </Section>
  );
}
