import type { TrialIdentity } from "@/lib/domain/annotation";

import type { Sight } from "./sight";

/** A job that can be seen. */
export interface ShownJob {
  /** Its own id; null where its files state none. */
  readonly uuid: string | null;
  readonly key: string;
  readonly name: string;
}

/** What can be seen of the opened folders, for stores that keep what people say of them. */
export interface Shown {
  /** Another one once any of the other answers may be another. */
  readonly version: () => Promise<number>;
  /** The trials that have one of these names. @throws StoreError, as all of them */
  readonly findTrials: (names: Iterable<string>) => Promise<readonly TrialIdentity[]>;
  readonly findJobs: (uuids: readonly string[], keys: readonly string[]) => Promise<readonly ShownJob[]>;
  readonly findClusters: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Those of these texts that are names in hidden folders alone: of jobs, tasks, agents, models, datasets or exceptions, or labels of these folders. */
  readonly findHiddenNames: (texts: readonly string[]) => Promise<ReadonlySet<string>>;
}

declare global {
  /** One a process, as the index that it asks. */
  var assayShown: ((sight: Sight) => Shown) | undefined;
}

/** Says how to find what can be seen; whoever opens the index of a process does. */
export function registerShown(find: (sight: Sight) => Shown): void {
  globalThis.assayShown = find;
}

/**
 * Returns what a sight shows; null for one that shows everything.
 *
 * @throws Error while there is no index, which alone can tell
 */
export function findShown(sight: Sight): Shown | null {
  if (sight.hidden.length === 0) return null;
  const find = globalThis.assayShown;
  if (find === undefined) throw new Error("No index is open yet that tells what can be seen.");
  return find(sight);
}
