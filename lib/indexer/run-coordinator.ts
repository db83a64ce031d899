import { type MessagePort, parentPort } from "node:worker_threads";

import { openIndexStore } from "@/lib/store";

import { Indexer } from "./indexer";
import { CurrentKeeper } from "./keep-current";
import type { CoordinatorData, CoordinatorReply, CoordinatorRequest } from "./thread-messages";
import { ThreadPool } from "./thread-pool";

/** The thread that keeps an index up to date, so that no page ever waits for a scan. */
export async function runCoordinator(data: CoordinatorData): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("This runs in a thread of its own.");
  const store = await openIndexStore(data.target);
  const executor = new ThreadPool(data.script, data.target, data.nThreads);
  const indexer = new Indexer({
    store,
    executor,
    roots: data.roots,
    summation: data.summation,
    withFindings: data.withFindings,
    now: Date.now,
    onStatus: (status) => reply(port, { kind: "status", status }),
  });
  const keeper = new CurrentKeeper(indexer);
  const carryOut = async (request: CoordinatorRequest): Promise<void> => {
    const { kind, id } = request;
    if (kind === "look") await keeper.look();
    else if (kind === "refresh") await keeper.refresh();
    else if (kind === "forget-findings") await indexer.forgetFindings().catch(() => undefined);
    else if (kind === "settle") await indexer.settle();
    else if (kind === "prioritise") indexer.prioritise(request.jobId);
    else {
      keeper.close();
      await executor.close();
      await indexer.release();
      await store.close();
    }
    reply(port, { kind: "done", id });
  };
  port.on("message", (request: CoordinatorRequest) => void carryOut(request));
  if (!data.isPatient) await keeper.refresh();
}

function reply(port: MessagePort, message: CoordinatorReply): void {
  port.postMessage(message);
}
