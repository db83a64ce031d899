import "server-only";

import type { RolloutLink } from "@/lib/store";

import type { FoundGroup } from "./groups";

/** Two groups in which trials are the same rollout with another verdict. */
export interface SharedRollouts {
  readonly first: FoundGroup;
  readonly second: FoundGroup;
  /** Rollouts that both groups hold a trial of. */
  readonly nRollouts: number;
}

/** Pairs of groups that share rollouts: a source and its regrade, or two regrades of one source. Such groups are no independent samples. */
export function findSharedRollouts(
  groups: readonly FoundGroup[],
  links: readonly RolloutLink[],
): readonly SharedRollouts[] {
  const rollouts = new RolloutIndex(links);
  const sets = groups.map(({ job, group }) => rollouts.listOf(job.rowId, group.key));
  return groups.flatMap((first, index) =>
    groups.slice(index + 1).flatMap((second, offset) => {
      const [own, other] = [sets[index], sets[index + 1 + offset]];
      const nRollouts = [...(own ?? [])].filter((name) => other?.has(name)).length;
      return nRollouts === 0 ? [] : [{ first, second, nRollouts }];
    }),
  );
}

/** Every trial of a link leads to the trial that was run. */
class RolloutIndex {
  private readonly sources = new Map<string, string>();
  private readonly byGroup = new Map<string, Set<string>>();

  constructor(links: readonly RolloutLink[]) {
    for (const link of links) {
      const source = `${link.sourceJobRowId} ${link.sourcePosition}`;
      this.sources.set(`${link.jobRowId} ${link.position}`, source);
    }
    for (const link of links) {
      this.add(link.jobRowId, link.groupKey, `${link.jobRowId} ${link.position}`);
      this.add(link.sourceJobRowId, link.sourceGroupKey, `${link.sourceJobRowId} ${link.sourcePosition}`);
    }
  }

  /** Rollouts of a group that are in any link. */
  listOf(jobRowId: number, groupKey: string): ReadonlySet<string> {
    return this.byGroup.get(`${jobRowId} ${groupKey}`) ?? new Set();
  }

  private add(jobRowId: number, groupKey: string, trial: string): void {
    const group = `${jobRowId} ${groupKey}`;
    const rollouts = this.byGroup.get(group) ?? new Set();
    this.byGroup.set(group, rollouts.add(this.findRun(trial)));
  }

  /** A regrade may itself be regraded; files may also claim a circle, which ends where it began. */
  private findRun(trial: string): string {
    const seen = new Set<string>();
    let at = trial;
    for (let source = this.sources.get(at); source !== undefined && !seen.has(at);) {
      seen.add(at);
      at = source;
      source = this.sources.get(at);
    }
    return at;
  }
}
