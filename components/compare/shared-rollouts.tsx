import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/format/number";
import type { ComparePage } from "@/lib/queries/compare-page";

import "./unknown-groups.css";

/** Warns that compared groups hold the same rollouts, so that what is computed for independent samples does not apply. */
export function SharedRollouts({ shared }: Pick<ComparePage, "shared">) {
  if (shared.length === 0) return null;
  const [pair] = shared;
  const title =
    shared.length === 1 && pair !== undefined
      ? `${formatPlural(pair.nRollouts, "rollout")} with two verdicts each, not independent samples`
      : "Some groups hold the same rollouts, so they are not independent samples";
  return (
    <div className="unknown-groups">
      <Notice tone="error" title={title}>
        {shared.map(({ first, second, nRollouts }) => (
          <p key={`${first.id} ${second.id}`}>
            {formatPlural(nRollouts, "trial")} of {first.label} ({first.entry.job.name}) and {second.label} (
            {second.entry.job.name}) {nRollouts === 1 ? "is" : "are"} the same agent run, graded by two
            versions of the verifier.
          </p>
        ))}
        <p>
          The difference shows what the verifier changed, not what an agent gained. Intervals and p-values
          here assume separate runs; cost and tokens of a regrade are the source&rsquo;s, so do not add them.
        </p>
      </Notice>
    </div>
  );
}
