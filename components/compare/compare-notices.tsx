import { Notice } from "@/components/ui/notice";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { formatPlural } from "@/lib/core/format/number";
import type { ComparePage } from "@/lib/pages/compare/page";

export function UnknownGroups({ refs }: { refs: readonly string[] }) {
  if (refs.length === 0) return null;
  return (
    <Notice
      tone="error"
      title={`${formatPlural(refs.length, "group")} of this URL ${refs.length === 1 ? "is" : "are"} not open`}
      code={refs.join("\n")}
    >
      The job was renamed, moved or deleted, or its folder is not open. The rest are shown.
    </Notice>
  );
}

export function TooManyGroups({ nNamed }: { nNamed: number }) {
  if (nNamed <= MAX_GROUPS) return null;
  return (
    <Notice title={`Only the first ${MAX_GROUPS} of ${nNamed} groups are compared`}>
      A comparison takes {MAX_GROUPS} groups at most. Change groups to choose others.
    </Notice>
  );
}

/** Warns that groups share rollouts, which breaks the assumption of independent samples. */
export function SharedRollouts({ shared }: Pick<ComparePage, "shared">) {
  if (shared.length === 0) return null;
  const [pair] = shared;
  const title =
    shared.length === 1 && pair !== undefined
      ? `${formatPlural(pair.nRollouts, "rollout")} with two verdicts each, not independent samples`
      : "Some groups share rollouts, so they are not independent samples";
  return (
    <Notice tone="error" title={title}>
      {shared.map(({ first, second, nRollouts }) => (
        <p key={`${first.id} ${second.id}`}>
          {formatPlural(nRollouts, "trial")} of {first.label} and {second.label}{" "}
          {nRollouts === 1 ? "is the same agent run" : "are the same agent runs"}, graded twice.
        </p>
      ))}
      <p>
        The difference shows what the verifier changed. Intervals and p-values assume separate runs and do not
        apply. Tokens and cost of a regrade are the source&rsquo;s and count once.
      </p>
    </Notice>
  );
}
