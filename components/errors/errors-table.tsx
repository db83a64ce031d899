import { ChevronDown, ChevronRight } from "lucide-react";

import { countWho, listWho } from "@/components/triage/who";
import { WhoStrip } from "@/components/triage/who-strip";
import { AgentMark } from "@/components/ui/agent-mark";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import { ShareBar } from "@/components/ui/outcome-bar";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { Count } from "@/components/ui/values";
import { EXCEPTION_CAUSES } from "@/lib/core/domain/exception-cause";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { OUTCOME_WORDS, formatTask } from "@/lib/core/format/words";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { ErrorDetail as Detail } from "@/lib/pages/errors/detail";
import type { ErrorRow, ErrorsPage, JobSpread } from "@/lib/pages/errors/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

import { CAUSE_MEANINGS, CAUSE_WORDS, describeRate, formatRate } from "./error-words";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

/** Bytes of all rows, of a row without its links, and of a link without its names. */
const MAX_ROWS_BYTES = 700_000;
const ROW_BYTES = 2_000;
const LINK_BYTES = 300;

function selectRows(page: ErrorsPage, { open, agents }: ErrorsParams): ReadonlySet<ErrorRow> {
  const chosenBytes = agents.reduce((sum, agent) => sum + countAddressBytes(agent), 0);
  const { names } = listWho(page.agents.map(({ name }) => name));
  // Each dot has its agent's name, and the label repeats it.
  const agentBytes = names.reduce((sum, name) => sum + 2 * countPageBytes(name), 0);
  const sorted = page.rows.toSorted((a, b) => Number(b.type === open) - Number(a.type === open));
  const fitting = takeFitting(sorted, MAX_ROWS_BYTES, ({ type, spread }) => {
    const [job] = spread.jobs;
    const jobBytes = countAddressBytes(job?.jobKey ?? "") + countPageBytes(job?.jobName ?? "");
    const linkBytes = LINK_BYTES + countAddressBytes(type) + jobBytes;
    return ROW_BYTES + countPageBytes(type) + chosenBytes + agentBytes + 2 * linkBytes;
  });
  return new Set(fitting);
}

export function ErrorsTable({
  page,
  detail,
  params,
}: {
  page: ErrorsPage;
  detail: Detail | null;
  params: ErrorsParams;
}) {
  const fitting = selectRows(page, params);
  const rows = EXCEPTION_CAUSES.flatMap((cause) =>
    page.rows.filter((row) => row.cause === cause && fitting.has(row)),
  );
  const open = detail === null ? null : params.open;
  return (
    <>
      <CutNote shown={rows.length} total={page.rows.length}>
        Filter to find the rest.
      </CutNote>
      <DataTable
        caption="Exceptions by cause and type"
        columns={listErrorColumns(page, params, open)}
        rows={rows}
        rowKey={({ type }) => type}
        // The order is fixed: by cause, most trials first.
        order={{ sorts: [], sort: "trials", descending: true, hrefOf: () => errorsHref(params, {}) }}
        heading={({ cause }, at) =>
          cause === rows[at - 1]?.cause ? null : <Cause cause={cause} rows={rows} />
        }
        below={(row) =>
          detail !== null && row.type === open ? <ErrorDetail row={row} detail={detail} /> : null
        }
      />
      <p className="caption errors-note">
        A trial can have both an exception and a reward; the reward then counts.
      </p>
      <Methods>
        <p>
          Interval: 95 %, Wilson, treating trials as independent. The cause follows from the type name; for a
          plain TimeoutError, from whether a step’s verifier ran.
        </p>
      </Methods>
    </>
  );
}

function Cause({ cause, rows }: { cause: ErrorRow["cause"]; rows: readonly ErrorRow[] }) {
  const nTrials = rows.reduce((sum, row) => sum + (row.cause === cause ? row.nTrials : 0), 0);
  return (
    <>
      {CAUSE_WORDS[cause]}{" "}
      <span className="muted error-meaning">
        {formatPlural(nTrials, "trial")}, {CAUSE_MEANINGS[cause]}
      </span>
    </>
  );
}

/** Width of a rate plot in pixels: at 1024 px all but the minor columns fit. */
const PLOT_WIDTH = 108;

function listErrorColumns(
  { rows, scope, agents }: ErrorsPage,
  params: ErrorsParams,
  open: string | null,
): readonly DataColumn<ErrorRow>[] {
  const end = selectRateEnd(rows.map(({ rate }) => rate));
  const who = listWho(agents.map(({ name }) => name));
  return [
    column("Exception", (row) => <TypeLink row={row} params={params} isOpen={row.type === open} />, {
      phone: "first",
    }),
    column("Who", ({ byAgent }) => <WhoStrip counts={countWho(byAgent, who)} agents={who.names} />, {
      room: "minor",
      title: "One dot per agent, most exceptions first",
    }),
    column(
      "Trials",
      ({ spread, nTrials, type }) => (
        <b>
          <TrialsLink spread={spread} count={nTrials} type={type} />
        </b>
      ),
      { numeric: true, sort: "trials", phone: "score" },
    ),
    {
      id: "rate",
      header: `% of ${formatCount(scope.nTrials)}`,
      meta: { numeric: true, phone: "labelled" },
      cell: ({ rate }) => <span title={describeRate(rate)}>{formatRate(rate)}</span>,
    },
    {
      id: "interval",
      header: <RateScale end={end} width={PLOT_WIDTH} />,
      meta: { className: "interval-cell" },
      cell: ({ rate }) => <RatePlot rate={rate} end={end} width={PLOT_WIDTH} />,
    },
    column("Reward", ({ rewards }) => (
      <ShareBar
        parts={[
          ["passed", rewards.one, "with reward 1"],
          ["partial", rewards.partial, "partial"],
          ["failed", rewards.zero, "with reward 0"],
          ["unscored", rewards.none, "without reward"],
        ]}
      />
    )),
  ];
}

function TypeLink({ row, params, isOpen }: { row: ErrorRow; params: ErrorsParams; isOpen: boolean }) {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Link
      className="error-type"
      href={errorsHref(params, { open: isOpen ? null : row.type })}
      mode="replace"
      aria-expanded={isOpen}
      data-row-link=""
    >
      <Chevron size={14} aria-hidden />
      <Mark status={row.mark} />
      <code>{row.type}</code>
    </Link>
  );
}

function TrialsLink({ spread, count, type }: { spread: JobSpread; count: number; type: string }) {
  const only = spread.nJobs === 1 ? spread.jobs[0] : undefined;
  if (only === undefined) return <Count value={count} />;
  return (
    <Count
      value={count}
      href={trialsPageHref(only.jobKey, { exceptions: [type] })}
      title={`Open ${formatPlural(count, "trial")} in ${only.jobName}`}
    />
  );
}

function ErrorDetail({ row, detail }: { row: ErrorRow; detail: Detail }) {
  const { nJobs, jobs } = row.spread;
  // Next and previous go through all trials with this exception, in any job.
  const list = writeTrialsList({ isOfAllJobs: true, exceptions: [row.type] });
  return (
    <>
      <p className="error-message">
        {detail.message === null ? (
          <span className="muted">No message was recorded.</span>
        ) : (
          <code>{detail.message}</code>
        )}
        {detail.nMessages > 1 ? (
          <span className="muted">
            {" "}
            the most common of {formatPlural(detail.nMessages, "different message")}
          </span>
        ) : null}
      </p>
      <ul className="error-rates">
        {row.rates.map(({ agentModel, rate }) => (
          <li key={agentModel.name}>
            <AgentMark identity={agentModel.identity} />
            <span>{agentModel.name}</span>
            <span className="muted">{describeRate(rate)}</span>
          </li>
        ))}
      </ul>
      <ul className="error-trials">
        {detail.trials.map((trial) => (
          <li key={`${trial.jobKey}/${trial.key}`} className="row">
            <AgentMark identity={trial.agentModel?.identity ?? 0} />
            <Link
              className="quiet cut grow"
              href={trialPageHref(trial.jobKey, trial.key, { list })}
              title={`${trial.agentModel?.name ?? ""}, ${formatTask({ ...trial, trialName: trial.key })}, attempt ${String(trial.attempt)}`}
            >
              {formatTask({ ...trial, trialName: trial.key })}, attempt {trial.attempt}
              {trial.stepName === null ? null : `, step ${trial.stepName}`}
            </Link>
            <Mark status={trial.outcome} label={OUTCOME_WORDS[trial.outcome]} />
            <span className="muted nowrap">{formatDuration(trial.durationMs)}</span>
          </li>
        ))}
      </ul>
      <p className="error-jobs">
        {jobs.map(({ jobKey, jobName, count }) => (
          <Link key={jobKey} href={trialsPageHref(jobKey, { exceptions: [row.type] })}>
            {nJobs === 1 ? `All ${formatPlural(count, "trial")}` : formatPlural(count, "trial")} in {jobName}
          </Link>
        ))}
        {nJobs > jobs.length ? (
          <span className="muted">and {formatCount(nJobs - jobs.length)} more jobs with fewer</span>
        ) : null}
      </p>
    </>
  );
}
