import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";

import { leaveTrial, refuseFiles, tellTrials, watchLargeFiles } from "@/lib/read/loader/large-files";

import type { AtFile, Order, Report } from "./protocol";
import type { PlacedOrder, Start, SupervisedReply } from "./supervise";

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

/** `onProgress` takes the number of items done since its last call. */
export type CarryOut<Request, Answer> = (
  request: Request,
  onProgress: (n: number) => void,
) => Answer | Promise<Answer>;

export function serveOrders<Request, Answer>(work: CarryOut<Request, Answer>): void {
  const report = (message: Report<Answer> | AtFile): void => tellParent(message);
  endWithParent();
  watchLargeFiles((file) => report({ kind: "at-file", file }));
  let last: Promise<void> = Promise.resolve();
  const carryOut = async ({ request, setAside, isSecondTry }: Order<Request>): Promise<void> => {
    refuseFiles(setAside);
    tellTrials(isSecondTry);
    try {
      const answer = await work(request, (n) => report({ kind: "progress", n }));
      leaveTrial();
      report({ kind: "done", answer });
    } catch (error) {
      leaveTrial();
      report(describeFailure(error));
    }
  };
  process.on("message", (order: Order<Request>) => {
    last = last.then(() => carryOut(order));
  });
}

function describeFailure(error: unknown): Report<never> {
  if (!(error instanceof Error)) return { kind: "failed", message: String(error), code: null, stack: null };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return { kind: "failed", message: error.message, code, stack: error.stack ?? null };
}

type PlaceOrder<Order> = (order: Order) => Promise<void> | undefined;

type Open<Data, Order, Status> = (data: Data, report: (status: Status) => void) => Promise<PlaceOrder<Order>>;

/** @param open - prepares the process and returns what carries out its orders */
export function serveSupervised<Data, Order, Status>(open: Open<Data, Order, Status>): void {
  const reply = (message: SupervisedReply<Status>): void => tellParent(message);
  endWithParent();
  let opening: Promise<PlaceOrder<Order>> | null = null;
  process.on("message", (request: Start<Data> | PlacedOrder<Order>) => {
    if (request.kind === "start") {
      refuseFiles(request.setAside);
      watchLargeFiles((file) => tellParent({ kind: "at-file", file }));
      opening = open(request.data, (status) => reply({ kind: "status", status }));
    } else
      void opening
        ?.then((carryOut) => carryOut(request.order))
        .then(() => reply({ kind: "done", id: request.id }));
  });
}
