import type { SetAsideFile } from "@/lib/read/loader/large-files";

import { type EndCause, type LimitedOptions, LimitedProcess, SetAsideFiles } from "./limited-process";

interface SupervisedOptions<Data, Status> extends Omit<LimitedOptions<unknown>, "onMessage" | "onEnd"> {
  /** Sent to the process at every start. */
  readonly data: Data;
  readonly onStatus: (status: Status) => void;
  readonly onGivenUp: (cause: EndCause) => void;
}

interface Supervised<Order> {
  /** Resolves when the order is done or the process is given up. A restarted process receives the order again. */
  readonly carryOut: (order: Order) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface Start<Data> {
  readonly kind: "start";
  readonly data: Data;
  readonly setAside: readonly SetAsideFile[];
}

export interface PlacedOrder<Order> {
  readonly kind: "order";
  readonly id: number;
  readonly order: Order;
}

export type SupervisedReply<Status> =
  | { readonly kind: "status"; readonly status: Status }
  | { readonly kind: "done"; readonly id: number };

/** Restarts in a row, without a file to blame, before the process is given up. */
const MOST_RESTARTS = 3;
/** A process that lived longer resets the restart count. Milliseconds. */
const WELL_MS = 60_000;

/** Runs a process that serves by `serveSupervised`, and restarts it. It keeps this program alive only while an order waits. */
export function supervise<Data, Order, Status>(options: SupervisedOptions<Data, Status>): Supervised<Order> {
  const setAside = new SetAsideFiles();
  const waiting = new Map<number, { readonly order: Order; readonly settle: () => void }>();
  let current: LimitedProcess<SupervisedReply<Status>> | null = null;
  let nRestarts = 0;
  let nOrders = 0;
  let isEnded = false;
  const place = (id: number, order: Order): void =>
    // The next process gets what an ended one misses.
    current?.send({ kind: "order", id, order } satisfies PlacedOrder<Order>);
  const settleAll = (): void => {
    isEnded = true;
    for (const { settle } of waiting.values()) settle();
    waiting.clear();
    current?.hold(false);
  };
  const start = (): void => {
    const startedAt = performance.now();
    current = new LimitedProcess<SupervisedReply<Status>>({
      ...options,
      onMessage: (message) => {
        if (message.kind === "status") {
          options.onStatus(message.status);
          return;
        }
        waiting.get(message.id)?.settle();
        waiting.delete(message.id);
        current?.hold(waiting.size > 0);
      },
      onEnd: ({ cause, file }) => {
        current = null;
        if (performance.now() - startedAt > WELL_MS) nRestarts = 0;
        if (file === null) nRestarts++;
        else setAside.add(file, cause, options);
        if (nRestarts <= MOST_RESTARTS) {
          start();
          return;
        }
        options.onGivenUp(cause);
        settleAll();
      },
    });
    current.hold(waiting.size > 0);
    current.send({ kind: "start", data: options.data, setAside: setAside.list() } satisfies Start<Data>);
    for (const [id, { order }] of waiting) place(id, order);
  };
  start();
  return {
    carryOut: (order) =>
      new Promise((settle) => {
        if (isEnded) {
          settle();
          return;
        }
        const id = nOrders++;
        waiting.set(id, { order, settle });
        current?.hold(true);
        place(id, order);
      }),
    stop: async () => {
      await current?.end();
      settleAll();
    },
  };
}
