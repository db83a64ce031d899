import { AsyncLocalStorage } from "node:async_hooks";

/** What of the opened folders whoever asks may know of. */
export interface Sight {
  /** Addresses of the folders that there are not for whoever asks, each once and in order; empty for whoever sees all. */
  readonly hidden: readonly string[];
  /** Name of the account that asks; null for nobody, and where there are no accounts. */
  readonly asker: string | null;
}

/** The sight of a program that serves nobody but its user. */
const ALL: Sight = { hidden: [], asker: null };

interface State {
  readonly storage: AsyncLocalStorage<Sight>;
  /** Whether work that nobody gave a sight fails, as it does from when people sign in. */
  isAsked: boolean;
}

declare global {
  /** One a process: server, pages and actions are bundled apart and must share it. */
  var assaySight: State | undefined;
}

function getState(): State {
  return (globalThis.assaySight ??= { storage: new AsyncLocalStorage(), isAsked: false });
}

/** From now on whatever reads what folders hold has to be given a sight: a way past the door fails and shows nothing. */
export function askForSight(): void {
  getState().isAsked = true;
}

/** Does work, and whatever follows from it, with a sight. */
export function runWithSight<T>(sight: Sight, work: () => T): T {
  return getState().storage.run(sight, work);
}

/** Does work of the server itself, of which nothing but numbers without a name reaches anybody. */
export function runWithFullSight<T>(work: () => T): T {
  return runWithSight(ALL, work);
}

/**
 * Returns the sight of whoever is answered.
 *
 * @throws Error where people sign in and nobody said who asks
 */
export function getSight(): Sight {
  const { storage, isAsked } = getState();
  const sight = storage.getStore();
  if (sight !== undefined) return sight;
  if (isAsked) throw new Error("Something was read for nobody: it has no sight, and is shown nothing.");
  return ALL;
}

/** Returns what is equal for sights of the same folders, whoever asks: empty for whoever sees all. */
export function nameSight({ hidden }: Pick<Sight, "hidden">): string {
  return hidden.length === 0 ? "" : JSON.stringify(hidden);
}
