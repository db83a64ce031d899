import { LaunchError } from "../lib/core/domain/launch-error.ts";
import { findProjectRoot } from "../lib/read/processes/project-root.ts";
import { buildWhatChanged } from "../lib/server/build.ts";
import { BENCH_FOLDER, type DataSet, prepareDataSet } from "./data-set.ts";
import { measureBrowser } from "./measure-browser.ts";
import { measureFlood } from "./measure-flood.ts";
import { measureHarbor } from "./measure-harbor.ts";
import { measureHostile } from "./measure-hostile.ts";
import { measureIndex } from "./measure-index.ts";
import { measureLoad } from "./measure-load.ts";
import { measurePages } from "./measure-pages.ts";
import { measureStart } from "./measure-start.ts";
import { measureStats } from "./measure-stats.ts";
import { measureWrites } from "./measure-writes.ts";
import { type BenchOptions, parseOptions, type PartName, USAGE } from "./options.ts";
import { formatReport, type PartResult, readEnvironment, writeReport } from "./report.ts";

function describeError(error: unknown): string {
  if (error instanceof LaunchError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function runPart(
  part: PartName,
  sets: readonly DataSet[],
  { runs, requests, dropsCache }: BenchOptions,
): Promise<PartResult> {
  switch (part) {
    case "index":
      return measureIndex(sets, runs, dropsCache);
    case "start":
      return measureStart(sets, runs);
    case "pages":
      return measurePages(sets, runs, requests);
    case "load":
      return measureLoad(sets);
    case "flood":
      return measureFlood(sets);
    case "browser":
      return measureBrowser(sets, runs);
    case "writes":
      return measureWrites(sets, runs);
    case "stats":
      return measureStats(runs);
    case "hostile":
      return measureHostile(runs);
    case "harbor":
      return measureHarbor(runs);
  }
}

async function measure(options: BenchOptions): Promise<boolean> {
  if (options.builds) await buildWhatChanged();
  const environment = readEnvironment(findProjectRoot());
  const parts = new Map<string, PartResult>();
  const sets: DataSet[] = [];
  const unprepared: string[] = [];
  if (options.parts.some((part) => !["harbor", "hostile", "stats"].includes(part))) {
    for (const size of options.sizes) {
      try {
        sets.push(await prepareDataSet(size));
      } catch (error) {
        unprepared.push(`${size} trials: ${describeError(error)}`);
      }
    }
  }
  if (unprepared.length > 0) parts.set("job folders", { tables: [], raw: null, failures: unprepared });
  for (const part of options.parts) {
    process.stderr.write(`measuring ${part}\n`);
    try {
      parts.set(part, await runPart(part, sets, options));
    } catch (error) {
      parts.set(part, { tables: [], raw: null, failures: [describeError(error)] });
    }
    // After every part, so that an aborted call leaves what it has.
    writeReport(options.out, environment, parts);
  }
  process.stdout.write(formatReport(environment, parts));
  process.stderr.write(`Written to ${options.out}.md and .json\n`);
  return [...parts.values()].every(({ failures }) => failures.length === 0);
}

async function run(args: readonly string[]): Promise<number> {
  let options: BenchOptions | null;
  try {
    options = parseOptions(args, BENCH_FOLDER);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options === null) {
    process.stdout.write(USAGE);
    return 0;
  }
  return (await measure(options)) ? 0 : 1;
}

process.exitCode = await run(process.argv.slice(2));
