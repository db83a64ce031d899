import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test, vi } from "vitest";

import { supervise } from "./supervise";

/** A process that follows commands, and reports its id and the files set aside when it started. */
const SCRIPT = `
  process.on("disconnect", () => process.exit());
  process.on("message", ({ kind, setAside, id, order }) => {
    if (kind === "start") {
      process.send({ kind: "status", status: { pid: process.pid, setAside } });
      return;
    }
    const { file, how } = order;
    if (file !== undefined) process.send({ kind: "at-file", file: { path: file, stamp: "1" } });
    if (how === "silent") process.exit(3);
    process.send({ kind: "done", id }, () => {
      if (how === "memory") for (const all = []; ; ) all.push({ all: [] });
      if (how === "exit") process.exit(3);
    });
  });
`;

function openSupervised() {
  const folder = mkdtempSync(join(tmpdir(), "assay-supervise-"));
  const script = join(folder, "process.cjs");
  writeFileSync(script, SCRIPT);
  const starts: { readonly pid: number; readonly setAside: readonly unknown[] }[] = [];
  const onGivenUp = vi.fn();
  const process = supervise<null, object, (typeof starts)[number]>({
    script,
    memoryMb: 20,
    fileMs: 60_000,
    data: null,
    onStatus: (status) => starts.push(status),
    onGivenUp,
  });
  onTestFinished(async () => {
    await process.stop();
    rmSync(folder, { recursive: true });
  });
  const waitForStart = (n: number) => vi.waitFor(() => expect(starts).toHaveLength(n), 10_000);
  return { process, starts, onGivenUp, waitForStart };
}

test("a process that ends is started again, and given up when it does so time after time", async () => {
  const { process, starts, onGivenUp, waitForStart } = openSupervised();
  for (const n of [1, 2, 3, 4]) {
    await waitForStart(n);
    await process.carryOut({ how: "exit" });
  }
  await vi.waitFor(() => expect(onGivenUp).toHaveBeenCalledExactlyOnceWith("unknown"));
  expect(new Set(starts.map(({ pid }) => pid)).size).toBe(4);
});

test("ends that lie far apart are not counted together", async () => {
  const { process, onGivenUp, waitForStart } = openSupervised();
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (clock += 61_000));
  onTestFinished(() => void vi.restoreAllMocks());
  for (const n of [1, 2, 3, 4, 5, 6]) {
    await waitForStart(n);
    await process.carryOut({ how: "exit" });
  }
  await waitForStart(7);
  expect(onGivenUp).not.toHaveBeenCalled();
});

test("a file that takes all memory is set aside for the next one", async () => {
  const { process, starts, waitForStart } = openSupervised();
  await waitForStart(1);
  await process.carryOut({ file: "/dear", how: "memory" });
  await waitForStart(2);
  expect(starts[1]?.setAside).toMatchObject([{ path: "/dear", cost: "more than 20 MiB of memory" }]);
});

test("an order that no process carries out goes to each next one, and is settled when they are given up", async () => {
  const { process, onGivenUp } = openSupervised();
  await process.carryOut({ how: "silent" });
  expect(onGivenUp).toHaveBeenCalledOnce();
  await process.carryOut({ how: "silent" });
});
