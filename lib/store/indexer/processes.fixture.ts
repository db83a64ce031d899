import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { onTestFinished } from "vitest";

import { bundlePrograms } from "@/lib/testing/bundle.fixture";

import type { IndexStatus } from "./progress";

/** The programs that an index needs, built from the sources as they are. */
interface IndexPrograms {
  /** Programs of its processes, see `OpenIndexOptions`. */
  readonly script: string;
  readonly child: string;
  /** Works without end in a child of its own. */
  readonly endless: string;
}

let programs: Promise<IndexPrograms> | null = null;

/** Builds them once. */
export function buildPrograms(): Promise<IndexPrograms> {
  return (programs ??= bundlePrograms({
    indexing: "lib/store/indexer/main.ts",
    child: "lib/store/indexer/index-child.fixture.ts",
    endless: "lib/store/indexer/endless-work.fixture.ts",
  }).then((folder) => ({
    script: join(folder, "indexing.js"),
    child: join(folder, "child.js"),
    endless: join(folder, "endless.js"),
  })));
}

/** A process of its own that keeps an index up to date. */
interface IndexChild {
  readonly process: ChildProcess;
  /** Settles at the first status, of those it has told and those to come, that fits; fails when it ends before. */
  readonly waitFor: (fits: (status: IndexStatus) => boolean) => Promise<IndexStatus>;
  /** The last status it told; null before the first. */
  readonly status: () => IndexStatus | null;
  /** Settles with its exit code, null when a signal ended it. */
  readonly exit: Promise<number | null>;
}

/** Starts a process that indexes some folders, and ends it after the test. */
export async function startChild(
  roots: readonly string[],
  environment: Readonly<Record<string, string>>,
  stays: boolean,
): Promise<IndexChild> {
  const { script, child: program } = await buildPrograms();
  const task = JSON.stringify({ roots, environment, script, stays });
  const child = spawn(process.execPath, [program, task], { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const exit = new Promise<number | null>((settle, fail) => {
    child.once("error", fail);
    child.once("close", (code) => settle(code));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  let last: IndexStatus | null = null;
  const listeners = new Set<(status: IndexStatus) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- index-child.fixture.ts wrote it
    const status: IndexStatus = JSON.parse(line);
    last = status;
    for (const listener of listeners) listener(status);
  });
  const waitFor: IndexChild["waitFor"] = (fits) =>
    new Promise((settle, fail) => {
      if (last !== null && fits(last)) {
        settle(last);
        return;
      }
      const listener = (status: IndexStatus) => {
        if (!fits(status)) return;
        listeners.delete(listener);
        settle(status);
      };
      listeners.add(listener);
      void exit.then(() => fail(new Error(`The process ended first. ${errors}`)));
    });
  return { process: child, waitFor, status: () => last, exit };
}
