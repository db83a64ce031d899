import { setTimeout } from "node:timers";
import { setTimeout as wait } from "node:timers/promises";

import type { DatabaseTarget } from "@/lib/database";
import { supervise } from "@/lib/processes/supervise";

import type {
  CoordinatorData,
  CoordinatorOrder,
  CoordinatorReply,
  CoordinatorRequest,
} from "./coordinator-messages";
import { type IndexStatus, NO_STATUS } from "./progress";

/** What keeps an index up to date, wherever it does. */
export interface Engine {
  readonly look: () => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly forgetFindings: () => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly prioritise: (jobId: number) => void;
  readonly close: () => Promise<void>;
}

/** It finds and counts and recognises files by what they say; a job is read elsewhere. */
const LIMITS = { memoryMb: 2_048, fileMs: 60_000 };
/** Time for the first page to be made and sent. */
const AFTER_FIRST_LOOK_MS = 400;
/** How long a closing waits for work that ends by itself. */
const CLOSE_WAIT_MS = 1000;
/** Processes that write wait for each other, several in a row on a slow disk, and nobody waits for them. */
const WRITE_WAIT_MS = 30_000;

/** Starts a process that keeps an index up to date with others of its own. */
export function startCoordinator(options: CoordinatorData, onStatus: (status: IndexStatus) => void): Engine {
  const data: CoordinatorData = { ...options, target: waitLonger(options.target) };
  const waiting = new Map<number, { readonly order: CoordinatorOrder; readonly settle: () => void }>();
  let nOrders = 0;
  let isEnded = false;
  const settleAll = (): void => {
    isEnded = true;
    for (const { settle } of waiting.values()) settle();
    waiting.clear();
    coordinator.holdOpen(false);
  };
  const coordinator = supervise<CoordinatorReply>({
    script: data.script,
    args: ["coordinator"],
    ...LIMITS,
    onStart: (send, setAside) => {
      send({ kind: "start", data, setAside } satisfies CoordinatorRequest);
      for (const [id, { order }] of waiting) send({ ...order, id } satisfies CoordinatorRequest);
    },
    onMessage: (message) => {
      if (message.kind === "status") {
        onStatus(message.status);
        return;
      }
      waiting.get(message.id)?.settle();
      waiting.delete(message.id);
      coordinator.holdOpen(waiting.size > 0);
    },
    onGivenUp: (cause) => {
      const why = cause === "memory" ? "its process ran out of memory" : "its process keeps ending";
      const failure = `The index is no longer kept up to date: ${why}. Start Assay again.`;
      onStatus({ ...NO_STATUS, phase: "failed", failure });
      settleAll();
    },
  });
  const carryOut = (order: CoordinatorOrder): Promise<void> =>
    new Promise((settle) => {
      if (isEnded) {
        settle();
        return;
      }
      const id = nOrders++;
      waiting.set(id, { order, settle });
      coordinator.holdOpen(true);
      coordinator.send({ ...order, id } satisfies CoordinatorRequest);
    });
  let isWaiting = data.isPatient;
  const look = (): Promise<void> => {
    if (!isWaiting) return carryOut({ kind: "look" });
    isWaiting = false;
    setTimeout(() => void carryOut({ kind: "refresh" }), AFTER_FIRST_LOOK_MS).unref();
    return Promise.resolve();
  };
  return {
    look,
    refresh: () => carryOut({ kind: "refresh" }),
    forgetFindings: () => carryOut({ kind: "forget-findings" }),
    settle: () => carryOut({ kind: "settle" }),
    prioritise: (jobId) => void carryOut({ kind: "prioritise", jobId }),
    close: async () => {
      // A search of folders that is under way is ended with its process; what is written is written whole or not at all.
      await Promise.race([carryOut({ kind: "close" }), wait(CLOSE_WAIT_MS, undefined, { ref: false })]);
      await coordinator.stop();
      settleAll();
    },
  };
}

function waitLonger(target: DatabaseTarget): DatabaseTarget {
  return target.engine === "sqlite" ? { busyTimeoutMs: WRITE_WAIT_MS, ...target } : target;
}
