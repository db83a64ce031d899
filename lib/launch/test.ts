import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { buildWhatChanged, writeSampleJobs } from "./build.ts";
import { ensureChromium } from "./chromium.ts";
import { LaunchError } from "./launch-error.ts";
import { ensurePostgres } from "./postgres.ts";
import { formatElapsed } from "./progress.mjs";
import { findProjectRoot } from "./project-root.ts";
import { runNode } from "./run-command.ts";
import { readPlaywrightCounts, readVitestCounts, type Counts } from "./test-report.ts";

const root = findProjectRoot();
const reports = join(root, ".assay", "reports");

interface Outcome extends Counts {
  /** What the step wrote; shown when something failed. */
  readonly output: string;
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
}

/** Runs a script of package.json, which is where a person finds and runs it too. */
function runScript(
  script: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  return runNode(["--run", script, "--", ...args], { title: script, env });
}

/** A step that is one check: it passes when the script ends with 0. */
function check(name: string, script: string): Step {
  return {
    name,
    run: async () => {
      const { code, output } = await runScript(script);
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, output };
    },
  };
}

const STATIC_CHECKS: readonly Step[] = [
  check("format", "check:format"),
  check("types", "check:types"),
  check("layers", "check:layers"),
  check("dead code", "check:dead-code"),
];

const LINT = check("lint", "check:lint");

const UNIT: Step = {
  name: "unit and conformance",
  run: async () => {
    const file = join(reports, "vitest.json");
    const args = ["--coverage", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    const env = { ASSAY_POSTGRES_BIN: await ensurePostgres() };
    const { code, output } = await runScript("test:unit", args, env);
    const tests = readVitestCounts(file) ?? { passed: 0, failed: 1 };
    // With every test green, only the coverage threshold can still turn the exit code.
    const isCovered = code === 0 || tests.failed > 0;
    return {
      passed: tests.passed + (code === 0 ? 1 : 0),
      failed: tests.failed + (isCovered ? 0 : 1),
      output,
    };
  },
};

const BUILD: Step = {
  name: "build",
  run: async () => {
    await buildWhatChanged();
    await writeSampleJobs();
    return { passed: 1, failed: 0, output: "" };
  },
};

const BROWSER: Step = {
  name: "end to end",
  run: async () => {
    const file = join(reports, "playwright.json");
    // Playwright colours by itself and warns when it is told twice.
    const env = {
      ASSAY_CHROMIUM: await ensureChromium(),
      PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      NO_COLOR: undefined,
    };
    const { code, output } = await runScript("test:e2e", ["--reporter=list,json"], env);
    const tests = readPlaywrightCounts(file) ?? { passed: 0, failed: 1 };
    return { ...tests, failed: tests.failed + (code !== 0 && tests.failed === 0 ? 1 : 0), output };
  },
};

/** Runs a step, prints its line, and its output when something failed. Never throws: the others still run. */
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
  if (failed > 0) process.stdout.write(`${output.trimEnd()}\n\n`);
  return { passed, failed };
}

async function runInOrder(steps: readonly Step[]): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (const step of steps) counts.push(await runStep(step));
  return counts;
}

async function runTests(isQuick: boolean): Promise<Counts> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  // Route types and next-env.d.ts, which lint and types both read.
  await runScript("typegen");
  // Lint takes as long as all the other static checks together.
  const [lint, checks] = await Promise.all([runInOrder([LINT]), runInOrder(STATIC_CHECKS)]);
  const rest = await runInOrder(isQuick ? [UNIT] : [UNIT, BUILD, BROWSER]);
  const all = [...lint, ...checks, ...rest];
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, long: { type: "boolean", default: false } },
});
// Read by lib/testing/plan-runs.ts, in whatever process a test runs.
if (values.long) process.env["ASSAY_TEST_LONG"] = "1";
const { passed, failed } = await runTests(values.quick);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
