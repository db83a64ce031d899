import { type Micros, SECOND } from "./clock";
import { formatJson, type Json } from "./json-text";
import type { Random } from "./random";
import type { SampleFile } from "./record";
import type { FailedTest } from "./story";

const RESET = "\u001b[0m";
const GREEN = "\u001b[32m";
const RED = "\u001b[31m";
const BOLD_RED = "\u001b[1m\u001b[31m";
const BOLD_GREEN = "\u001b[1m\u001b[32m";

interface TestRun {
  readonly name: string;
  readonly seconds: number;
  readonly failure: FailedTest | null;
}

function planTests(tests: readonly string[], failed: readonly FailedTest[], rng: Random): TestRun[] {
  const byName = new Map(failed.map((test) => [test[0], test]));
  const names = [...tests, ...failed.map((test) => test[0]).filter((name) => !tests.includes(name))];
  return names.map((name) => ({
    name,
    seconds: Math.round(rng.unit() * rng.unit() * 2400 + 4) / 1000,
    failure: byName.get(name) ?? null,
  }));
}

function formatFailure(test: FailedTest, rng: Random): string {
  const [name, line, error] = test;
  const place = rng.int(18, 140);
  const rule = `_`.repeat(Math.max(8, 36 - Math.floor(name.length / 2)));
  const kind = /^[A-Z]\w+(?=:|$)/.exec(error)?.[0] ?? "AssertionError";
  return [
    `${BOLD_RED}${rule} ${name} ${rule}${RESET}`,
    "",
    `    \u001b[94mdef\u001b[39;49;00m \u001b[92m${name}\u001b[39;49;00m():`,
    `>       ${line}`,
    ...error.split("\n").map((text) => `${BOLD_RED}E       ${text}${RESET}`),
    "",
    `${BOLD_RED}/tests/test_outputs.py${RESET}:${place}: ${kind}`,
  ].join("\n");
}

function formatStdout(runs: readonly TestRun[], rng: Random): string {
  const failed = runs.filter((run) => run.failure !== null);
  const seconds = runs.reduce((sum, run) => sum + run.seconds, 0.4).toFixed(2);
  const marks = runs.map((run) => (run.failure === null ? `${GREEN}.${RESET}` : `${RED}F${RESET}`)).join("");
  const passed = runs.length - failed.length;
  const tail =
    failed.length === 0
      ? `${GREEN}============================== ${BOLD_GREEN}${passed} passed${RESET}${GREEN} in ${seconds}s${RESET}${GREEN} ===============================${RESET}`
      : `${RED}========================= ${BOLD_RED}${failed.length} failed${RESET}, ${GREEN}${passed} passed${RESET}${RED} in ${seconds}s${RESET}${RED} ==========================${RESET}`;
  return [
    "+ cd /tests",
    "+ uvx --with pytest==8.4.1 --with pytest-json-ctrf==0.3.5 pytest --color=yes --ctrf /logs/verifier/ctrf.json test_outputs.py -rA",
    `Installed 7 packages in ${rng.int(9, 60)}ms`,
    `\u001b[1m============================= test session starts ==============================${RESET}`,
    "platform linux -- Python 3.13.1, pytest-8.4.1, pluggy-1.6.0",
    "rootdir: /tests",
    "plugins: json-ctrf-0.3.5",
    `collected ${runs.length} items`,
    "",
    `test_outputs.py ${marks} ${failed.length === 0 ? GREEN : RED}[100%]${RESET}`,
    "",
    ...(failed.length === 0
      ? []
      : [
          "=================================== FAILURES ===================================",
          ...failed.flatMap((run) => (run.failure === null ? [] : [formatFailure(run.failure, rng)])),
        ]),
    "=========================== short test summary info ============================",
    ...runs
      .filter((run) => run.failure === null)
      .map((run) => `${GREEN}PASSED${RESET} test_outputs.py::\u001b[1m${run.name}${RESET}`),
    ...failed.map(
      (run) =>
        `${RED}FAILED${RESET} test_outputs.py::\u001b[1m${run.name}${RESET} - ${(run.failure?.[2] ?? "").split("\n")[0] ?? ""}`,
    ),
    tail,
    "",
  ].join("\n");
}

function prepareCtrf(runs: readonly TestRun[], at: Micros): Json {
  const failed = runs.filter((run) => run.failure !== null).length;
  const start = Math.floor(at / SECOND);
  const total = runs.reduce((sum, run) => sum + run.seconds, 0.4);
  return {
    results: {
      tool: { name: "pytest", version: "8.4.1" },
      summary: {
        tests: BigInt(runs.length),
        passed: BigInt(runs.length - failed),
        failed: BigInt(failed),
        skipped: 0n,
        pending: 0n,
        other: 0n,
        start: BigInt(start),
        stop: BigInt(start + Math.ceil(total)),
      },
      tests: runs.map((run) => ({
        name: `test_outputs.py::${run.name}`,
        status: run.failure === null ? "passed" : "failed",
        duration: run.seconds,
        start: BigInt(start),
        stop: BigInt(start + Math.ceil(run.seconds)),
        retries: 0n,
        file_path: "test_outputs.py",
        ...(run.failure === null
          ? {}
          : { trace: `>       ${run.failure[1]}\nE       ${run.failure[2]}`, message: run.failure[2] }),
      })),
    },
  };
}

/**
 * Files a pytest based verifier leaves: coloured test-stdout.txt, ctrf.json and the reward file's text.
 *
 * @param failed - the failing tests; empty when everything passed
 */
export function prepareVerifierFiles(
  tests: readonly string[],
  failed: readonly FailedTest[],
  at: Micros,
  rng: Random,
): SampleFile[] {
  const runs = planTests(tests, failed, rng);
  return [
    { path: "verifier/test-stdout.txt", content: formatStdout(runs, rng) },
    { path: "verifier/ctrf.json", content: formatJson(prepareCtrf(runs, at), 2) },
    { path: "verifier/reward.txt", content: failed.length === 0 ? "1\n" : "0\n" },
  ];
}
