import { ChevronDown, ChevronRight } from "lucide-react";
import { Fragment } from "react";

import { errorsHref, type ErrorsParams } from "@/lib/addresses/errors";
import { jobTrialsHref } from "@/lib/addresses/job";
import { CutNote } from "@/components/ui/cut-note";
import { Mark } from "@/components/ui/mark";
import { Methods } from "@/components/ui/methods";
import { SoftLink } from "@/components/ui/soft-link";
import { Table } from "@/components/ui/table";
import type { Column } from "@/components/ui/table";
import { EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import { formatCount, formatPlural } from "@/lib/format/number";
import type { AgentModel, ErrorCount, ErrorRow, ErrorsPage, JobSpread } from "@/lib/queries/errors/page";
import type { ErrorDetail as Detail } from "@/lib/queries/errors/detail";

import { AgentModelHeading } from "./agent-model-heading";
import { CAUSE_MEANINGS, CAUSE_WORDS, describeRate, formatRate } from "./error-words";
import { ErrorDetail } from "./error-detail";
import { RatePlot, RateScale, selectRateEnd } from "./rate-plot";

const REWARD_COLUMNS: readonly Column[] = [
  { id: "none", label: "No reward", numeric: true },
  { id: "zero", label: "Reward 0", numeric: true },
  {
    id: "partial",
    label: "Partial",
    numeric: true,
    minor: true,
    title: "Between 0 and 1, or several keys without a headline",
  },
  { id: "one", label: "Reward 1", numeric: true },
];

function listColumns(page: ErrorsPage, end: number, hasOthers: boolean): readonly Column[] {
  return [
    { id: "type", label: "Exception" },
    ...page.columns.map((agentModel) => ({
      id: agentModel.name,
      label: <AgentModelHeading agentModel={agentModel} all={page.scope.agentModels} />,
      numeric: true,
    })),
    ...(hasOthers
      ? [{ id: "others", label: "Others", numeric: true, title: "Agents without their own column" }]
      : []),
    { id: "trials", label: "Trials", numeric: true, sorted: "desc" },
    { id: "rate", label: `% of ${formatCount(page.scope.nTrials)}`, numeric: true },
    { id: "interval", label: <RateScale end={end} />, minor: true },
    ...REWARD_COLUMNS,
  ];
}

/** Bytes of all rows, of a row beside its links, and of a link beside its names. */
const MAX_ROWS_BYTES = 700_000;
const ROW_BYTES = 2_000;
const LINK_BYTES = 300;

/** As many rows as fit, the open one first of all; each links to its own address and to the trials of each column. */
function selectRows({ rows }: ErrorsPage, { open, agents }: ErrorsParams): ReadonlySet<ErrorRow> {
  const chosenBytes = agents.reduce((sum, agent) => sum + countAddressBytes(agent), 0);
  const sorted = rows.toSorted((a, b) => Number(b.type === open) - Number(a.type === open));
  const fitting = takeFitting(sorted, MAX_ROWS_BYTES, ({ type, counts, spread }) => {
    const [job] = spread.jobs;
    const jobBytes = countAddressBytes(job?.jobKey ?? "") + countPageBytes(job?.jobName ?? "");
    const agentBytes = counts.reduce((sum, { agentModel }) => sum + countAddressBytes(agentModel), 0);
    const linkBytes = LINK_BYTES + countAddressBytes(type) + jobBytes;
    return ROW_BYTES + countPageBytes(type) + chosenBytes + agentBytes + (counts.length + 2) * linkBytes;
  });
  return new Set(fitting);
}

/** Exceptions by cause and type; a row unfolds to its message and trials, which are `detail`. */
export function ErrorsTable({
  page,
  detail,
  params,
}: {
  page: ErrorsPage;
  detail: Detail | null;
  params: ErrorsParams;
}) {
  const end = selectRateEnd(page.rows.map(({ rate }) => rate));
  const hasOthers = page.rows.some(({ nOthers }) => nOthers > 0);
  const columns = listColumns(page, end, hasOthers);
  const view = { params, detail, end, hasOthers, nColumns: columns.length, agentModels: page.columns };
  const shown = selectRows(page, params);
  const groups = EXCEPTION_CAUSES.map((cause) => ({
    cause,
    rows: page.rows.filter((row) => row.cause === cause && shown.has(row)),
  }));
  return (
    <>
      <CutNote shown={shown.size} total={page.rows.length}>
        Use the filters above to find the rest.
      </CutNote>
      <Table caption="Exceptions by cause and type" columns={columns}>
        <tbody>
          {groups.map(({ cause, rows }) =>
            rows.length === 0 ? null : (
              <Fragment key={cause}>
                <tr className="group-row">
                  <td colSpan={columns.length}>
                    {CAUSE_WORDS[cause]}{" "}
                    <span className="muted error-meaning">
                      {formatPlural(
                        rows.reduce((sum, row) => sum + row.nTrials, 0),
                        "trial",
                      )}
                      , {CAUSE_MEANINGS[cause]}
                    </span>
                  </td>
                </tr>
                {rows.map((row) => (
                  <ErrorLines key={row.type} row={row} view={view} />
                ))}
              </Fragment>
            ),
          )}
        </tbody>
      </Table>
      <p className="caption errors-note">
        A trial can have both an exception and a reward; the reward then counts.
      </p>
      <Methods>
        <p>
          Interval: 95 %, Wilson, taking trials as independent. The cause follows from the name of the type;
          for a plain TimeoutError, from whether a step’s verifier ran.
        </p>
      </Methods>
    </>
  );
}

interface View {
  readonly detail: Detail | null;
  readonly params: ErrorsParams;
  readonly end: number;
  readonly hasOthers: boolean;
  readonly nColumns: number;
  readonly agentModels: readonly AgentModel[];
}

function ErrorLines({ row, view }: { row: ErrorRow; view: View }) {
  const isOpen = view.params.open === row.type && view.detail !== null;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <tr className={isOpen ? "continued" : undefined}>
        <td>
          <SoftLink
            className="error-type"
            href={errorsHref(view.params, { open: isOpen ? "" : row.type })}
            way="replace"
            aria-expanded={isOpen}
            data-row-link=""
          >
            <Chevron size={14} aria-hidden />
            <Mark status={row.mark} />
            <code>{row.type}</code>
          </SoftLink>
        </td>
        {row.counts.map((count) => (
          <CountCell key={count.agentModel} row={row} count={count} agentModels={view.agentModels} />
        ))}
        {view.hasOthers ? <NumberCell value={row.nOthers} /> : null}
        <td className="numeric">
          <b>
            <TrialsLink spread={row.spread} count={row.nTrials} type={row.type} agent={null} />
          </b>
        </td>
        <td className="numeric" title={describeRate(row.rate)}>
          {formatRate(row.rate)}
        </td>
        <td className="interval-cell minor">
          <RatePlot rate={row.rate} end={view.end} />
        </td>
        <NumberCell value={row.rewards.none} />
        <NumberCell value={row.rewards.zero} />
        <NumberCell value={row.rewards.partial} minor />
        <NumberCell value={row.rewards.one} />
      </tr>
      {isOpen ? (
        <tr className="error-detail">
          <td colSpan={view.nColumns}>
            <ErrorDetail row={row} detail={view.detail} agentModels={view.agentModels} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

function CountCell({
  row,
  count,
  agentModels,
}: {
  row: ErrorRow;
  count: ErrorCount;
  agentModels: readonly AgentModel[];
}) {
  const agent = agentModels.find(({ name }) => name === count.agentModel)?.agent ?? null;
  return (
    <td className={count.count === 0 ? "numeric zero" : "numeric"} title={describeRate(count.rate)}>
      <TrialsLink spread={count.spread} count={count.count} type={row.type} agent={agent} />
    </td>
  );
}

/** A count that opens its trials where they are all in one job; elsewhere the unfolded row lists the jobs. */
function TrialsLink({
  spread,
  count,
  type,
  agent,
}: {
  spread: JobSpread;
  count: number;
  type: string;
  agent: string | null;
}) {
  const only = spread.nJobs === 1 ? spread.jobs[0] : undefined;
  if (only === undefined) return formatCount(count);
  const href = jobTrialsHref(only.jobKey, { exceptions: [type], agents: agent === null ? [] : [agent] });
  return (
    <SoftLink className="quiet" href={href} title={`Open ${formatPlural(count, "trial")} in ${only.jobName}`}>
      {formatCount(count)}
    </SoftLink>
  );
}

function NumberCell({ value, minor = false }: { value: number; minor?: boolean }) {
  return (
    <td className={`numeric${value === 0 ? " zero" : ""}${minor ? " minor" : ""}`}>{formatCount(value)}</td>
  );
}
