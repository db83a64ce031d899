import { setTimeout } from "node:timers";
import { setTimeout as wait } from "node:timers/promises";

import type { Summation } from "@/lib/core/scoring";
import type { LoadRoot } from "@/lib/read/loader";
import { supervise } from "@/lib/read/processes/supervise";
import type { DatabaseTarget } from "@/lib/store/database";

import { type IndexStatus, NO_STATUS } from "./progress";

export interface CoordinatorData {
  readonly target: DatabaseTarget;
  readonly roots: readonly LoadRoot[];
  readonly summation: Summation;
  readonly script: string;
  readonly nProcesses: number;
  /** True if the first scan waits for an order, since known data can be shown meanwhile. */
  readonly isPatient: boolean;
  readonly withDerivedDetails: boolean;
  readonly dataFolder: string;
  readonly holder: string;
}

export type CoordinatorOrder =
  /** A page is viewed, so its data should be current. */
  | { readonly kind: "scan" }
  /** Scan everything now, including folders whose reading failed. */
  | { readonly kind: "refresh" }
  | { readonly kind: "forget-derived-details" }
  | { readonly kind: "settle" }
  /** A page waits for this job's derived details. */
  | { readonly kind: "prioritise"; readonly jobRowId: number }
  | { readonly kind: "close" };

export interface Engine {
  readonly carryOut: (order: Exclude<CoordinatorOrder, { readonly kind: "close" }>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The coordinator only finds, counts and stamps files; other processes read jobs. */
const LIMITS = { memoryMb: 2_048, fileMs: 60_000 };
/** Time to render and send the first page. */
const AFTER_FIRST_SCAN_MS = 400;
/** Longest wait of a close for work in progress. */
const CLOSE_WAIT_MS = 1000;
/** Writing processes wait for each other, several in a row on a slow disk, and no page waits for them. */
const WRITE_WAIT_MS = 30_000;

export function startCoordinator(options: CoordinatorData, onStatus: (status: IndexStatus) => void): Engine {
  const data: CoordinatorData = { ...options, target: waitLonger(options.target) };
  const { carryOut: send, stop } = supervise<CoordinatorData, CoordinatorOrder, IndexStatus>({
    script: data.script,
    args: ["coordinator"],
    ...LIMITS,
    data,
    onStatus,
    onGivenUp: (cause) => {
      const why = cause === "memory" ? "its process ran out of memory" : "its process keeps ending";
      const failure = `The index is no longer kept up to date: ${why}. Start Assay again.`;
      onStatus({ ...NO_STATUS, phase: "failed", failure });
    },
  });
  let isWaiting = data.isPatient;
  return {
    carryOut: (order) => {
      if (order.kind !== "scan" || !isWaiting) return send(order);
      isWaiting = false;
      setTimeout(() => void send({ kind: "refresh" }), AFTER_FIRST_SCAN_MS).unref();
      return Promise.resolve();
    },
    close: async () => {
      // A folder search in progress ends with its process; writes are atomic.
      await Promise.race([send({ kind: "close" }), wait(CLOSE_WAIT_MS, undefined, { ref: false })]);
      await stop();
    },
  };
}

function waitLonger(target: DatabaseTarget): DatabaseTarget {
  return target.engine === "sqlite" ? { busyTimeoutMs: WRITE_WAIT_MS, ...target } : target;
}
