import "server-only";
import type { Judged } from "../annotations/judged";
import type { Clusters } from "../clusters/clusters";
import { createFindingLister, type JudgmentOf } from "./findings";
import type { Failure } from "./parts";
import type { TriageScope } from "./scope";

/** Returns null for every failure if judgments cannot be read. */
export function createJudgmentOf(judged: Judged | null): JudgmentOf {
  return ({ jobRowId, key }) => {
    const said = judged?.byJob.get(jobRowId)?.get(key)?.judgments.judgment;
    if (said === undefined) return null;
    return said === "pass" || said === "fail" ? said : "open";
  };
}

interface FindingLister extends Pick<Clusters, "headOf"> {
  readonly judged: Judged | null;
  readonly list: ReturnType<typeof createFindingLister>;
}

const listers = new WeakMap<readonly Failure[], FindingLister>();

/** Cached for all filters of a scope while clusters and judgments stay the same. */
export function getFindingLister(
  { all, cells }: TriageScope,
  headOf: Clusters["headOf"],
  judged: Judged | null,
): FindingLister["list"] {
  const known = listers.get(all);
  if (known?.headOf === headOf && known.judged === judged) return known.list;
  const list = createFindingLister(all, cells, headOf, createJudgmentOf(judged));
  listers.set(all, { headOf, judged, list });
  return list;
}
