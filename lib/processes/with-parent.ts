import { setImmediate } from "node:timers/promises";

import type { AtFile, Report } from "./protocol";

/** Whoever started this process, when it is to end with it. */
let parent: number | null = null;

/** Ends this process when whoever started it ends, and not by the signals of a terminal. */
export function endWithParent(): void {
  parent = process.ppid;
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
}

/** Whether the channel holds much that the parent has not taken: nothing leaves it while this process works. */
let isBehind = false;

/** Tells whoever started this process; nothing when nobody is there any more. */
export function tellParent(message: Report<unknown> | AtFile): void {
  if (process.connected) isBehind = process.send?.(message) === false;
}

/** Whether work is to stop for {@link hearOfParent}, since what was told piles up. Cheap enough for every turn of it. */
export function isParentBehind(): boolean {
  return isBehind;
}

/**
 * Lets this process hear that it is to end, which long work keeps it from, and the parent hear what it was told. To be called
 * before anything is written.
 */
export async function hearOfParent(): Promise<void> {
  await setImmediate();
  if (!isBehind) return;
  isBehind = false;
  // What is sent last is taken last.
  const last: Report<never> = { kind: "progress", n: 0 };
  await new Promise((settle) => process.send?.(last, settle));
}

/** Ends this process when its parent is gone; for work that cannot wait for {@link hearOfParent}, and cheap enough for every turn of it. */
export function endAsOrphan(): void {
  if (parent !== null && process.ppid !== parent) process.exit();
}
