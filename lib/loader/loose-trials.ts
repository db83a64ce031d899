import type { DiscoveredJob } from "./discover";
import { parentFolder, ROOT_AS_TRIAL } from "./load-root";

/**
 * Gathers trial folders that have no job above them under the folder that holds them.
 *
 * Where every trial has a holder to itself, such as `cells/<cell>/raw`, the trials are gathered one folder higher, because
 * jobs of one trial each would hide that they belong together.
 */
export function gatherLooseTrials(trials: readonly string[]): DiscoveredJob[] {
  const byParent = Map.groupBy(trials, (trial) => (trial === ROOT_AS_TRIAL ? "" : parentFolder(trial)));
  const single = [...byParent].filter(([parent, group]) => group.length === 1 && parent !== "");
  const byGrandparent = Map.groupBy(single, ([parent]) => parentFolder(parent));
  const jobs = new Map<string, string[]>();
  for (const [parent, group] of byParent) {
    const siblings = byGrandparent.get(parentFolder(parent)) ?? [];
    const isShared = group.length === 1 && parent !== "" && siblings.length > 1;
    const holder = isShared ? parentFolder(parent) : parent;
    const gathered = jobs.get(holder);
    if (gathered === undefined) jobs.set(holder, group);
    else jobs.set(holder, gathered.concat(group));
  }
  return [...jobs].map(([folder, trialFolders]) => ({
    folder,
    kind: "loose",
    trialFolders: trialFolders.sort(),
    folderStamp: null,
  }));
}
