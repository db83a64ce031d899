import type { Annotation } from "@/lib/domain/annotation";
import { countPageBytes } from "@/lib/domain/page-bytes";

import type { ReviewerChain } from "./chain";

/** A chain of which a page shows only some versions. */
interface ShownChain extends ReviewerChain {
  /** Whether `current` is null because the version that counts is too much for the page, not because there is none. */
  readonly isCurrentHidden: boolean;
}

export interface ShownChains {
  readonly chains: readonly ShownChain[];
  readonly nReviewers: number;
  readonly nVersions: number;
  /** Versions that are not among those of `chains`; the export has them all. */
  readonly nHidden: number;
}

/** All versions that one page shows of a trial, in bytes of `countPageBytes`. */
const MOST_BYTES = 300_000;
/** Reviewers of one trial, with or without their versions. */
const MOST_CHAINS = 500;

/**
 * As many versions as fit on a page, every one of them whole: those that count before older ones, and before all others those of
 * whoever asks, who may want to change them.
 *
 * @param ownIds - versions that the asking browser saved
 */
export function limitChains(
  all: readonly ReviewerChain[],
  ownIds: ReadonlySet<string> = new Set(),
): ShownChains {
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
    // Two bytes a character at least: most of what does not fit is not counted.
    if ((version.notes?.length ?? 0) * 2 > left) continue;
    const bytes = countPageBytes(JSON.stringify(version));
    if (bytes > left) continue;
    left -= bytes;
    kept.add(version);
  }
  return kept;
}
