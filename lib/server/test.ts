import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";

import { readBundled } from "../../packaging/bundled.ts";
import { writeNotices } from "../../packaging/notices.ts";
import { LaunchError } from "../core/domain/launch-error.ts";
import { findProjectRoot } from "../read/processes/project-root.ts";
import { BUNDLES, buildWhatChanged, writeSampleJobs } from "./build.ts";
import { ensureChromium, ensurePostgres } from "./find-programs.ts";
import { formatElapsed } from "./progress.mjs";
import { type Counts, readCounts } from "./read-counts.ts";
import { runNode } from "./run-command.ts";

const root = findProjectRoot();
const reports = join(root, ".assay", "reports");

interface Outcome extends Counts {
  readonly output: string;
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

function runScript(
  script: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  return runNode(["--run", script, "--", ...args], { title: script, env });
}

function check(name: string, script: string, env: Readonly<Record<string, string>> = {}): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await runScript(script, [], env);
      return code === 0 ? { passed: 1, failed: 0, output: "" } : { passed: 0, failed: 1, output };
    },
  };
}

const CHECKS: readonly Step[] = [
  check("format", "check:format"),
  check("layers", "check:layers"),
  check("dead code", "check:dead-code"),
];

/** Lint also reads Next's generated route types and next-env.d.ts. */
const TYPES: Step =
  // The garbage fits in memory; collecting it four times as often takes a third of the run.
  check("types and lint", "check:lint", { GOGC: "400" });

function unitTests(name: string, report: string, chosen: readonly string[]): Step {
  return {
    name,
    run: async () => {
      const file = join(reports, report);
      const args = [...chosen, "--reporter=minimal", "--reporter=json", `--outputFile.json=${file}`];
      const env = { ASSAY_POSTGRES_BIN: await ensurePostgres() };
      const { code, output } = await runScript("test:unit", args, env);
      return { ...readCounts(file, code), output };
    },
  };
}

/** Branch counting slows a whole run by a quarter, and the scoring library's own tests reach each of its branches. */
const UNIT: readonly Step[] = [
  unitTests("scoring, every branch", "vitest-scoring.json", ["--project=scoring", "--coverage"]),
  unitTests("unit and conformance", "vitest.json", ["--project=!scoring"]),
];

const BUILD: Step = {
  name: "build",
  run: async () => {
    await buildWhatChanged();
    await writeSampleJobs();
    writeNotices(root, readBundled(root, BUNDLES));
    return { passed: 1, failed: 0, output: "" };
  },
};

const BROWSER: Step = {
  name: "end to end",
  run: async () => {
    const file = join(reports, "playwright.json");
    // Playwright colours its output itself and warns if an option repeats that.
    const env = {
      ASSAY_CHROMIUM: await ensureChromium(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      // Kept with the build, because translating the sources that tests load takes eight seconds.
      PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, ".assay", "transforms"),
      NO_COLOR: undefined,
    };
    // Retries once, since a machine may be busy; Playwright lists flaky tests at the end.
    const { code, output } = await runScript("test:e2e", ["--reporter=dot,json", "--retries=1"], env);
    return { ...readCounts(file, code), output };
  },
};

async function runStep(step: Step): Promise<Counts> {
  const startedAtMs = Date.now();
  let outcome: Outcome;
  try {
    outcome = await step.run();
  } catch (error) {
    const message =
      error instanceof LaunchError ? error.message : error instanceof Error ? error.stack : String(error);
    outcome = { passed: 0, failed: 1, output: message ?? "" };
  }
  const elapsed = formatElapsed(Date.now() - startedAtMs);
  const { passed, failed, output } = outcome;
  const counts = passed + failed === 1 ? "" : `, ${passed} passed${failed === 0 ? "" : `, ${failed} failed`}`;
  process.stdout.write(`${failed === 0 ? "ok    " : "FAILED"} ${step.name} (${elapsed}${counts})\n`);
  if (output !== "") process.stdout.write(`${stripVTControlCharacters(output).trimEnd()}\n\n`);
  return { passed, failed };
}

async function runInOrder(steps: readonly Step[]): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (const step of steps) counts.push(await runStep(step));
  return counts;
}

const SCRATCH_BYTES = 2 * 2 ** 30;

/** In memory, because waiting for a disk takes half of a run; null without enough space. */
function makeScratchFolder(): string | null {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return null;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < SCRATCH_BYTES ? null : mkdtempSync(join(memory, "assay-test-"));
}

async function runTests(isQuick: boolean): Promise<Counts> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const building = runInOrder(isQuick ? [] : [BUILD]);
  // Waits for the build, which empties Next's folder of generated files.
  const generating = building.then(() => runScript("typegen"));
  // A build leaves half a processor idle and browser tests wait for servers, so the other steps run meanwhile. They read no build.
  const ran = await Promise.all([
    building,
    generating.then(() => runInOrder(isQuick ? [] : [BROWSER])),
    runInOrder([...CHECKS, ...UNIT]).then(async (counts) => {
      await generating;
      return [...counts, ...(await runInOrder([TYPES]))];
    }),
  ]);
  const all = ran.flat();
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, long: { type: "boolean", default: false } },
});
// Read by lib/testing/plan-runs.ts in any process that runs tests.
if (values.long) process.env["ASSAY_TEST_LONG"] = "1";
const scratch = makeScratchFolder();
if (scratch !== null) {
  // PostgreSQL runs as its own user if the tests run as root.
  chmodSync(scratch, 0o755);
  process.env["TMPDIR"] = scratch;
  process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
}
const { passed, failed } = await runTests(values.quick);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
