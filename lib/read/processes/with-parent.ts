import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import type { AtFile, Report } from "./protocol";
import type { SupervisedReply } from "./supervise";

/** Looks at the parent from a thread of 10 MB, because a busy main thread hears no "disconnect". */
const WATCH = `
  const { workerData: parent } = require("node:worker_threads");
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 500);
`;

/**
 * Ends this process within a second of its parent, even while busy. Ignores the terminal's SIGINT. On Windows a process keeps the
 * id of an ended parent, so it ends only once idle.
 */
export function endWithParent(): void {
  new Worker(WATCH, { eval: true, workerData: process.ppid }).unref();
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
}

/** True if the parent has not taken much of the channel. Nothing leaves the channel while this process is busy. */
let isBehind = false;

export function tellParent(message: Report<unknown> | SupervisedReply<unknown> | AtFile): void {
  if (process.connected) isBehind = process.send?.(message) === false;
}

/** True if work should pause for {@link hearOfParent}. Cheap enough for every iteration. */
export function isParentBehind(): boolean {
  return isBehind;
}

/** Yields, so that a "disconnect" is noticed and pending messages are sent. Call it before writing anything. */
export async function hearOfParent(): Promise<void> {
  await setImmediate();
  if (!isBehind) return;
  isBehind = false;
  // Messages are taken in order, so this one is taken last.
  const last: Report<never> = { kind: "progress", n: 0 };
  await new Promise((settle) => process.send?.(last, settle));
}
