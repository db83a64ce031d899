import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { writeSampleJobs, writeSyntheticJobs } from "./generate";

const USAGE = "usage: sample-jobs DIR [--trials N] [--jobs N] [--seed S]";

function parseWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function run(args: string[]): number {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { trials: { type: "string" }, jobs: { type: "string" }, seed: { type: "string" } },
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
  const jobs = values.jobs === undefined ? undefined : parseWhole(values.jobs);
  if (trials === null || trials < 1 || jobs === null || jobs === 0) throw new Error(USAGE);
  const onProgress = (written: number, total: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${written} of ${total} trials`);
  };
  writeSyntheticJobs(dir, { trials, seed, onProgress, ...(jobs === undefined ? {} : { jobs }) });
  process.stdout.write(`${trials} trials written to ${dir}\n`);
  return 0;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
