import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { CROWDED_KINDS } from "./hostile-crowds";
import { type Files, Grower, type HostileSize } from "./hostile-grower";
import { HOSTILE_KINDS } from "./hostile-kinds";
import { HOSTILE_LEDGERS } from "./hostile-ledgers";
import { GROUPS, prepareJobResult, prepareResult, TRIALS } from "./hostile-results";
import type { Random } from "./random";

/** Jobs next to each other: as many as a user might have. */
const MOST_JOBS = 2_000;

/** A folder of many jobs whose names are as long as a file system allows. */
const LONG_NAMES = "long-names";

/** Names of all hostile jobs, each a folder of {@link writeHostileJob}. */
export const HOSTILE_JOBS: readonly string[] = [
  LONG_NAMES,
  ...Object.keys(HOSTILE_KINDS),
  ...Object.keys(HOSTILE_LEDGERS).map((name) => `ledger-${name}`),
];

/** Those of many entries with long names: any page may take too much of one of them, so that all are looked at. */
export const CROWDED_JOBS: ReadonlySet<string> = new Set(Object.keys(CROWDED_KINDS));

/** A trial that every hostile job has but the one with long names. */
export const HOSTILE_TRIAL: string = TRIALS[0];

/** Evals groups that a hostile job has, unless what is overgrown is the name of one. */
export const HOSTILE_GROUPS: readonly string[] = GROUPS;

/**
 * Writes one of {@link HOSTILE_JOBS}.
 *
 * @param folder - absolute; everything is written into a folder of it that has the job's name
 */
export function writeHostileJob(folder: string, name: string, size: HostileSize, random: Random): void {
  if (name === LONG_NAMES) {
    writeLongNames(join(folder, name), size, random);
    return;
  }
  const grower = new Grower(size, random.fork(name));
  const ledger = HOSTILE_LEDGERS[name.replace(/^ledger-/, "")];
  const grow = HOSTILE_KINDS[name];
  if (grow === undefined) {
    write(join(folder, name), ledger?.(grower) ?? {});
    return;
  }
  const trials = TRIALS.map((trial) => ({ trial, ...grow(grower) }));
  write(join(folder, name), {
    "job.log": "",
    "config.json": { job_name: name, n_attempts: 1, agents: [{ name: "a" }], metrics: [{ type: "mean" }] },
    "result.json": prepareJobResult({}, ["a__bench"]),
    ...trials[0]?.jobFiles,
  });
  for (const { trial, result, files } of trials) {
    write(join(folder, name, trial), {
      "result.json": { ...prepareResult(trial), ...result },
      "verifier/reward.txt": "1\n",
      ...files,
    });
  }
}

function writeLongNames(folder: string, { items }: HostileSize, random: Random): void {
  const grower = new Grower({ items: Math.min(items, MOST_JOBS), chars: 0 }, random.fork(LONG_NAMES));
  for (const name of grower.list((n) => `${n} ${grower.word().padEnd(60, "名")}`))
    write(join(folder, name), {
      "result.json": prepareJobResult({}, ["a__bench"]),
      [`${TRIALS[0]}/result.json`]: prepareResult(TRIALS[0]),
    });
}

function write(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, typeof content === "string" ? content : JSON.stringify(content));
  }
}
