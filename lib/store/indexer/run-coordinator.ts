import { refuseFiles, watchLargeFiles } from "@/lib/read/loader/large-files";
import { endWithParent } from "@/lib/read/processes/with-parent";
import { openIndexStore } from "@/lib/store/tables";

import type { CoordinatorData, CoordinatorOrder, CoordinatorReply, CoordinatorRequest } from "./coordinator";
import { Indexer } from "./indexer";
import { CurrentKeeper } from "./keep-current";
import { ReadingPool } from "./reading-pool";

/** Most jobs are read in less time; other changes do not wait longer for a slow one. */
const PATIENCE_MS = 5_000;

type CarryOut = (order: CoordinatorOrder) => Promise<void>;

/**
 * Runs the process that keeps an index up to date. In a process of its own, no page waits for a scan, and no scanned file can
 * crash the server.
 */
export function runCoordinator(): void {
  endWithParent();
  let opening: Promise<CarryOut> | null = null;
  process.on("message", (request: CoordinatorRequest) => {
    if (request.kind === "start") {
      refuseFiles(request.setAside);
      watchLargeFiles((file) => process.send?.({ kind: "at-file", file }));
      opening = open(request.data);
      return;
    }
    void opening?.then((carryOut) => carryOut(request)).then(() => reply({ kind: "done", id: request.id }));
  });
}

async function open(data: CoordinatorData): Promise<CarryOut> {
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
    onStatus: (status) => reply({ kind: "status", status }),
  });
  const keeper = new CurrentKeeper(indexer);
  if (!data.isPatient) void keeper.refresh();
  return async (order) => {
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

function reply(message: CoordinatorReply): void {
  if (process.connected) process.send?.(message);
}
