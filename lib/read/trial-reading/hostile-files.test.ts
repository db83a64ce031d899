import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import type { Trial } from "@/lib/core/domain/trial";
import { LIST_STARTS } from "@/lib/core/domain/trial-lists";
import { prepareRoots } from "@/lib/read/catalog";
import { discoverJobs, MemoryBudget, readJob } from "@/lib/read/loader";
import { openRawFile, readJobReport } from "@/lib/read/loader/detail";
import { dropRights, jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import type { TrialPlace } from "./place";
import { carryOut, type ReaderName } from "./readers";

const NAME = "alpha__aaaaaaa";
/** Sizes: enough for a backtracking pattern to take minutes. */
const SIZE = IS_LONG_RUN ? 20_000_000 : 40_000;

/** Every file that a reader of trials opens, in its intended form. */
const FILES: Readonly<Record<string, unknown>> = {
  // First, since a log is read for tests only while there is no report of them.
  "verifier/test-stdout.txt": [
    "========== test session starts ==========",
    "tests/a.py::test_a PASSED [ 50%]",
    "tests/a.py::test_b[x] SKIPPED (no file) [100%]",
    "========== short test summary info ==========",
    "FAILED tests/a.py::test_c[a - b] - AssertionError: 1 != 2",
    "========== 1 failed, 1 passed, 1 skipped in 2.87s (0:00:02) ==========",
    "Running 2 tests using 1 worker",
    "  ✘  1 [chromium] › a.spec.ts:3:1 › title (12ms)",
    "  ✓  2 [chromium] › a.spec.ts:3:1 › title (retry #1) (1.2s)",
    "  1 flaky",
    "  1 passed (2.1s)",
  ],
  "verifier/reports/junit.xml": [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<testsuites name="all"><testsuite name="s" tests="2">',
    '<testcase classname="a" name="b &lt;1&gt;" time="0.25"/>',
    '<testcase name="c"><failure message="&#49; != 2">line<![CDATA[ & ]]></failure><!-- x --></testcase>',
    "</testsuite></testsuites>",
  ],
  "verifier/grade.json": {
    checks: [
      { check: "builds", ok: false, why: "no compiler" },
      { name: "runs", status: "passed" },
    ],
  },
  "agent/trajectory.json": {
    schema_version: "ATIF-v1.6",
    session_id: "s",
    agent: { name: "orca", version: "1", model_name: "lab/m1" },
    steps: [
      {
        step_id: 1,
        source: "user",
        message: "Analysis: do it\nPlan: soon",
        timestamp: "2026-01-01T00:00:00Z",
      },
      {
        step_id: 2,
        source: "agent",
        message: '{"plan": "look. then act"}',
        reasoning_content: "why",
        tool_calls: [
          { tool_call_id: "c", function_name: "bash", arguments: { command: "make test", path: "a.py" } },
        ],
        observation: {
          results: [
            {
              source_call_id: "c",
              content: "1 failed, exit code: 1",
              subagent_trajectory_ref: [{ session_id: "s", trajectory_path: "b.json" }],
            },
          ],
        },
        metrics: { prompt_tokens: 1, completion_tokens: 2, cost_usd: 0.5 },
      },
    ],
    final_metrics: { total_prompt_tokens: 1 },
  },
  "verifier/reward.json": { reward: 0.5, style: 1 },
  "verifier/reward-details.json": {
    reward: 0.5,
    style: { score: 1, max_score: 2, weight: 0.5, criteria: [{ name: "c", score: 1, reason: "x" }] },
  },
  "verifier/details.json": {
    dimensions: { depth: { score: 0.5, evidence: "line 3" } },
    error_tags: ["wrong"],
  },
  "verifier/ctrf.json": {
    results: {
      tool: { name: "pytest" },
      summary: { tests: 1, passed: 0, failed: 1, start: 1, stop: 2 },
      tests: [{ name: "test_a", status: "failed", duration: 5, message: "assert", trace: "File a\n  b" }],
    },
  },
  "analysis.json": {
    trial_name: NAME,
    summary: "It stopped.",
    checks: { reward_hacking: { outcome: "pass", explanation: "none" } },
    error_tags: ["early"],
  },
  "check_report.json": {
    results: [{ task_name: "alpha", checks: { a: { outcome: "fail", explanation: "b" } } }],
  },
  "artifacts/manifest.json": [{ source: "/app/x", destination: "x", type: "file", status: "ok" }],
  "agent/output.jsonl": { output: { answer: 1 } },
};

type Json = unknown;

/** Values in place of the intended ones. */
const VALUES: Readonly<Record<string, (random: Random) => Json>> = {
  "empty objects": () => Array.from({ length: SIZE / 8 }, () => ({})),
  keys: () => Object.fromEntries(Array.from({ length: SIZE / 20 }, (_, index) => [`k${index}`, index])),
  "one line": () => "a".repeat(SIZE),
  words: () => "word ".repeat(SIZE / 5),
  spaces: () => " ".repeat(SIZE),
  lines: () => "x\n".repeat(SIZE / 2),
  "sentence marks": () => "Really?! ".repeat(SIZE / 9),
  "plan without end": () => `Analysis:${"\nPla".repeat(SIZE / 4)}`,
  "terminal codes": () => "\u001B[31m\u001B]0;".repeat(SIZE / 9),
  braces: () => "{".repeat(SIZE),
  slashes: () => "/..".repeat(SIZE / 3),
  "exit codes": () => "exit code ".repeat(SIZE / 10),
  "failed tests": () => `test result: FAILED.${"1".repeat(SIZE)}`,
  "empty lines": () => "\n".repeat(SIZE),
  "deep path": () => `artifacts${"/a".repeat(SIZE / 2)}`,
  "lone surrogates": () => "\uD800".repeat(1000),
  prototype: () => JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1, "toString": "x"}') as Json,
  depth: () => Array.from({ length: 1_500 }).reduce<Json>((inner) => [inner], 1),
  "number beyond": () => 1e308,
  "not a time": () => "9999999-99-99T99:99:99Z",
  null: () => null,
  number: (random) => random.unit() * 2 ** 60 - 2 ** 59,
  text: () => "x",
  list: () => [],
  object: () => ({}),
};

/** Damage to the text of a whole file. */
const TEXTS: Readonly<Record<string, (text: string) => string | Buffer>> = {
  "cut off": (text) => text.slice(0, -Math.ceil(text.length / 3)),
  empty: () => "",
  "white space": () => " \n".repeat(1000),
  NUL: (text) => text.replaceAll(" ", "\0"),
  "no UTF-8": (text) => Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.from([0xff, 0xfe, 0xc3])]),
  "UTF-16": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
  NaN: (text) => text.replaceAll(/:\s*\d+/g, ": NaN"),
  digits: (text) => text.replace(/\d/, "9".repeat(5_000)),
  "twice the same key": (text) => text.replace("{", '{"reward": 1, "reward": "x", "steps": 1, '),
  "open lists": () => "[".repeat(SIZE),
};

/** The same for XML, and for logs that are searched line by line. */
const MARKUP: typeof TEXTS = {
  "open elements": (text) => `<testsuites>${"<testsuite>".repeat(SIZE / 10)}${text}`,
  "a huge attribute": (text) => text.replace('name="', `name="${"&lt;".repeat(SIZE / 4)}`),
  entities: (text) => `<!DOCTYPE a [<!ENTITY b "${"&c;".repeat(10)}"><!ENTITY c "<testsuites>">]>${text}`,
};
const LOGS: typeof TEXTS = {
  "lines in one": (text) => text.replaceAll("\n", " ").repeat(50),
  "many lines": (text) => `${text}\n`.repeat(SIZE / 1_000),
};

/** The text of a file as it is meant: a document of JSON, or the lines of what is none. */
function writeDocument(file: string, document: Json): string {
  if (/\.jsonl?$/.test(file) || !Array.isArray(document)) return JSON.stringify(document, null, 2);
  return document.map((line: Json) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
}

/** Puts a value at a random place of a document. */
function disturb(document: Json, value: Json, random: Random): Json {
  if (typeof document !== "object" || document === null || random.unit() < 0.2) return value;
  const keys = Object.keys(document);
  const key = keys[Math.floor(random.unit() * keys.length)];
  if (key === undefined) return value;
  const inner = (document as Readonly<Record<string, Json>>)[key];
  const changed = disturb(inner, value, random);
  if (Array.isArray(document))
    return document.map((one: Json, index) => (String(index) === key ? changed : one));
  return { ...document, [key]: changed };
}

function writeText(folder: string, file: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

function readRecord(root: string): Trial {
  const [opened] = prepareRoots([root]);
  const job = opened === undefined ? undefined : discoverJobs(opened).jobs[0];
  if (opened === undefined || job === undefined) throw new Error("The job that was just written is there.");
  const reading = readJob({ root: opened, budget: new MemoryBudget(), nowMs: 0 }, job);
  const trial = reading.drafts[0]?.trials[0];
  if (trial === undefined) throw new Error("Its trial is there.");
  return trial;
}

/** Arguments of each reader; a missing reader fails to compile. */
function prepareInputs(place: TrialPlace, trial: Trial): Readonly<Record<ReaderName, readonly unknown[]>> {
  const folder = place.path ?? "";
  const job = { key: "run", name: "run", id: null };
  const other = { ...place, path: makeFolder({ "agent/trajectory.json": '{ "steps": [] }' }) };
  const evaluated = { job, root: null, trial, path: folder, judgments: [] };
  return {
    trial: [
      place,
      evaluated,
      LIST_STARTS,
      {
        source: null,
        step: "2",
        from: null,
        find: null,
        filter: { roles: [], tools: [], paths: [], range: null, only: [] },
        lanes: [],
      },
    ],
    instruction: [place],
    diff: [place, other, { window: { row: 1, from: null, isUnfolded: true }, tests: 0 }],
    "diff-files": [place, other, "agent/trajectory.json"],
    files: [place, { selection: "records", file: "agent/trajectory.json", ...PART, end: "end" }],
    "file-list": [place],
    "earlier-attempts": [folder],
    "find-in-files": [place, { text: "a", isPattern: false, isCased: false }],
    "full-search": [folder, null, "", "a"],
    file: [folder, "verifier/details.json", PART],
    "step-image": [place, { source: null, step: "1", nth: 0 }],
    "ledger-file": [place.root, trial, "x"],
    "evaluation-text": [evaluated, "file"],
    "job-hashes": [place.root.path, ["run"]],
  };
}

const PART = { form: null, line: null, from: null, end: "start" } as const;

const { numRuns, seed } = planRuns({ short: 1, long: 5 });
/** Number of cases skipped after each one tried; the next file tries others. */
const APART = IS_LONG_RUN ? 1 : 6;

/** A job with a trial that has every file, and what reads all of it. */
function prepareTrial() {
  const root = makeFolder(jobFiles("run", { [NAME]: 1 }));
  const folder = join(root, "run", NAME);
  const trial = readRecord(root);
  const place = {
    path: folder,
    root: { index: 0, label: "jobs", path: root },
    stepNames: null,
    ledger: null,
  };
  const inputs = prepareInputs(place, trial);
  const read = async (what: string): Promise<void> => {
    for (const [reader, input] of Object.entries(inputs))
      await expect(
        carryOut({ reader: reader as ReaderName, input }),
        `${reader} of ${what}`,
      ).resolves.toBeDefined();
    for (const purpose of ["analysis", "check"] as const)
      await expect(readJobReport(folder, purpose), `${purpose} of ${what}`).resolves.toBeDefined();
  };
  return { root, folder, read };
}

it("every reader of a trial answers, with any content in any of its files", async () => {
  const { folder, read } = prepareTrial();
  const random = new Random(`hostile files ${seed}`);
  for (const [nth, [file, meant]] of Object.entries(FILES).entries()) {
    const isTried = (_: unknown, at: number) => (nth + at) % APART === 0;
    const text = writeDocument(file, meant);
    writeText(folder, file, text);
    for (let run = 0; run < numRuns; run++) {
      for (const [name, make] of Object.entries(VALUES).filter(isTried)) {
        writeText(folder, file, writeDocument(file, disturb(meant, make(random), random)));
        await read(`${file} with ${name}`);
      }
    }
    const ownTexts = { xml: MARKUP, txt: LOGS }[file.split(".").at(-1) ?? ""];
    for (const [name, change] of Object.entries({ ...TEXTS, ...ownTexts }).filter(isTried)) {
      writeText(folder, file, change(text));
      await read(`${file} with ${name}`);
    }
    writeText(folder, file, text);
  }
});

/** Grows, cuts, empties, replaces and deletes files as fast as it can, up to a few MB each. */
const GROW = `
  const { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } = require("node:fs");
  const [folder, ...files] = process.argv.slice(1);
  process.chdir(folder);
  process.stdout.write("growing");
  for (let n = 0; ; n++) {
    const file = files[n % files.length];
    const size = (n * 65_537) % ${IS_LONG_RUN ? 4_000_000 : 400_000};
    try {
      appendFileSync(file, "x\\n".repeat(30_000));
      if (n % 5 === 0) truncateSync(file, size);
      if (n % 7 === 0) truncateSync(file, 0);
      if (n % 11 === 0) { writeFileSync("new", '{"steps": ['); renameSync("new", file); }
      if (n % 13 === 0) { rmSync(file); writeFileSync(file, "{}"); }
      writeFileSync("artifacts/" + (n % 2_000), "");
    } catch {}
  }
`;
const { numRuns: nReadings } = planRuns({ short: 1, long: 100 });

it("every reader of a trial answers, and a download ends, while files grow, shrink and are replaced", async () => {
  const { root, folder, read } = prepareTrial();
  for (const [file, meant] of Object.entries(FILES)) writeText(folder, file, writeDocument(file, meant));
  const files = [...Object.keys(FILES), "result.json", "config.json", "trial.log", "verifier/reward.txt"];
  const child = spawn(process.execPath, ["-e", GROW, folder, ...files], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  await once(child.stdout, "data");
  const ends = { whole: 0, failed: 0 };
  for (let n = 0; n < nReadings; n++) {
    await read(`growing files, ${n}`);
    expect(readRecord(root).trialName).toBe(NAME);
    for (const file of files) {
      const raw = await openRawFile(folder, file);
      if (!raw.ok) continue;
      const { body, sizeBytes } = raw.value;
      const sent = await new Response(body).arrayBuffer().catch(() => null);
      if (sent !== null) expect(sent.byteLength).toBe(sizeBytes);
      ends[sent === null ? "failed" : "whole"]++;
    }
  }
  expect(ends.whole).toBeGreaterThan(0);
  if (IS_LONG_RUN) console.log(`${nReadings} readings, downloads: ${JSON.stringify(ends)}`);
});

it("every reader of a trial answers when any of its files or folders is locked", async () => {
  dropRights();
  const { folder, read } = prepareTrial();
  for (const [file, meant] of Object.entries(FILES)) writeText(folder, file, writeDocument(file, meant));
  const folders = ["agent", "verifier", "artifacts", "."];
  for (const path of [...Object.keys(FILES), "result.json", "config.json", ...folders]) {
    // Only a folder can be listed without being entered, or entered without being listed.
    for (const mode of IS_LONG_RUN || folders.includes(path) ? [0o000, 0o400, 0o100] : [0o000]) {
      chmodSync(join(folder, path), mode);
      try {
        await read(`${path} with mode ${mode.toString(8)}`);
      } finally {
        chmodSync(join(folder, path), 0o700);
      }
    }
  }
});
