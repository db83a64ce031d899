import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { prepareBaseline, prepareNext } from "./jobs/terminal-mix";
import { Random } from "./random";
import { writeJob } from "./write-job";

const README = `Sample jobs

Everything below this folder is synthetic: invented tasks, agents, models, machines and outcomes.
It has the layout of real job folders so that the product can be tried and tested; it says nothing
about any real agent or model. A deterministic generator wrote it: the same seed gives the same bytes.
`;

/** Options of the sample set. */
export interface SampleOptions {
  /** Any whole number; 1 by default. The same seed gives the same bytes. */
  readonly seed?: number;
}

/** Writes the product's sample jobs below `dir`, which is created when it is missing. */
export function writeSampleJobs(dir: string, options: SampleOptions = {}): void {
  const rng = new Random(`samples/${options.seed ?? 1}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "README.txt"), README);
  for (const prepare of [prepareBaseline, prepareNext]) {
    writeJob(dir, prepare(rng.fork(prepare.name)));
  }
}
