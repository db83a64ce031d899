import { ForAction } from "@/components/shell/account-context";
import { DismissForm, RestoreButton } from "@/components/triage/dismiss-form";
import { describeWin, nameFinding } from "@/components/triage/triage-words";
import { Link } from "@/components/ui/link";
import { sumBy } from "@/lib/core/domain/sum-by";
import { triageHref } from "@/lib/pages/triage/address";
import type { FindingRow, TriagePage } from "@/lib/pages/triage/page";

export function ClusterRank({ clusterKey, triage }: { clusterKey: string; triage: TriagePage }) {
  const { findings, dismissed, rest } = triage;
  const ranked = findings.flatMap((row, at) => (row.clusterKey === clusterKey ? { row, rank: at + 1 } : []));
  const own = dismissed.filter((row) => row.clusterKey === clusterKey);
  const nAll = findings.length + rest.nFindings;
  if (ranked.length === 0 && own.length === 0)
    return (
      <p className="muted">
        Not in the first {findings.length} of {nAll} in{" "}
        <Link href={triageHref({})}>what a fix would win</Link>.
      </p>
    );
  return (
    <ul className="cluster-ranks" aria-label="What a fix would win">
      {ranked.map(({ row, rank }) => (
        <li key={row.key} className="row">
          <Link href={triageHref({ datasets: findDataset(row), open: row.key })}>
            Rank {rank} of {nAll}
          </Link>{" "}
          {row.win.kind === "unavailable" && row.win.reason === "several-datasets"
            ? "by number of trials"
            : `in what a fix would win: ${describeWin(row.win)}`}
          <ForAction action="dismissFindingAction">
            <DismissForm findingKey={row.key} base={row.base} title={nameFinding(row)} />
          </ForAction>
        </li>
      ))}
      {own.map(({ key, base, dismissal }) => (
        <li key={key} className="row">
          Dismissed by {dismissal?.author}: “{dismissal?.reason}”
          <ForAction action="restoreFindingAction">
            <RestoreButton findingKey={key} base={base} isOwn={dismissal?.isOwn === true} />
          </ForAction>
        </li>
      ))}
    </ul>
  );
}

/** The page of causes is about one dataset: that with most of its trials. */
function findDataset({ failures }: FindingRow): readonly string[] {
  const counts = [...sumBy(failures, ({ dataset }) => dataset)].toSorted(([, a], [, b]) => b - a);
  return counts.slice(0, 1).map(([dataset]) => dataset);
}
