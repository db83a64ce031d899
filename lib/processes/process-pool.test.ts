import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import type { SetAsideFile } from "@/lib/loader/large-files";

import { type PoolOptions, ProcessEndedError, ProcessPool } from "./process-pool";

interface Asked {
  /** What the process does when it parses the file, unless that was set aside. */
  readonly how: "fine" | "much" | "memory" | "endless" | "exit" | "exit-once" | "throw";
  readonly file?: string;
}

interface Answered {
  readonly pid: number;
  readonly setAside: readonly SetAsideFile[];
  readonly names: readonly string[];
  readonly isSecondTry: boolean;
}

/** A process that parses one file a request, told to it as large. */
const SCRIPT = `
  const { existsSync, writeFileSync } = require("node:fs");
  process.on("disconnect", () => process.exit());
  process.on("message", ({ request: { how, file }, setAside, isSecondTry }) => {
    const isRefused = setAside.some(({ path }) => path === file);
    if (file !== undefined && !isRefused) process.send({ kind: "at-file", file: { path: file, stamp: "1" } });
    if (!isRefused) {
      if (how === "much") new Array(4e6).fill(0);
      if (how === "memory") for (const all = []; ; ) all.push({ all: [] });
      if (how === "endless") for (;;);
      if (how === "exit-once" && !existsSync(__filename + ".once")) {
        writeFileSync(__filename + ".once", "");
        process.kill(process.pid, "SIGKILL");
      }
      if (how === "exit") process.exit(3);
      if (how === "throw") return process.send({ kind: "failed", message: "no", code: "store_full", stack: null });
    }
    process.send({ kind: "done", answer: { pid: process.pid, setAside, isSecondTry, names: Object.keys(process.env) } });
  });
`;

function openPool(options: Partial<PoolOptions> = {}): ProcessPool<Asked, Answered> {
  const folder = mkdtempSync(join(tmpdir(), "assay-pool-"));
  const script = join(folder, "process.cjs");
  writeFileSync(script, SCRIPT);
  const limits = { memoryMb: 20, largeMemoryMb: 40, fileMs: 60_000, requestMs: 60_000 };
  const pool = new ProcessPool<Asked, Answered>({
    script,
    limits,
    nUsual: 2,
    nMost: 2,
    idleMs: 60_000,
    ...options,
  });
  onTestFinished(async () => {
    await pool.close();
    rmSync(folder, { recursive: true });
  });
  return pool;
}

const ask = (how: Asked["how"], file?: string) => ({
  request: file === undefined ? { how } : { how, file },
});

test("processes with nothing to do end, and new ones do the next work", async () => {
  const pool = openPool({ idleMs: 20 });
  const looks = Promise.all([pool.run(ask("fine")), pool.run(ask("fine"))]);
  // Now: the first may have ended again by the time the second has started.
  expect(pool.nProcesses).toBe(2);
  await looks;
  await vi.waitFor(() => expect(pool.nProcesses).toBe(0));
  expect(await pool.run(ask("fine"))).toMatchObject({ setAside: [] });
});

test("a file that takes all memory is set aside, and what was asked is answered without it", async () => {
  const pool = openPool();
  const [dear, other] = await Promise.all([
    pool.run(ask("memory", "/dear")),
    pool.run(ask("fine", "/other")),
  ]);
  expect(dear.setAside).toEqual([{ path: "/dear", stamp: "1", cost: "more than 40 MiB of memory" }]);
  expect(other.setAside).toEqual([]);
  // From then on without trying.
  const again = await pool.run(ask("memory", "/dear"));
  expect((await pool.run(ask("fine"))).setAside).toHaveLength(1);
  expect(again.setAside).toHaveLength(1);
});

test("what needs much memory gets it, and at once the next time", async () => {
  const pool = openPool({ limits: { memoryMb: 20, largeMemoryMb: 200, fileMs: 60_000, requestMs: 60_000 } });
  const run = () => pool.run({ ...ask("much", "/much"), affinity: "much" });
  const { pid, setAside } = await run();
  expect(setAside).toEqual([]);
  expect((await run()).pid).toBe(pid);
});

test("a file without end is set aside once its time is over", async () => {
  const pool = openPool({ limits: { memoryMb: 64, largeMemoryMb: 64, fileMs: 100, requestMs: 60_000 } });
  expect((await pool.run(ask("endless", "/slow"))).setAside).toEqual([
    { path: "/slow", stamp: "1", cost: "more than 0.1 s" },
  ]);
});

test("a process that ends for no known reason fails its request alone", async () => {
  const pool = openPool();
  const fates = await Promise.allSettled([
    pool.run(ask("exit")),
    pool.run(ask("fine")),
    pool.run(ask("throw")),
  ]);
  expect(fates.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  expect(fates[0]).toMatchObject({ reason: expect.any(ProcessEndedError) as Error });
  expect(fates[2]).toMatchObject({ reason: { message: "no", code: "store_full" } });
  expect(await pool.run(ask("fine"))).toMatchObject({ setAside: [] });
});

test("a file is set aside only when two processes ended over it for no known reason", async () => {
  const pool = openPool();
  expect((await pool.run(ask("exit-once", "/good"))).setAside).toEqual([]);
  expect((await pool.run(ask("exit", "/bad"))).setAside).toMatchObject([{ path: "/bad" }]);
});

test("what is asked of one thing goes to the process that had it last", async () => {
  const pool = openPool();
  const run = (affinity: string) => pool.run({ ...ask("fine"), affinity });
  const [one, other] = await Promise.all([run("one"), run("other")]);
  expect(one.pid).not.toBe(other.pid);
  for (const [name, { pid }] of [
    ["other", other],
    ["one", one],
    ["other", other],
  ] as const)
    expect((await run(name)).pid).toBe(pid);
});

test("what is asked of one thing is done one after the other, so that it never takes all processes", async () => {
  const pool = openPool({ limits: { memoryMb: 64, largeMemoryMb: 64, fileMs: 60_000, requestMs: 500 } });
  const endless = [1, 2, 3].map(() => pool.run({ ...ask("endless"), affinity: "slow" }));
  const outcomes = Promise.allSettled(endless);
  expect(await pool.run({ ...ask("fine"), affinity: "other" })).toMatchObject({ setAside: [] });
  // The first of them runs out of time, which none of the others is given.
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ProcessEndedError) as Error });
  await expect(pool.run({ ...ask("fine"), affinity: "slow" })).rejects.toThrow(/too long/);
  expect(await pool.run({ ...ask("fine"), affinity: "other" })).toMatchObject({ setAside: [] });
});

test("a request that ended a process is asked again with the word that it is the second time", async () => {
  const pool = openPool();
  expect((await pool.run(ask("fine"))).isSecondTry).toBe(false);
  expect((await pool.run(ask("exit-once"))).isSecondTry).toBe(true);
});

test("processes know no tokens", async () => {
  vi.stubEnv("ASSAY_TOKEN", "correct-horse-battery");
  vi.stubEnv("ASSAY_ADMIN_TOKEN", "correct-horse-battery");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { names } = await openPool().run(ask("fine"));
  expect(names).toContain("PATH");
  expect(names.filter((name) => name.includes("TOKEN"))).toEqual([]);
});
