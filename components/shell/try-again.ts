import { useEffect, useEffectEvent } from "react";

/** Where this tab keeps when something of it last tried again by itself; milliseconds since 1970. */
const TRIED_KEY = "assay-tried-again";
/** Less often than this, so that what always fails says so and stands still. */
const EVERY_MS = 30_000;

/**
 * Has what failed try again by itself, once in thirty seconds: a server that ends amid an answer may be there again, or another
 * in its place.
 *
 * @param what - what failed, each with a try of its own
 */
export function useOwnTry(what: "page" | "window", tryAgain: () => void): void {
  const tryOnce = useEffectEvent(() => {
    if (takeOwnTry(what)) tryAgain();
  });
  useEffect(() => tryOnce(), []);
}

/** Whether it is the turn of one more try, which is then taken. */
export function takeOwnTry(what: string): boolean {
  const key = `${TRIED_KEY}-${what}`;
  try {
    const now = Date.now();
    // A clock that was set back must not hold it off until it is as late again.
    if (Math.abs(now - Number(sessionStorage.getItem(key))) < EVERY_MS) return false;
    sessionStorage.setItem(key, String(now));
    return true;
  } catch {
    // Storage may be blocked: what was tried cannot be kept, so that nothing is.
    return false;
  }
}
