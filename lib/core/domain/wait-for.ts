/** Resolves to true if the work finishes within `ms` milliseconds; it is not stopped. Rejects as the work does. */
export async function waitFor(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((settle) => (timer = setTimeout(() => settle(false), ms)));
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
