import { setFlagsFromString } from "node:v8";

import { serveOrders } from "@/lib/read/processes/serve";
import { toStoreError } from "@/lib/store/database";
import { openIndexStore } from "@/lib/store/tables";

import { runCoordinator } from "./coordinator";
import { type ReaderRequest, SourceReader } from "./reader";

function serveReading(): void {
  let opening: Promise<SourceReader> | null = null;
  serveOrders<ReaderRequest, boolean>(async (request, onProgress) => {
    try {
      limitGarbage(request);
      opening ??= openIndexStore(request.target).then((store) => new SourceReader(store));
      return await (await opening).run(request, onProgress);
    } catch (error) {
      throw toStoreError(error, request.target);
    }
  });
}

/** Above this size garbage is limited further: for 190,000 trials it saved 60 MB and cost 14 s. */
const HUGE_JOB_TRIALS = 50_000;

/** V8 otherwise lets garbage grow to the size of live data: 388 MB instead of 277 for a job of 50,000 trials. */
function limitGarbage(request: ReaderRequest): void {
  const isHuge = request.kind === "read" && request.task.discovered.trialFolders.length > HUGE_JOB_TRIALS;
  setFlagsFromString(`--heap-growing-percent=${isHuge ? 6 : 25}`);
}

// One program, so that all its parts are of one build: a coordinator keeps an index up to date, and others read folders for it.
if (process.argv[2] === "coordinator") runCoordinator();
else serveReading();
