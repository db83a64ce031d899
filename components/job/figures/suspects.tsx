import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/page-title";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Unknown } from "@/components/ui/values";
import { formatCount, formatPlural } from "@/lib/core/format/number";
import { capitalise, SUSPECT_WORDS, formatTask } from "@/lib/core/format/words";
import { PARTS } from "@/lib/pages/address/part";
import type { JobPage } from "@/lib/pages/job/page";
import type { SuspectsPanel } from "@/lib/pages/job/verifier-checks";
import { logLink, trialPageHref, type TrialParams } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

import { DerivedDetailsOutdated, DerivedDetailsReading } from "../derived-details-reading";
import { GroupAgent } from "../group-cells";

import "../job-page.css";

type SuspectRow = SuspectsPanel["rows"][number];

const TITLE = capitalise(SUSPECT_WORDS.full);

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
            No signs of an unfinished verifier in trials with a reward of 0 or no reward
          </p>
        )}
      </Section>
    );
  }
  const all = trialsPageHref(key, { verifier: ["suspect"] });
  return (
    <Section
      id={PARTS.suspects}
      title={TITLE}
      note="Rewards of 0, or none, that may not be verdicts"
      actions={<Link href={all}>{formatPlural(nTrials, "trial")}</Link>}
    >
      {state === "reading" ? <DerivedDetailsOutdated /> : null}
      <DataTable
        caption="Suspects by task"
        columns={listColumns(page)}
        rows={rows}
        rowKey={(row) => row.key}
      />
      <p className="caption table-note">
        {nTrials > rows.length ? `The first ${formatCount(rows.length)} are listed. ` : ""}
        Scripts often write a reward of 0 before their verifier ends, so a crash can look like a failure.
        Outcomes and figures are as recorded.
      </p>
    </Section>
  );
}

const SUSPECTS = writeTrialsList({ verifier: ["suspect"] });

function listColumns({ job, groups }: JobPage): readonly DataColumn<SuspectRow>[] {
  const hrefOf = (key: string, more: Partial<TrialParams> = {}) =>
    trialPageHref(job.key, key, { list: SUSPECTS, ...more });
  return [
    column(
      "Task and attempt",
      ({ key, taskName, attempt }) => (
        <Link className="job-task" href={hrefOf(key)} data-row-link="">
          {formatTask({ taskName, trialName: key })}
          <span className="muted">{` ${attempt}`}</span>
        </Link>
      ),
      { className: "name" },
    ),
    column("Agent and model", ({ groupKey }) => <GroupAgent groups={groups} groupKey={groupKey} />),
    column("Reward", ({ rewardText }) => rewardText ?? <Unknown />, { numeric: true }),
    column("Log", ({ key, suspicion: { traceback } }) =>
      traceback === null ? (
        <Unknown />
      ) : (
        <Link href={hrefOf(key, logLink(traceback))}>
          {traceback.file}
          {traceback.line === null ? "" : `, line ${formatCount(traceback.line)}`}
        </Link>
      ),
    ),
    column("Details", ({ suspicion: { lacksDetails } }) =>
      lacksDetails ? "missing, unlike other trials of the task" : <span className="muted">as others</span>,
    ),
  ];
}
