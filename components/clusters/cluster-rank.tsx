import { describeWin } from "@/components/triage/triage-words";
import { Link } from "@/components/ui/link";
import { sumBy } from "@/lib/core/domain/sum-by";
import { triageHref } from "@/lib/pages/triage/address";
import type { TriagePage } from "@/lib/pages/triage/page";

/** The page of causes, which also dismisses one, is about a single dataset: that with most of its trials. */
export function ClusterRank({ clusterKey, triage }: { clusterKey: string; triage: TriagePage }) {
  const { findings, causes, rest } = triage;
  const rows = causes.filter((row) => row.clusterKey === clusterKey);
  const nAll = findings.length + rest.nFindings;
  if (rows.length === 0)
    return (
      <p className="muted">
        Not in the first {findings.length} of {nAll} <Link href={triageHref({})}>causes</Link>.
      </p>
    );
  return (
    <ul className="cluster-ranks" aria-label="Rank among causes">
      {rows.map(({ key, failures, win, dismissal }) => {
        const counts = [...sumBy(failures, ({ dataset }) => dataset)].toSorted(([, a], [, b]) => b - a);
        const rank = findings.findIndex((row) => row.key === key) + 1;
        return (
          <li key={key} className="row">
            <Link href={triageHref({ datasets: counts.slice(0, 1).map(([id]) => id), open: key })}>
              {dismissal === null ? `Rank ${String(rank)} of ${String(nAll)}` : "Dismissed"}
            </Link>{" "}
            {dismissal !== null
              ? `by ${dismissal.author}: “${dismissal.reason}”`
              : win.kind === "unavailable" && win.reason === "several-datasets"
                ? "by number of trials"
                : `by expected gain: ${describeWin(win)}`}
          </li>
        );
      })}
    </ul>
  );
}
