import { AsyncLocalStorage } from "node:async_hooks";

export interface Sight {
  /** Addresses of folders hidden from the caller, unique and sorted; empty for full access. */
  readonly hidden: readonly string[];
  /** Account name; null for anonymous callers and without accounts. */
  readonly asker: string | null;
}

/** Full access, for programs that serve only their own user. */
const ALL: Sight = { hidden: [], asker: null };

interface State {
  readonly storage: AsyncLocalStorage<Sight>;
  /** True if reads without a sight fail, which is the case once accounts are enabled. */
  isAsked: boolean;
}

declare global {
  /** One per process: server, pages and actions are bundled separately and must share it. */
  var assaySight: State | undefined;
}

function getState(): State {
  return (globalThis.assaySight ??= { storage: new AsyncLocalStorage(), isAsked: false });
}

/** From now on, reading folder data without a sight fails, so a path that skips the access check shows nothing. */
export function askForSight(): void {
  getState().isAsked = true;
}

/** Also applies to asynchronous work that `work` starts. */
export function runWithSight<T>(sight: Sight, work: () => T): T {
  return getState().storage.run(sight, work);
}

/** For the server's own work, which may expose only numbers without names. */
export function runWithFullSight<T>(work: () => T): T {
  return runWithSight(ALL, work);
}

/** @throws Error if accounts are enabled and no caller is set */
export function getSight(): Sight {
  const { storage, isAsked } = getState();
  const sight = storage.getStore();
  if (sight !== undefined) return sight;
  if (isAsked) throw new Error("Something was read for nobody: it has no sight, and is shown nothing.");
  return ALL;
}

/** Returns a key equal for callers with the same hidden folders; empty for full access. */
export function nameSight({ hidden }: Pick<Sight, "hidden">): string {
  return hidden.length === 0 ? "" : JSON.stringify(hidden);
}
