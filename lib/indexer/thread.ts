import { workerData } from "node:worker_threads";

import { runCoordinator } from "./run-coordinator";
import { runReader } from "./run-reader";
import type { CoordinatorData, ReaderData } from "./thread-messages";

const data = workerData as CoordinatorData | ReaderData; // Threads are started by this program alone.
await (data.role === "coordinator" ? runCoordinator(data) : runReader(data));
