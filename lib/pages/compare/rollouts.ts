import "server-only";
import type { RolloutLink } from "@/lib/store/tables";

import type { FoundGroup } from "./groups";

/**
 * Finds groups that share rollouts: a source and its regrade, or two regrades of one source. Such groups are not independent
 * samples.
 */
export function findSharedRollouts(groups: readonly FoundGroup[], links: readonly RolloutLink[]) {
  const ends = links.map((link) => ({
    trial: `${link.jobRowId} ${link.position}`,
    group: `${link.jobRowId} ${link.groupKey}`,
    source: `${link.sourceJobRowId} ${link.sourcePosition}`,
    sourceGroup: `${link.sourceJobRowId} ${link.sourceGroupKey}`,
  }));
  const sources = new Map(ends.map(({ trial, source }) => [trial, source]));
  const sets = groups.map(({ runs }) => {
    const names = new Set(runs.map(({ job, group }) => `${job.rowId} ${group.key}`));
    const regrades = ends.filter((end) => names.has(end.group)).map(({ trial }) => trial);
    const regraded = ends.filter((end) => names.has(end.sourceGroup)).map(({ source }) => source);
    return new Set([...regrades, ...regraded].map((trial) => findRun(trial, sources)));
  });
  return groups.flatMap((first, index) =>
    groups.slice(index + 1).flatMap((second, offset) => {
      const [own, other] = [sets[index], sets[index + 1 + offset]];
      const nRollouts = [...(own ?? [])].filter((name) => other?.has(name)).length;
      return nRollouts === 0 ? [] : [{ first, second, nRollouts }];
    }),
  );
}

/** Returns the original trial. A regrade may itself be regraded, and files may claim a cycle. */
function findRun(trial: string, sources: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = trial;
  for (let source = sources.get(at); source !== undefined && !seen.has(at);) {
    seen.add(at);
    at = source;
    source = sources.get(at);
  }
  return at;
}
