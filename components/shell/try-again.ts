/** Where this tab keeps when a page last tried again by itself; milliseconds since 1970. */
const TRIED_KEY = "assay-tried-again";
/** Less often than this, so that a page that always fails says so and stands still. */
const EVERY_MS = 30_000;

/** Whether a page that failed in the browser is to try again by itself, which it is once in thirty seconds. */
export function takeOwnTry(): boolean {
  try {
    const now = Date.now();
    if (Math.abs(now - Number(sessionStorage.getItem(TRIED_KEY))) < EVERY_MS) return false;
    sessionStorage.setItem(TRIED_KEY, String(now));
    return true;
  } catch {
    // Storage may be blocked: what was tried cannot be kept, so that nothing is.
    return false;
  }
}
