import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => undefined;

/** False on the server and until hydration: controlled fields are disabled until then, or typed text is lost. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
