import Link from "next/link";

import { compareParamsHref, type CompareParams } from "@/lib/addresses/compare";
import { MAX_GROUPS } from "@/lib/domain/compare-filter";
import { formatDifference } from "@/lib/format/agent-settings";
import { groupRef } from "@/lib/addresses/href";
import type { FoundGroup } from "@/lib/queries/compare/page";

import "./mixed-settings.css";

/** Which compared groups mix agent settings, each with the way to compare its parts instead. */
export function MixedSettings({ groups, params }: { groups: readonly FoundGroup[]; params: CompareParams }) {
  const mixed = groups.filter(({ summary }) => summary.setups !== null);
  if (mixed.length === 0) return null;
  return (
    <ul className="mixed-settings">
      {mixed.map((group) => (
        <li key={group.id}>
          <b>{group.label}</b> mixes agent settings:{" "}
          {group.summary.setups?.differences.map(formatDifference).join("; ")}.{" "}
          <SplitLink group={group} params={params} />
        </li>
      ))}
    </ul>
  );
}

function SplitLink({ group, params }: { group: FoundGroup; params: CompareParams }) {
  const parts = (group.summary.setups?.parts ?? []).map(({ summary }) =>
    groupRef(group.entry.job.key, summary.group.key),
  );
  const refs = params.refs.flatMap((ref) => (ref === group.id ? parts : ref));
  if (parts.length === 0 || refs.length > MAX_GROUPS)
    return <span className="muted">Splitting it would give too many groups to compare.</span>;
  return (
    <Link href={compareParamsHref(params, { refs })} prefetch={false}>
      Split by setting
    </Link>
  );
}
