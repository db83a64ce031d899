import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { type Column, Table } from "@/components/ui/table";
import { formatCount, formatPlural, MISSING } from "@/lib/core/format/number";
import { capitalise, SUSPECT_WORDS } from "@/lib/core/format/words";
import { PARTS } from "@/lib/pages/address/part";
import { jobTrialsHref } from "@/lib/pages/job/address";
import type { JobPage } from "@/lib/pages/job/page";
import type { SuspectsPanel } from "@/lib/pages/job/verifier-checks";
import { logLink, trialPageHref } from "@/lib/pages/trial/address";
import { writeTrialsList } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { GroupAgent } from "../groups/group-cells";

import "../job-page.css";

type SuspectRow = SuspectsPanel["rows"][number];

const TITLE = capitalise(SUSPECT_WORDS.full);

const COLUMNS: readonly Column[] = [
  { id: "task", label: "Task and attempt" },
  { id: "agent", label: "Agent and model" },
  { id: "reward", label: "Reward", numeric: true },
  { id: "log", label: "Log" },
  { id: "details", label: "Details" },
];

/** A reward of 0, or none, may mean that the verifier died. */
export function JobSuspects({ page, panel }: { page: JobPage; panel: SuspectsPanel }) {
  const { rows, nTrials, state } = panel;
  const { key } = page.job;
  if (nTrials === 0) {
    return (
      <Section title={TITLE} id={PARTS.suspects}>
        {state === "reading" ? (
          <DerivedDetailsReading what="Verifiers that may not have finished" />
        ) : (
          <p className="muted">
            No sign of an unfinished verifier in trials with a reward of 0 or without one.
          </p>
        )}
      </Section>
    );
  }
  const all = jobTrialsHref(key, { verifier: ["suspect"] });
  return (
    <Section
      id={PARTS.suspects}
      title={TITLE}
      note="A reward of 0, or none, that may be no verdict"
      actions={<Link href={all}>{formatPlural(nTrials, "trial")}</Link>}
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <Table caption="Suspects by task" columns={COLUMNS}>
        <tbody>
          {rows.map((row) => (
            <SuspectLine key={row.key} row={row} page={page} />
          ))}
        </tbody>
      </Table>
      <p className="caption table-note">
        {nTrials > rows.length ? `The first ${formatCount(rows.length)} are listed. ` : ""}
        Scripts that start a verifier often write a reward of 0 before it ends, so a crash can look like a
        failure. Outcomes and figures are as recorded.
      </p>
    </Section>
  );
}

const SUSPECTS = writeTrialsList({ verifier: ["suspect"] });

function SuspectLine({ row, page }: { row: SuspectRow; page: JobPage }) {
  const jobKey = page.job.key;
  const { traceback, lacksDetails } = row.suspicion;
  return (
    <tr>
      <td className="name">
        <Link className="job-task" href={trialPageHref(jobKey, row.key, { list: SUSPECTS })} data-row-link="">
          {row.taskName}
          <span className="muted">{` ${row.attempt}`}</span>
        </Link>
      </td>
      <td>
        <GroupAgent groups={page.groups} groupKey={row.groupKey} />
      </td>
      <td className={row.rewardText === null ? "numeric unknown" : "numeric"}>{row.rewardText ?? MISSING}</td>
      <td className={traceback === null ? "unknown" : undefined}>
        {traceback === null ? (
          MISSING
        ) : (
          <Link href={trialPageHref(jobKey, row.key, { list: SUSPECTS, ...logLink(traceback) })}>
            {traceback.file}
            {traceback.line === null ? "" : `, line ${formatCount(traceback.line)}`}
          </Link>
        )}
      </td>
      <td className={lacksDetails ? undefined : "muted"}>
        {lacksDetails ? "none, others of the task have some" : "as others"}
      </td>
    </tr>
  );
}
