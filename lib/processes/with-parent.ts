import { setImmediate } from "node:timers/promises";

/** Whoever started this process, when it is to end with it. */
let parent: number | null = null;

/** Ends this process when whoever started it ends, and not by the signals of a terminal. */
export function endWithParent(): void {
  parent = process.ppid;
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
}

/** Lets this process hear that it is to end, which long work keeps it from. To be called before anything is written. */
export async function hearOfParent(): Promise<void> {
  await setImmediate();
}

/** Ends this process when its parent is gone; for work that cannot wait for {@link hearOfParent}, and cheap enough for every turn of it. */
export function endAsOrphan(): void {
  if (parent !== null && process.ppid !== parent) process.exit();
}
