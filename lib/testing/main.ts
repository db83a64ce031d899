import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { writeSampleJobs, writeSyntheticJobs } from "./generate";

const USAGE = "usage: sample-jobs DIR [--trials N] [--jobs N] [--attempts N] [--seed S]";

function parseWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Parses a size argument. @throws unless it is a whole number from 1 */
function readSize(name: "jobs" | "attempts", text: string | undefined): { jobs?: number; attempts?: number } {
  if (text === undefined) return {};
  const size = parseWhole(text);
  if (size === null || size === 0) throw new Error(USAGE);
  return { [name]: size };
}

function run(args: string[]): number {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      trials: { type: "string" },
      jobs: { type: "string" },
      attempts: { type: "string" },
      seed: { type: "string" },
    },
  });
  const [target, ...rest] = positionals;
  const seed = values.seed === undefined ? 1 : parseWhole(values.seed);
  if (target === undefined || rest.length > 0 || seed === null) throw new Error(USAGE);
  const dir = resolve(target);
  if (values.trials === undefined) {
    writeSampleJobs(dir, { seed });
    process.stdout.write(`sample jobs written to ${dir}\n`);
    return 0;
  }
  const trials = parseWhole(values.trials);
  if (trials === null || trials < 1) throw new Error(USAGE);
  const onProgress = (written: number, total: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${written} of ${total} trials`);
  };
  writeSyntheticJobs(dir, {
    trials,
    seed,
    onProgress,
    ...readSize("jobs", values.jobs),
    ...readSize("attempts", values.attempts),
  });
  process.stdout.write(`${trials} trials written to ${dir}\n`);
  return 0;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
