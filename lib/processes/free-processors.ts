import { cpus } from "node:os";

/**
 * Starts to measure what nobody uses of this machine's processors.
 *
 * @returns a function that gives the processors that were idle since it was last called, on average, such as 1.5; more precise
 *   the longer that is ago
 */
export function watchFreeProcessors(): () => number {
  let before = measureTimes();
  return () => {
    const now = measureTimes();
    const busy = (now.busyMs - before.busyMs) / (now.atMs - before.atMs);
    before = now;
    return cpus().length - busy;
  };
}

/** Milliseconds since some moment, and time since then that the processors were at work for anybody. */
function measureTimes(): { readonly atMs: number; readonly busyMs: number } {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { atMs: performance.now(), busyMs };
}
