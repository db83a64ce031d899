import { CountCell } from "@/components/job/groups/group-cells";
import { CutNote } from "@/components/ui/cut-note";
import { Link } from "@/components/ui/link";
import { Methods } from "@/components/ui/methods";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { LIST_ROWS } from "@/lib/core/domain/list-page";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, SUSPECT_WORDS } from "@/lib/core/format/words";
import type { Suspects } from "@/lib/pages/errors/suspects";
import { trialsPageHref } from "@/lib/pages/trials/address";

import { describeUnread } from "./error-words";

const TITLE = capitalise(SUSPECT_WORDS.full);

const COLUMNS: readonly Column[] = [
  { id: "job", label: "Job" },
  { id: "trials", label: "Trials", numeric: true },
  { id: "traceback", label: "A log says so", numeric: true },
  { id: "details", label: "Details missing (other attempts have them)", numeric: true },
];

/** These trials are not exceptions and in no rate above. */
export function SuspectsTable({ suspects }: { suspects: Suspects }) {
  const { jobs, nTrials, nToRead } = suspects;
  const rest = describeUnread(nToRead);
  if (nTrials === 0) {
    return (
      <Section title={TITLE}>
        <p className="muted">{rest || "No sign of an unfinished verifier in these trials."}</p>
      </Section>
    );
  }
  const shown = jobs.slice(0, LIST_ROWS);
  return (
    <Section title={TITLE} note={formatPlural(nTrials, "trial")}>
      <CutNote shown={shown.length} total={jobs.length}>
        Choose jobs above to see the others.
      </CutNote>
      <Table caption="Suspects by job" columns={COLUMNS} compact>
        <tbody>
          {shown.map((job) => (
            <tr key={job.jobKey}>
              <td className="name">
                <Link href={trialsPageHref(job.jobKey, { verifier: ["suspect"] })} data-row-link="">
                  {job.jobName}
                </Link>
              </td>
              <td className="numeric">{formatCount(job.nTrials)}</td>
              <CountCell count={job.nTraceback} />
              <CountCell count={job.nLackDetails} />
            </tr>
          ))}
        </tbody>
      </Table>
      <p className="caption errors-note">Outcomes and figures stay as recorded. {rest}</p>
      <Methods>
        <p>
          A log says so: the reward is 0 in all keys, or missing, and a log ends with a traceback of the
          verifier itself or says that it was cancelled. Details missing: the reward is 0 and the trial lacks
          the details that other trials of its task have.
        </p>
      </Methods>
    </Section>
  );
}
