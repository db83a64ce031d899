import { useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/** Name of the account that this page was made for; null where nobody signs in, and while the server draws. */
export function readAccountName(): string | null {
  return document.documentElement.dataset["account"] ?? null;
}

/** {@link readAccountName} while a component is mounted: a name that is proved is not typed. */
export function useAccountName(): string | null {
  return useSyncExternalStore(subscribe, readAccountName, () => null);
}
