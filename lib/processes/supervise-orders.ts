import { supervise, type SupervisedOptions } from "./supervise";

/** A process that carries out orders, whatever becomes of it in between. */
export interface OrderedProcess<Order> {
  /** Settles when an order was carried out, or the process is given up. The order is sent again to a process that is started anew. */
  readonly carryOut: (order: Order) => Promise<void>;
  /** Ends it for good, and settles what was ordered. */
  readonly stop: () => Promise<void>;
}

/** How it is started, and what is done with what it says besides `done`. */
export interface OrderedOptions<Reply> extends Omit<SupervisedOptions<Reply>, "onStart" | "onGivenUp"> {
  /** What it is sent first, with every start. */
  readonly first: object;
  readonly onGivenUp: () => void;
}

/** What it says when an order was carried out: its number. */
interface Done {
  readonly kind: "done";
  readonly id: number;
}

/** Starts a process that is sent orders with a number each, and keeps this program alive while it is at one. */
export function superviseOrders<Order extends object, Reply extends object>(
  options: OrderedOptions<Reply>,
): OrderedProcess<Order> {
  const waiting = new Map<number, { readonly order: Order; readonly settle: () => void }>();
  let nOrders = 0;
  let isEnded = false;
  const settleAll = (): void => {
    isEnded = true;
    for (const { settle } of waiting.values()) settle();
    waiting.clear();
    child.holdOpen(false);
  };
  const child = supervise<Reply | Done>({
    ...options,
    onStart: (send) => {
      send(options.first);
      for (const [id, { order }] of waiting) send({ ...order, id });
    },
    onMessage: (message) => {
      if (!isDone(message)) {
        options.onMessage(message);
        return;
      }
      waiting.get(message.id)?.settle();
      waiting.delete(message.id);
      child.holdOpen(waiting.size > 0);
    },
    onGivenUp: () => {
      options.onGivenUp();
      settleAll();
    },
  });
  return {
    carryOut: (order) =>
      new Promise((settle) => {
        if (isEnded) {
          settle();
          return;
        }
        const id = nOrders++;
        waiting.set(id, { order, settle });
        child.holdOpen(true);
        child.send({ ...order, id });
      }),
    stop: async () => {
      await child.stop();
      settleAll();
    },
  };
}

function isDone(message: object): message is Done {
  return "kind" in message && message.kind === "done";
}
