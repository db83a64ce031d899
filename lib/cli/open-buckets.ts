import { join } from "node:path";

import { isBucketAddress } from "@/lib/core/domain/bucket";
import { type RunningMirror, startMirror } from "@/lib/read/buckets";
import { findProjectRoot } from "@/lib/read/processes/project-root";
import { resolveDataFolder } from "@/lib/store/database";

import { type Command, UsageError } from "./command";
import { withData } from "./open-folders";
import { type Terminal, makeProgressBar, warn } from "./terminal";

const WATCH_EVERY_MS = 10_000;

/**
 * Fetches the buckets of a command line into the data folder, and replaces their addresses by folders. @throws UsageError when one
 * cannot be fetched
 */
export async function openBuckets(use: Command["buckets"], args: readonly string[], terminal: Terminal) {
  const mirrors: RunningMirror[] = [];
  const timers: NodeJS.Timeout[] = [];
  const close = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(mirrors.map((mirror) => mirror.close()));
  };
  if (use === "unopened") return { args, close };
  try {
    const opened: string[] = [];
    for (const arg of args) {
      if (!isBucketAddress(arg)) {
        opened.push(arg);
        continue;
      }
      const mirror = start(arg, args, terminal);
      mirrors.push(mirror);
      await fetchOnce(mirror, use !== "results", terminal);
      opened.push(mirror.folder);
      if (use === "watched") timers.push(setInterval(() => void mirror.scan(), WATCH_EVERY_MS).unref());
    }
    return { args: opened, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function start(address: string, args: readonly string[], terminal: Terminal): RunningMirror {
  const environment = withData(terminal.env, findData(args));
  const bar = makeProgressBar(terminal.stderr, undefined, "files");
  return startMirror({
    ...{ address, environment, dataFolder: resolveDataFolder(environment) },
    script: join(findProjectRoot(), "dist", "buckets.js"),
    onStatus: ({ phase, nFetched, nToFetch }) => {
      if (phase === "fetching") bar.show(nFetched, nToFetch);
      else bar.clear();
    },
  });
}

function findData(args: readonly string[]): string | undefined {
  const at = args.indexOf("--data");
  return at === -1 ? args.find((arg) => arg.startsWith("--data="))?.slice("--data=".length) : args[at + 1];
}

async function fetchOnce(mirror: RunningMirror, isWhole: boolean, terminal: Terminal): Promise<void> {
  await mirror.scan();
  if (isWhole) await mirror.fill();
  const { problem, isComplete } = mirror.status();
  if (problem === null) return;
  if (!isComplete) throw new UsageError(problem);
  warn(terminal, `${problem} Using the files fetched earlier.`);
}
