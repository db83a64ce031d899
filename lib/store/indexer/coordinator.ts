import { setTimeout } from "node:timers";
import { setTimeout as wait } from "node:timers/promises";

import { StoreError, type StoreFailure } from "@/lib/core/domain/app-error";
import { ProcessPool, RemoteError } from "@/lib/read/processes/process-pool";
import { serveSupervised } from "@/lib/read/processes/serve";
import { supervise } from "@/lib/read/processes/supervise";
import type { DatabaseTarget } from "@/lib/store/database";
import { openIndexStore } from "@/lib/store/tables";

import { Indexer } from "./indexer";
import { CurrentKeeper } from "./keep-current";
import { type IndexStatus, NO_STATUS } from "./progress";
import type { Executor, IndexerOptions, ReaderRequest } from "./reader";

export interface CoordinatorData extends Required<
  Pick<IndexerOptions, "roots" | "summation" | "withDerivedDetails" | "dataFolder" | "holder">
> {
  readonly target: DatabaseTarget;
  readonly script: string;
  readonly nProcesses: number;
  /** True if the first scan waits for an order, since known data can be shown meanwhile. */
  readonly isPatient: boolean;
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

/** Most jobs are read in less time; other changes do not wait longer for a slow one. */
const PATIENCE_MS = 5_000;

/**
 * Runs the process that keeps an index up to date. In a process of its own, no page waits for a scan, and no scanned file can
 * crash the server.
 */
export function runCoordinator(): void {
  serveSupervised<CoordinatorData, CoordinatorOrder, IndexStatus>(open);
}

async function open(data: CoordinatorData, onStatus: (status: IndexStatus) => void) {
  const store = await openIndexStore(data.target);
  const executor = new ReadingPool(data.script, data.target, data.nProcesses);
  const indexer = new Indexer({ ...data, store, executor, now: Date.now, patienceMs: PATIENCE_MS, onStatus });
  const keeper = new CurrentKeeper(indexer);
  if (!data.isPatient) void keeper.refresh();
  return async (order: CoordinatorOrder): Promise<void> => {
    if (order.kind === "scan") await keeper.scanIfDue();
    else if (order.kind === "refresh") await keeper.refresh();
    else if (order.kind === "forget-derived-details")
      await indexer.forgetDerivedDetails().catch(() => undefined);
    else if (order.kind === "settle") await indexer.settle();
    else if (order.kind === "prioritise") indexer.prioritise(order.jobRowId);
    else {
      keeper.close();
      await executor.close();
      await indexer.release();
      await store.close();
    }
  };
}

/** A cold disk serves several processes at once; beyond this they only wait for each other. */
const MOST_PROCESSES = 8;
/** An idle process holds some tens of MB, and starts in 0.2 s. */
const IDLE_MS = 10_000;
/** Larger folders need more memory, since the inputs of figures are held for all trials of a job. */
const LARGE_JOB_TRIALS = 4_000;

/** Between two progress reports is one trial, or the assembly or writing of a whole job while others write. */
const READING_LIMITS = { memoryMb: 160, largeMemoryMb: 2_048, fileMs: 60_000, requestMs: 180_000 };

class ReadingPool implements Executor {
  private readonly pool: ProcessPool<ReaderRequest, boolean>;
  private readonly target: DatabaseTarget;

  constructor(script: string, target: DatabaseTarget, nCores: number) {
    this.target = target;
    this.pool = new ProcessPool({
      script,
      ...READING_LIMITS,
      isLargeRoomy: false,
      nUsual: nCores,
      nMost: MOST_PROCESSES,
      idleMs: IDLE_MS,
      largeIdleMs: 0,
    });
  }

  run: Executor["run"] = async (task, onProgress) => {
    const request = { ...task, target: this.target };
    const isLarge = task.kind === "read" && task.task.discovered.trialFolders.length > LARGE_JOB_TRIALS;
    try {
      return await this.pool.run({ request, onProgress, isLarge });
    } catch (error) {
      if (error instanceof RemoteError && isStoreFailure(error.code))
        throw new StoreError(error.code, error.message);
      throw error;
    }
  };

  close = (): Promise<void> => this.pool.close();
}

function isStoreFailure(code: string | null): code is StoreFailure {
  return code?.startsWith("store_") ?? false;
}
