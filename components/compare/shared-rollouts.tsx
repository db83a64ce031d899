import { Notice } from "@/components/ui/notice";
import { formatPlural } from "@/lib/format/number";
import type { ComparePage } from "@/lib/queries/compare/page";

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
            {formatPlural(nRollouts, "trial")} of {first.label} and {second.label}{" "}
            {nRollouts === 1 ? "is the same agent run" : "are the same agent runs"}, graded twice.
          </p>
        ))}
        <p>
          The difference shows what the verifier changed. Intervals and p-values on this page assume separate
          runs and do not apply; tokens and cost of a regrade are the source&rsquo;s and count once.
        </p>
      </Notice>
    </div>
  );
}
