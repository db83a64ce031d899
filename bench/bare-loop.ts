// What any index must do at least: list the job folders, read every trial's result.json and parse it, on as many threads
// as the machine has. Prints one JSON line.

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import { z } from "zod";

const CHUNK = 250;
const sharedWork = z.object({ files: z.array(z.string()), next: z.instanceof(SharedArrayBuffer) });

/** Takes chunks from the common list until none is left; gives the number of parsed files. */
function parseFiles(files: readonly string[], next: Int32Array): number {
  let parsed = 0;
  for (;;) {
    const chunk = Atomics.add(next, 0, 1);
    const paths = files.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
    if (paths.length === 0) return parsed;
    for (const path of paths) {
      const value: unknown = JSON.parse(readFileSync(path, "utf8"));
      if (typeof value === "object") parsed += 1;
    }
  }
}

function listFiles(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((job) =>
      readdirSync(join(root, job.name), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((trial) => `${root}/${job.name}/${trial.name}/result.json`),
    );
}

async function readAll(root: string): Promise<void> {
  const startedAt = performance.now();
  const files = listFiles(root);
  const next = new SharedArrayBuffer(4);
  const counts = await Promise.all(
    Array.from({ length: availableParallelism() }, () => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { files, next } });
      return new Promise<number>((settle, reject) => {
        worker.once("message", settle);
        worker.once("error", reject);
      });
    }),
  );
  const trials = counts.reduce((sum, count) => sum + count, 0);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(`${JSON.stringify({ n_trials: trials, seconds })}\n`);
}

if (isMainThread) await readAll(process.argv[2] ?? ".");
else {
  const { files, next } = sharedWork.parse(workerData);
  parentPort?.postMessage(parseFiles(files, new Int32Array(next)));
}
