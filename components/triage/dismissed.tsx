import { ForAction } from "@/components/shell/account-context";
import { DataTable } from "@/components/ui/data-table";
import { column, type DataColumn } from "@/components/ui/table-columns";
import { TimeText } from "@/components/ui/time-text";
import { formatPlural } from "@/lib/core/format/number";
import type { DismissedFinding } from "@/lib/pages/triage/dismissed";

import { RestoreButton } from "./dismiss-form";
import { DismissalHistory } from "./dismissal-history";

const COLUMNS: readonly DataColumn<DismissedFinding>[] = [
  column("Finding", ({ title }) => title, { className: "wrap" }),
  column("Trials", ({ nTrials }) => formatPlural(nTrials, "trial"), { numeric: true }),
  column(
    "Reason",
    ({ reason, history }) => (
      <>
        “{reason}”
        <DismissalHistory history={history} />
      </>
    ),
    { className: "wrap" },
  ),
  column(
    "By",
    ({ author, at }) => (
      <>
        {author}, <TimeText time={at} />
      </>
    ),
    { className: "nowrap" },
  ),
  {
    id: "undo",
    header: <span className="screen-reader">Undo</span>,
    cell: ({ key, base, isOwn }) => (
      <ForAction action="restoreFindingAction">
        <RestoreButton findingKey={key} base={base} isOwn={isOwn} />
      </ForAction>
    ),
  },
];

export function Dismissed({ dismissed }: { dismissed: readonly DismissedFinding[] }) {
  return (
    <DataTable caption="Dismissed findings" columns={COLUMNS} rows={dismissed} rowKey={({ key }) => key} />
  );
}
