import { CutNote } from "@/components/ui/cut-note";
import { DataTable } from "@/components/ui/data-table";
import { Methods } from "@/components/ui/methods";
import { EXCEPTION_CAUSES } from "@/lib/core/domain/exception-cause";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { formatPlural } from "@/lib/core/format/number";
import { errorsHref, type ErrorsParams } from "@/lib/pages/errors/address";
import type { ErrorDetail as Detail } from "@/lib/pages/errors/detail";
import type { ErrorRow, ErrorsPage } from "@/lib/pages/errors/page";

import { listErrorColumns } from "./error-columns";
import { ErrorDetail } from "./error-detail";
import { CAUSE_MEANINGS, CAUSE_WORDS } from "./error-words";

/** Bytes of all rows, of a row without its links, and of a link without its names. */
const MAX_ROWS_BYTES = 700_000;
const ROW_BYTES = 2_000;
const LINK_BYTES = 300;

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
        Use the filters above to find the rest.
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
          detail !== null && row.type === open ? (
            <ErrorDetail row={row} detail={detail} agentModels={page.columns} />
          ) : null
        }
      />
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
