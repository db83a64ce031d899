import { useEffect, useEffectEvent } from "react";

/** Key in session storage for the last automatic retry, in milliseconds since 1970. */
const TRIED_KEY = "assay-tried-again";
/** Limits retries, so that a permanent failure stays visible. */
const EVERY_MS = 30_000;

/** Retries a failed page or window once in thirty seconds: a server that stopped mid-answer may be back. */
export function useOwnTry(what: "page" | "window", tryAgain: () => void): void {
  const tryOnce = useEffectEvent(() => {
    if (takeOwnTry(what)) tryAgain();
  });
  useEffect(() => tryOnce(), []);
}

export function takeOwnTry(what: string): boolean {
  const key = `${TRIED_KEY}-${what}`;
  try {
    const now = Date.now();
    // A clock that was set back must not block retries.
    if (Math.abs(now - Number(sessionStorage.getItem(key))) < EVERY_MS) return false;
    sessionStorage.setItem(key, String(now));
    return true;
  } catch {
    // Blocked storage cannot record retries, so none is made.
    return false;
  }
}
