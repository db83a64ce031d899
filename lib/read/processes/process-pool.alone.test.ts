import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type * as os from "node:os";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import type { SetAsideFile } from "@/lib/read/loader/large-files";

import { type PoolOptions, ProcessEndedError, ProcessPool } from "./process-pool";

/** Idle processors. */
vi.mock("node:os", async (importOriginal) => ({
  ...(await importOriginal<typeof os>()),
  cpus: () => [{ times: { user: 0, nice: 0, sys: 0, irq: 0, idle: 0 } }],
}));

interface Asked {
  /** The process's behaviour at each file that was not set aside; once without any. */
  readonly how:
    | "fine"
    | "much"
    | "memory"
    | "abort"
    | "endless"
    | "exit"
    | "exit-once"
    | "throw"
    | "tell"
    | "wait"
    | "wander";
  readonly files?: readonly string[];
  /** A file of the test's own, see {@link SCRIPT}. */
  readonly sign?: string;
}

interface Answered {
  readonly pid: number;
  readonly setAside: readonly SetAsideFile[];
  readonly names: readonly string[];
  readonly isSecondTry: boolean;
}

/**
 * A process that parses files, each of them told as large. `tell` writes the sign once the answer is sent, `wait` waits for it;
 * `wander` goes from file to file without end. The file "any" is another one in every process.
 */
const SCRIPT = `
  const { existsSync, writeFileSync } = require("node:fs");
  process.on("disconnect", () => process.exit());
  const send = (message, sent) => process.send(message, sent);
  const doIt = (how, sign) => {
    if (how === "much") new Array(4e6).fill(0);
    if (how === "memory") for (const all = []; ; ) all.push({ all: [] });
    if (how === "abort") process.kill(process.pid, "SIGABRT");
    if (how === "endless") for (;;);
    if (how === "exit-once" && !existsSync(sign)) {
      writeFileSync(sign, "");
      process.kill(process.pid, "SIGKILL");
    }
    if (how === "exit") process.exit(3);
    if (how === "wait") while (!existsSync(sign));
    if (how === "throw") throw new Error("no");
  };
  const wander = () => setInterval(() => send({ kind: "at-file", file: { path: "/" + Math.random(), stamp: "1" } }), 5);
  process.on("message", ({ request: { how, files = [], sign }, setAside, isSecondTry }) => {
    if (how === "wander") return wander();
    try {
      if (files.length === 0) doIt(how, sign);
      for (const file of files) {
        send({ kind: "progress", n: 1 });
        if (setAside.some(({ path }) => path === file)) continue;
        send({ kind: "at-file", file: { path: file === "any" ? String(process.pid) : file, stamp: "1" } });
        doIt(how, sign);
      }
    } catch (error) {
      return send({ kind: "failed", message: error.message, code: "store_full", stack: null });
    }
    const answer = { pid: process.pid, setAside, isSecondTry, names: Object.keys(process.env) };
    send({ kind: "done", answer }, () => how === "tell" && writeFileSync(sign, ""));
  });
`;

/** Has the clock of limits go on by hand alone, so that no process is too late because the machine is busy. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-pool-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function openPool(options: Partial<PoolOptions> = {}): ProcessPool<Asked, Answered> {
  const script = join(makeFolder(), "process.cjs");
  writeFileSync(script, SCRIPT);
  const pool = new ProcessPool<Asked, Answered>({
    script,
    memoryMb: 20,
    largeMemoryMb: 40,
    fileMs: 60_000,
    requestMs: 60_000,
    nUsual: 2,
    nMost: 2,
    idleMs: 60_000,
    largeIdleMs: 2_000,
    ...options,
  });
  onTestFinished(() => pool.close());
  return pool;
}

const ask = (how: Asked["how"], ...files: readonly string[]) => ({ request: { how, files } });
const askWith = (how: Asked["how"], sign: string) => ({ request: { how, sign } });

test("processes with nothing to do end, and new ones do the next work", async () => {
  const pool = openPool({ idleMs: 20 });
  const runs = Promise.all([pool.run(ask("fine")), pool.run(ask("fine"))]);
  // Now: the first may have ended again by the time the second has started.
  expect(pool.nProcesses).toBe(2);
  await runs;
  await vi.waitFor(() => expect(pool.nProcesses).toBe(0));
  expect(await pool.run(ask("fine"))).toMatchObject({ setAside: [] });
});

test("where it is to, a process with much memory takes what waits for one, and is gone before its last answer is used", async () => {
  const pool = openPool({ nUsual: 1, nMost: 1, largeIdleMs: 0 });
  const runs = [1, 2].map(() => pool.run({ ...ask("fine"), isLarge: true }));
  const [first, second] = await Promise.all(runs);
  expect(pool.nProcesses).toBe(0);
  expect(second?.pid).toBe(first?.pid);
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
  const pool = openPool({ largeMemoryMb: 200 });
  const run = () => pool.run({ ...ask("much", "/much"), affinity: "much" });
  const { pid, setAside } = await run();
  expect(setAside).toEqual([]);
  expect((await run()).pid).toBe(pid);
});

test("a file without end is set aside once its time is over", async () => {
  const pool = openPool({ fileMs: 100 });
  expect((await pool.run(ask("endless", "/slow"))).setAside).toEqual([
    { path: "/slow", stamp: "1", cost: "more than 0.1 s" },
  ]);
});

test("a request over several files has no more time than others, and no file is blamed", async () => {
  stopClock();
  const pool = openPool({ requestMs: 500 });
  const late = expect(pool.run({ ...ask("wander"), affinity: "slow" })).rejects.toThrow(/too long/);
  // The process of the other is started after that of this one.
  await pool.run({ ...ask("fine"), affinity: "other" });
  vi.advanceTimersByTime(500);
  await late;
  expect((await pool.run({ ...ask("fine"), affinity: "other" })).setAside).toEqual([]);
});

test("an answer that came in time is taken however late it is read, and nothing else is out of time for it", async () => {
  const requestMs = 500;
  const pool = openPool({ nUsual: 1, nMost: 1, requestMs });
  const sign = join(makeFolder(), "sign");
  const inTime = pool.run({ ...askWith("tell", sign), affinity: "in time" });
  const waiting = pool.run({ ...ask("fine"), affinity: "waiting" });
  // Neither messages nor timers come through until the answer has been sent and the time is over.
  const overAt = performance.now() + requestMs;
  while (!existsSync(sign) || performance.now() < overAt);
  expect(await inTime).toMatchObject({ setAside: [] });
  expect(await waiting).toMatchObject({ setAside: [] });
});

test("however many files of a request end processes, it is answered without them", async () => {
  const files = Array.from({ length: 22 }, (_, n) => `/${n}`);
  let nDone = 0;
  const onProgress = (n: number) => void (nDone += n);
  const pool = openPool({ largeMemoryMb: 20 });
  const { setAside } = await pool.run({ ...ask("abort", ...files), onProgress });
  expect(setAside.map(({ path }) => path)).toEqual(files);
  expect(nDone).toBe(files.length);
});

test("a request that ends processes at other files each time fails", async () => {
  await expect(openPool().run(ask("exit", "any"))).rejects.toThrow(ProcessEndedError);
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
  const sign = join(makeFolder(), "sign");
  const once = { request: { how: "exit-once", files: ["/good"], sign } } as const;
  expect((await pool.run(once)).setAside).toEqual([]);
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
  stopClock();
  const pool = openPool({ requestMs: 500 });
  const endless = [1, 2, 3].map(() => pool.run({ ...ask("endless"), affinity: "slow" }));
  const outcomes = Promise.allSettled(endless);
  expect(await pool.run({ ...ask("fine"), affinity: "other" })).toMatchObject({ setAside: [] });
  vi.advanceTimersByTime(500);
  // The first of them runs out of time; the others get none of it.
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(ProcessEndedError) as Error });
  await expect(pool.run({ ...ask("fine"), affinity: "slow" })).rejects.toThrow(/too long/);
  expect(await pool.run({ ...ask("fine"), affinity: "other" })).toMatchObject({ setAside: [] });
});

test("a request that ended a process is asked again with the word that it is the second time", async () => {
  const pool = openPool();
  expect((await pool.run(ask("fine"))).isSecondTry).toBe(false);
  const again = await pool.run(askWith("exit-once", join(makeFolder(), "sign")));
  expect(again.isSecondTry).toBe(true);
});

test("processes know nothing that opens a bucket", async () => {
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "correct-horse-battery");
  vi.stubEnv("ASSAY_OIDC_CLIENT_SECRET", "correct-horse-battery");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { names } = await openPool().run(ask("fine"));
  expect(names).toContain("PATH");
  expect(names.filter((name) => /^(?:AWS|ASSAY_OIDC)_/.test(name))).toEqual([]);
});

test("processes added while processors were idle are not restarted after they end", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = openPool({ nUsual: 1, nMost: 2, idleMs: 20 });
  const sign = join(makeFolder(), "sign");
  const waiting = [1, 2].map(() => pool.run(askWith("wait", sign)));
  vi.advanceTimersByTime(1_000);
  expect(pool.nProcesses).toBe(2);
  writeFileSync(sign, "");
  await Promise.all(waiting);
  await vi.waitFor(() => expect(pool.nProcesses).toBe(0));
  const runs = [1, 2].map(() => pool.run(ask("fine")));
  expect(pool.nProcesses).toBe(1);
  await Promise.all(runs);
});

test("what needs little memory does not wait for what needs much", async () => {
  const pool = openPool({ nUsual: 1, nMost: 1 });
  const sign = join(makeFolder(), "sign");
  const long = pool.run({ ...askWith("wait", sign), isLarge: true });
  const next = pool.run({ ...ask("fine"), isLarge: true });
  expect(await pool.run(ask("fine"))).toMatchObject({ setAside: [] });
  expect(existsSync(sign)).toBe(false);
  expect(pool.nProcesses).toBe(2);
  writeFileSync(sign, "");
  // One after the other, in one process.
  expect((await next).pid).toBe((await long).pid);
});
