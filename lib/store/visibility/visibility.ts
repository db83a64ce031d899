import { AsyncLocalStorage } from "node:async_hooks";

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
