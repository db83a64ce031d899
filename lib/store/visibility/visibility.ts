import { AsyncLocalStorage } from "node:async_hooks";

import type { TrialIdentity } from "@/lib/core/domain/annotation";

export interface Visibility {
  /** Addresses of folders hidden from the caller, unique and sorted; empty for full access. */
  readonly hidden: readonly string[];
  /** Account name; null for anonymous callers and without accounts. */
  readonly asker: string | null;
}

/** Full access, for programs that serve only their own user. */
const ALL: Visibility = { hidden: [], asker: null };

interface State {
  readonly storage: AsyncLocalStorage<Visibility>;
  /** True once accounts are enabled: reads without a visibility then fail. */
  isAsked: boolean;
}

declare global {
  /** One per process: server, pages and actions are bundled separately and must share it. */
  var assayVisibility: State | undefined;
}

function getState(): State {
  return (globalThis.assayVisibility ??= { storage: new AsyncLocalStorage(), isAsked: false });
}

/** From now on, reading folder data without a visibility fails, so a path that skips the access check shows nothing. */
export function requireVisibility(): void {
  getState().isAsked = true;
}

/** Also applies to asynchronous work that `work` starts. */
export function runWithVisibility<T>(visibility: Visibility, work: () => T): T {
  return getState().storage.run(visibility, work);
}

/** For the server's own work, which may expose only numbers without names. */
export function runWithFullVisibility<T>(work: () => T): T {
  return runWithVisibility(ALL, work);
}

/** @throws Error if accounts are enabled and no caller is set */
export function getVisibility(): Visibility {
  const { storage, isAsked } = getState();
  const visibility = storage.getStore();
  if (visibility !== undefined) return visibility;
  if (isAsked)
    throw new Error("Could not read folder data: no visibility is set. Run the read in runWithVisibility.");
  return ALL;
}

/** Returns a key equal for callers with the same hidden folders; empty for full access. */
export function nameVisibility({ hidden }: Pick<Visibility, "hidden">): string {
  return hidden.length === 0 ? "" : JSON.stringify(hidden);
}

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
