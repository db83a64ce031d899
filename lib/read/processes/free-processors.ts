import { cpus } from "node:os";

/** Returns a function that computes how many processors of this machine were idle since its last call, such as 1.5. */
export function watchFreeProcessors(): () => number {
  let before = measureTimes();
  return () => {
    const now = measureTimes();
    const busy = (now.busyMs - before.busyMs) / (now.atMs - before.atMs);
    before = now;
    return cpus().length - busy;
  };
}

/** Returns milliseconds since an arbitrary moment, and the busy time of all processors since then, including other programs. */
function measureTimes(): { readonly atMs: number; readonly busyMs: number } {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { atMs: performance.now(), busyMs };
}
