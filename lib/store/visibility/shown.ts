import type { TrialIdentity } from "@/lib/core/domain/annotation";

import type { Visibility } from "./visibility";

interface ShownJob {
  /** Null if its files contain none. */
  readonly uuid: string | null;
  readonly key: string;
  readonly name: string;
}

/** Tells annotation stores which parts of the opened folders are visible. */
export interface Shown {
  /** Changes whenever any other answer may have changed. */
  readonly version: () => Promise<number>;
  readonly findTrials: (names: Iterable<string>) => Promise<readonly TrialIdentity[]>;
  readonly findJobs: (uuids: readonly string[], keys: readonly string[]) => Promise<readonly ShownJob[]>;
  readonly findClusters: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Returns texts that are names only in hidden folders: of jobs, tasks, agents, models, datasets or exceptions, or folder labels.
   */
  readonly findHiddenNames: (texts: readonly string[]) => Promise<ReadonlySet<string>>;
}

declare global {
  var assayShown: ((visibility: Visibility) => Shown) | undefined;
}

export function registerShown(find: (visibility: Visibility) => Shown): void {
  globalThis.assayShown = find;
}

/** Returns null if everything is visible. @throws Error while no index is open */
export function findShown(visibility: Visibility): Shown | null {
  if (visibility.hidden.length === 0) return null;
  const find = globalThis.assayShown;
  if (find === undefined) throw new Error("No index is open yet that tells what can be seen.");
  return find(visibility);
}
