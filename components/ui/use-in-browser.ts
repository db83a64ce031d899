import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/**
 * Whether the page's scripts run: false in the server's markup and until the browser has taken it over. A field whose value
 * React holds is disabled until then, or what is typed or chosen is lost.
 */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
