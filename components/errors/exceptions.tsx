import { ChevronDown, ChevronRight } from "lucide-react";

import { SensitivityTable } from "@/components/sensitivity/sensitivity-table";
import { countWho, listWho, WhoStrip } from "@/components/triage/who-strip";
import { AgentMark } from "@/components/ui/agent-mark";
import { AgentName } from "@/components/ui/agent-name";
import { ButtonLink } from "@/components/ui/button";
import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { facetsOf } from "@/components/ui/facets-of";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { Notice } from "@/components/ui/notice";
import { ShareBar } from "@/components/ui/outcome-bar";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TableSection } from "@/components/ui/table-section";
import { Count } from "@/components/ui/values";
import { EXCEPTION_CAUSES, type ExceptionCause } from "@/lib/core/domain/exception-cause";
import { formatPlural, formatCount } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import { OUTCOME_WORDS, formatTask, capitalise, SUSPECT_WORDS } from "@/lib/core/format/words";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type {
  AgentErrors,
  ScoreEffect,
  ErrorDetail as Detail,
  Suspects,
  ErrorsPage,
  ErrorRow,
  JobSpread,
} from "@/lib/pages/errors/page";
import { trialPageHref } from "@/lib/pages/trial/address";
import { trialsPageHref, writeTrialsList } from "@/lib/pages/trials/address";

import {
  CAUSE_WORDS,
  CAUSE_MEANINGS,
  describeRate,
  formatRate,
  rateColumn,
  selectRateEnd,
  describeUnread,
} from "./rates";

export function ErrorsFilters({ page, params }: { page: ErrorsPage; params: ErrorsParams }) {
  const { facets } = page;
  const jobNames = new Map(facets.jobs.map(({ jobKey, jobName }) => [jobKey, jobName]));
  const jobs = facets.jobs.map(({ jobKey, count }) => ({ value: jobKey, count }));
  const causes = facets.causes.toSorted((a, b) => rankCause(a.value) - rankCause(b.value));
  const facet = facetsOf(params, (change) => errorsHref(params, change));
  return (
    <FilterBar count={`${formatPlural(page.rows.length, "type")}, ${formatPlural(page.nErrors, "trial")}`}>
      <FilterText label="Find in messages" resets={["open"]} />
      {facet("Job", "jobs", jobs, (key) => jobNames.get(key))}
      {facet("Agent", "agents", facets.agents)}
      {facet("Cause", "causes", causes, (cause) => CAUSE_WORDS[cause])}
    </FilterBar>
  );
}

function rankCause(cause: ErrorRow["cause"]): number {
  return EXCEPTION_CAUSES.indexOf(cause);
}

const FILTERS: readonly Filter<ErrorsParams>[] = [
  ["Text", { text: "" }],
  ["Cause", { causes: [] }],
  ["Agent", { agents: [] }],
  ["Job", { jobs: [] }],
];

export function NoErrors({ page, ...list }: Filtered<ErrorsParams> & { page: ErrorsPage }) {
  const { params } = list;
  if (page.scope.nTrials === 0) {
    return (
      <Notice title="No finished trials" actions={<ButtonLink href={errorsHref({})}>All jobs</ButtonLink>}>
        The chosen jobs and agents have no finished trials.
        {page.scope.nUnread === 0
          ? ""
          : ` ${formatPlural(page.scope.nUnread, "job")} ${page.scope.nUnread === 1 ? "is" : "are"} not read yet.`}
      </Notice>
    );
  }
  if (params.text !== "" || params.causes.length > 0) {
    return (
      <NoMatches
        {...list}
        noun="type of exception"
        plural="types of exceptions"
        filters={FILTERS}
        hrefOf={errorsHref}
      />
    );
  }
  return (
    <Notice title="No exceptions">
      All of {formatPlural(page.scope.nTrials, "finished trial")} ended without one. A trial can still fail:
      that is the verifier’s verdict, not an error.
    </Notice>
  );
}

const MOST_TYPES = 30;

interface ErrorsTableProps {
  readonly page: ErrorsPage;
  readonly detail: Detail | null;
  readonly params: ErrorsParams;
}

export function ErrorsTable({ page, detail, params }: ErrorsTableProps) {
  const isFirst = ({ type }: ErrorRow) => Number(type === params.open);
  const rows = page.rows
    .toSorted((a, b) => isFirst(b) - isFirst(a))
    .slice(0, MOST_TYPES)
    .toSorted((a, b) => rankCause(a.cause) - rankCause(b.cause) || b.nTrials - a.nTrials);
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
      <span className="muted">
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
    column(
      "Exception",
      ({ type, mark }) => {
        const isOpen = type === open;
        const Chevron = isOpen ? ChevronDown : ChevronRight;
        return (
          <Link
            className="inline-row error-type"
            href={errorsHref(params, { open: isOpen ? null : type })}
            mode="replace"
            aria-expanded={isOpen}
            data-row-link=""
          >
            <Chevron size={14} aria-hidden />
            <Mark status={mark} />
            <code>{type}</code>
          </Link>
        );
      },
      { phone: "first" },
    ),
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
    rateColumn({ end, width: PLOT_WIDTH, rateOf: ({ rate }) => rate }),
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
      <ul className="flow error-rates">
        {row.rates.map(({ agentModel, rate }) => (
          <li key={agentModel.name} className="row">
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
      <p className="flow error-jobs">
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

const MOST_AGENTS = 12;
const NUMERIC = { numeric: true } as const;

interface AgentErrorsTableProps {
  readonly agents: readonly AgentErrors[];
  readonly causes: readonly ExceptionCause[];
  readonly params: ErrorsParams;
}

export function AgentErrorsTable({ agents, causes, params }: AgentErrorsTableProps) {
  const end = selectRateEnd(agents.slice(0, MOST_AGENTS).map(({ rate }) => rate));
  return (
    <TableSection
      title="Rate by agent"
      caption="Exceptions by agent and model"
      note="Share of the agent’s finished trials with any exception"
      most={MOST_AGENTS}
      cut="Filter by job or agent to see agents with fewer exceptions."
      className=""
      columns={listColumns(causes, params, end)}
      rows={agents}
      rowKey={({ agentModel }) => agentModel.name}
    />
  );
}

function listColumns(
  causes: readonly ExceptionCause[],
  params: ErrorsParams,
  end: number,
): readonly DataColumn<AgentErrors>[] {
  return [
    column("Agent and model", ({ agentModel }) => (
      <Link
        className="quiet"
        href={errorsHref(params, { agents: [agentModel.name], open: null })}
        title="Show this agent alone"
      >
        <AgentName {...agentModel} />
      </Link>
    )),
    column("Finished trials", ({ agentModel }) => formatCount(agentModel.nTrials), NUMERIC),
    column(
      "With exception",
      ({ rate }) => <b>{formatCount(rate.kind === "computed" ? rate.count : 0)}</b>,
      NUMERIC,
    ),
    column(
      "%",
      ({ rate }) => formatRate(rate),
      NUMERIC,
      ({ rate }) => ({ title: describeRate(rate) }),
    ),
    rateColumn({
      end,
      width: 208,
      rateOf: ({ rate }) => rate,
      identityOf: ({ agentModel }) => agentModel.identity,
    }),
    ...causes.map((cause) =>
      column<AgentErrors>(CAUSE_WORDS[cause], (row) => <Count value={row.causes.get(cause) ?? 0} />, {
        ...NUMERIC,
        room: "minor",
      }),
    ),
  ];
}

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
  column("Trials", ({ nTrials }) => formatCount(nTrials), NUMERIC),
  column("A log says so", ({ nTraceback }) => <Count value={nTraceback} />, NUMERIC),
  column(
    "Details missing (other attempts have them)",
    ({ nLackDetails }) => <Count value={nLackDetails} />,
    NUMERIC,
  ),
];

/** These trials are not exceptions and in no rate above. */
export function SuspectsTable({ suspects }: { suspects: Suspects }) {
  const { jobs, nTrials, nToRead } = suspects;
  const rest = describeUnread(nToRead);
  return (
    <TableSection
      title={capitalise(SUSPECT_WORDS.full)}
      caption="Suspects by job"
      note={nTrials === 0 ? undefined : formatPlural(nTrials, "trial")}
      empty={rest || "No signs of an unfinished verifier in these trials"}
      cut="Filter by job to see the others."
      columns={COLUMNS}
      rows={jobs}
      rowKey={({ jobKey }) => jobKey}
    >
      {nTrials === 0 ? null : <SuspectNotes rest={rest} />}
    </TableSection>
  );
}

function SuspectNotes({ rest }: { rest: string }) {
  return (
    <>
      <p className="caption errors-note">Outcomes and figures are as recorded. {rest}</p>
      <Methods>
        <p>
          A log says so: the reward is 0 in all keys, or missing, and a log ends with a traceback of the
          verifier or reports its cancellation. Details missing: the reward is 0 and the trial lacks the
          details that other trials of its task have.
        </p>
      </Methods>
    </>
  );
}

export function ScoreEffectsTable({ effects }: { effects: readonly ScoreEffect[] }) {
  if (effects.length === 0)
    return (
      <p className="muted">
        Every finished trial has a reward, and none was failed by infrastructure or stopped at a time limit.
      </p>
    );
  return (
    <SensitivityTable
      heading="Agent and model"
      rows={effects.map(({ agentModel, line }) => ({
        id: agentModel.name,
        name: <AgentName {...agentModel} />,
        identity: agentModel.identity,
        line,
      }))}
    />
  );
}
