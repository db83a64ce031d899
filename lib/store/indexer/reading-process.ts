import { setFlagsFromString } from "node:v8";

import { serveOrders } from "@/lib/read/processes/serve-orders";
import { type DatabaseTarget, toStoreError } from "@/lib/store/database";
import { openIndexStore } from "@/lib/store/tables";

import type { DerivedDetailsTask } from "./read-derived-details";
import type { FailuresTask } from "./read-failures";
import type { ScanTask } from "./read-scans";
import { type CheckTask, SourceReader, type SourceTask } from "./reader";

export type ReaderRequest = { readonly target: DatabaseTarget } & (
  | { readonly kind: "check"; readonly task: CheckTask }
  | { readonly kind: "read"; readonly task: SourceTask }
  | { readonly kind: "failures"; readonly task: FailuresTask }
  | { readonly kind: "derived-details" | "texts"; readonly task: DerivedDetailsTask }
  | { readonly kind: "scans"; readonly task: ScanTask }
);

/** True if a checked folder is unchanged; null for other requests. */
export type ReaderAnswer = boolean | null;

export function serveReading(): void {
  let opening: Promise<SourceReader> | null = null;
  serveOrders<ReaderRequest, ReaderAnswer>(async (request, onProgress) => {
    try {
      limitGarbage(request);
      opening ??= openIndexStore(request.target).then((store) => new SourceReader(store));
      return await work(await opening, request, onProgress);
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

async function work(
  reader: SourceReader,
  request: ReaderRequest,
  onTrials: (n: number) => void,
): Promise<ReaderAnswer> {
  switch (request.kind) {
    case "check":
      return reader.isUnchanged(request.task);
    case "derived-details":
      await reader.readDerivedDetails(request.task, onTrials);
      return null;
    case "failures":
      await reader.readFailures(request.task, onTrials);
      return null;
    case "texts":
      await reader.readTexts(request.task, onTrials);
      return null;
    case "scans":
      await reader.readScans(request.task, onTrials);
      return null;
    case "read":
      await reader.read(request.task, onTrials);
      return null;
  }
}
