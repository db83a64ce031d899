import type { Annotation } from "@/lib/core/domain/annotation";
import { countPageBytes } from "@/lib/core/domain/page-bytes";

import type { ReviewerChain } from "./chain";

export type ShownChains = ReturnType<typeof limitChains>;

/** Limit for the versions of a trial on one page, in bytes of `countPageBytes`. */
const MOST_BYTES = 300_000;
const MOST_CHAINS = 500;

/** Fits whole versions on a page: the viewer's own first, then current ones, then older ones. */
export function limitChains(all: readonly ReviewerChain[], ownIds: ReadonlySet<string> = new Set()) {
  const isOwn = (chain: ReviewerChain) => chain.versions.some(({ versionId }) => ownIds.has(versionId));
  const chains = ownIds.size === 0 ? all : all.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const shown = chains.slice(0, MOST_CHAINS);
  const kept = selectFitting([
    ...shown.flatMap(({ current }) => current ?? []),
    ...shown.flatMap(({ versions }) => versions.filter(({ status }) => status !== "current")),
  ]);
  const nVersions = all.reduce((sum, { versions }) => sum + versions.length, 0);
  return {
    chains: shown.map((chain) => {
      const isCurrentHidden = chain.current !== null && !kept.has(chain.current);
      return {
        ...chain,
        current: isCurrentHidden ? null : chain.current,
        versions: chain.versions.filter((version) => kept.has(version)),
        isCurrentHidden,
      };
    }),
    nReviewers: all.length,
    nVersions,
    nHidden: nVersions - kept.size,
  };
}

function selectFitting(versions: readonly Annotation[]): ReadonlySet<Annotation> {
  const kept = new Set<Annotation>();
  let left = MOST_BYTES;
  for (const version of versions) {
    // A character takes at least two bytes, so skip long notes without counting.
    if ((version.notes?.length ?? 0) * 2 > left) continue;
    const bytes = countPageBytes(JSON.stringify(version));
    if (bytes > left) continue;
    left -= bytes;
    kept.add(version);
  }
  return kept;
}
