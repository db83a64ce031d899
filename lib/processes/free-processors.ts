import { cpus } from "node:os";

/** Returns a function that gives the processors of this machine that were idle since it was last called, such as 1.5. */
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
