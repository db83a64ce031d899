import { TimeText } from "@/components/ui/time-text";
import { formatPlural } from "@/lib/core/format/number";
import type { FindingChange } from "@/lib/pages/triage/page";

export function DismissalHistory({ history }: { history: readonly FindingChange[] }) {
  if (history.length === 0) return null;
  return (
    <details className="caption">
      <summary>{formatPlural(history.length, "earlier change")}</summary>
      <ol>
        {history.map(({ reason, undoReason, author, at }, nth) => (
          <li key={nth}>
            {reason === null ? "Shown again" : "Dismissed"} by {author}, <TimeText time={at} />
            {(reason ?? undoReason) === null ? null : <>: “{reason ?? undoReason}”</>}
          </li>
        ))}
      </ol>
    </details>
  );
}
