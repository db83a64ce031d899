import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { MAX_GROUPS } from "@/lib/core/domain/compare-filter";
import { formatDifference } from "@/lib/core/format/agent-settings";
import { formatPlural } from "@/lib/core/format/number";
import { groupRef } from "@/lib/pages/address/href";
import { compareParamsHref, type CompareParams, listRunSets } from "@/lib/pages/compare/address";
import type { ComparePage, FoundGroup, Run } from "@/lib/pages/compare/page";

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

export function MixedSettings({ groups, params }: { groups: readonly FoundGroup[]; params: CompareParams }) {
  const mixed = groups.flatMap(({ label, runs }) =>
    runs.flatMap((run) => (run.summary.setups === null ? [] : { run, setups: run.summary.setups, label })),
  );
  if (mixed.length === 0) return null;
  return (
    <ul className="mixed-settings">
      {mixed.map(({ run, setups, label }) => (
        <li key={run.ref}>
          <b>{label}</b> mixes agent settings: {setups.differences.map(formatDifference).join("; ")}.{" "}
          <SplitLink run={run} setups={setups} params={params} />
        </li>
      ))}
    </ul>
  );
}

function SplitLink({
  run,
  setups,
  params,
}: {
  run: Run;
  setups: NonNullable<Run["summary"]["setups"]>;
  params: CompareParams;
}) {
  const parts = setups.parts.map(({ summary }) => groupRef(run.job.key, summary.group.key));
  const refs = params.refs.flatMap((ref) => (ref === run.ref ? parts : ref));
  // The parts of a run set would be joined again.
  if (!params.refs.includes(run.ref) || parts.length === 0 || listRunSets(refs).length > MAX_GROUPS)
    return <span className="muted">It cannot be split here.</span>;
  return <Link href={compareParamsHref(params, { refs })}>Split by setting</Link>;
}
