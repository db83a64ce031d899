/**
 * After a failure no new work starts; the error is thrown once running work has finished.
 *
 * @param work - returns false to stop early
 * @returns true if all items were processed
 */
export async function runPool<T>(
  items: readonly T[],
  nWorkers: number,
  work: (item: T) => Promise<boolean>,
): Promise<boolean> {
  const queue = items.values();
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (const item of queue) {
      if (isStopped) return;
      try {
        if (!(await work(item))) isStopped = true;
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: nWorkers }, run));
  for (const one of ended) if (one.status === "rejected") await Promise.reject(one.reason as Error);
  return !isStopped;
}
