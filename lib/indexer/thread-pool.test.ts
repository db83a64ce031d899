import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { ThreadPool } from "./thread-pool";

/** A thread that finds every folder unchanged. */
const SCRIPT = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", () => parentPort.postMessage({ kind: "checked", isUnchanged: true }));
`;

test("threads with nothing to do end, and new ones do the next work", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-pool-"));
  const script = join(folder, "thread.cjs");
  writeFileSync(script, SCRIPT);
  const pool = new ThreadPool(script, { engine: "sqlite", file: "", synchronous: "NORMAL" }, 2, 20);
  onTestFinished(async () => {
    await pool.close();
    rmSync(folder, { recursive: true });
  });
  const task = {};
  const look = () => pool.isUnchanged(task as never); // What the thread is told is nothing to this one.
  const looks = Promise.all([look(), look()]);
  // Now: the first may have ended again by the time the second has started.
  expect(pool.nThreads).toBe(2);
  expect(await looks).toEqual([true, true]);
  await vi.waitFor(() => expect(pool.nThreads).toBe(0));
  expect(await look()).toBe(true);
});
