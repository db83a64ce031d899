import { StoreError, type StoreFailure } from "@/lib/core/domain/app-error";
import { ProcessPool, RemoteError } from "@/lib/read/processes/process-pool";
import { serveSupervised } from "@/lib/read/processes/serve";
import type { DatabaseTarget } from "@/lib/store/database";
import { openIndexStore } from "@/lib/store/tables";

import type { CoordinatorData, CoordinatorOrder } from "./coordinator";
import { Indexer } from "./indexer";
import { CurrentKeeper } from "./keep-current";
import type { IndexStatus } from "./progress";
import type { Executor } from "./reader";
import type { ReaderRequest } from "./reading-process";

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
  const indexer = new Indexer({
    store,
    executor,
    roots: data.roots,
    summation: data.summation,
    withDerivedDetails: data.withDerivedDetails,
    dataFolder: data.dataFolder,
    holder: data.holder,
    now: Date.now,
    patienceMs: PATIENCE_MS,
    onStatus,
  });
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
const LIMITS = { memoryMb: 160, largeMemoryMb: 2_048, fileMs: 60_000, requestMs: 180_000 };

class ReadingPool implements Executor {
  private readonly pool: ProcessPool<ReaderRequest, boolean>;
  private readonly target: DatabaseTarget;

  constructor(script: string, target: DatabaseTarget, nCores: number) {
    this.target = target;
    this.pool = new ProcessPool({
      script,
      ...LIMITS,
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
