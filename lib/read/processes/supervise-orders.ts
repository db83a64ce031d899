import { supervise, type SupervisedOptions } from "./supervise";

export interface OrderedProcess<Order> {
  /** Resolves when the order is done or the process is given up. A restarted process receives the order again. */
  readonly carryOut: (order: Order) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface OrderedOptions<Reply> extends Omit<SupervisedOptions<Reply>, "onStart" | "onGivenUp"> {
  readonly first: object;
  readonly onGivenUp: () => void;
}

interface Done {
  readonly kind: "done";
  readonly id: number;
}

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
