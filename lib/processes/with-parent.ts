import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import type { AtFile, Report } from "./protocol";

/** Looks at the parent from a thread of 10 MB, because a busy main thread hears no "disconnect". */
const WATCH = `
  const { workerData: parent } = require("node:worker_threads");
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 500);
`;

/**
 * Ends this process within a second of its parent, even in the middle of work, and not by the signals of a terminal. On Windows, where a
 * process keeps the id of a parent that ended, only once it is idle.
 */
export function endWithParent(): void {
  new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
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
