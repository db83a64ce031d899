import { ForAction } from "@/components/shell/account-context";
import { Table } from "@/components/ui/table";
import { TimeText } from "@/components/ui/time-text";
import { formatPlural } from "@/lib/core/format/number";
import type { DismissedFinding } from "@/lib/pages/triage/dismissed";

import { RestoreButton } from "./dismiss-form";
import { DismissalHistory } from "./dismissal-history";

export function Dismissed({ dismissed }: { dismissed: readonly DismissedFinding[] }) {
  return (
    <Table
      caption="Dismissed findings"
      columns={[
        { id: "title", label: "Finding" },
        { id: "trials", label: "Trials", numeric: true },
        { id: "reason", label: "Reason" },
        { id: "by", label: "By" },
        { id: "undo", label: <span className="screen-reader">Undo</span> },
      ]}
    >
      <tbody>
        {dismissed.map(({ key, title, nTrials, reason, author, at, base, isOwn, history }) => (
          <tr key={key}>
            <td className="wrap">{title}</td>
            <td className="numeric">{formatPlural(nTrials, "trial")}</td>
            <td className="wrap">
              “{reason}”
              <DismissalHistory history={history} />
            </td>
            <td className="nowrap">
              {author}, <TimeText time={at} />
            </td>
            <td>
              <ForAction action="restoreFindingAction">
                <RestoreButton findingKey={key} base={base} isOwn={isOwn} />
              </ForAction>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
