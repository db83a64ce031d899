/**
 * Works on items, so many at a time, in their order; the first failure ends it once what was begun has ended.
 * @param work - gives false when no other item is to be begun
 * @returns whether all were worked on
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
