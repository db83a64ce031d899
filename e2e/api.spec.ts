import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { APIRequestContext } from "@playwright/test";
import { z } from "zod";

import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const DOCUMENT = readFileSync(join(import.meta.dirname, "..", "docs", "api.md"), "utf8");
const [, EXAMPLE = ""] = /```python\n([\s\S]*?)```/u.exec(DOCUMENT) ?? [];

const jobsSchema = z.looseObject({ jobs: z.array(z.looseObject({ job_key: z.string() })) });
const trialsSchema = z.looseObject({
  trials: z.array(
    z.looseObject({
      task_name: z.string(),
      rewards: z
        .array(z.object({ key: z.string(), value: z.number().nullable(), text: z.string() }))
        .nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

test("the ten lines of the documentation use existing URLs", async ({ request, assay }) => {
  expect(EXAMPLE.trim().split("\n").length).toBeLessThanOrEqual(10);
  // The same requests in the same order, without pandas.
  const asked = [...EXAMPLE.matchAll(/get\(f?"([^"]*)"/gu)].map(([, path = ""]) => path);
  expect(asked).toEqual(["/jobs?limit=1&status=finished", "/jobs/{job}/trials?limit=500"]);
  const get = async (path: string): Promise<unknown> => (await request.get(`/api/v1${path}`)).json();
  const [job] = jobsSchema.parse(await get(asked[0] ?? "")).jobs;
  const name = job?.job_key ?? "";
  const path = (asked[1] ?? "").replace("{job}", encodeURIComponent(name));
  const { trials, next_cursor: next } = trialsSchema.parse(await get(path));
  expect(next).toBeNull();
  const recorded = readRecordedTrials(assay.jobsFolder, name);
  expect(trials).toHaveLength(recorded.length);
});

/** Returns a Python with pandas: the system's, or in a long run a freshly installed one; null without. */
function findPython(folder: string): string | null {
  const has = (python: string) => spawnSync(python, ["-c", "import pandas"]).status === 0;
  if (has("python3")) return "python3";
  if (!IS_LONG_RUN) return null;
  const own = join(folder, "bin", "python");
  spawnSync("python3", ["-m", "venv", folder]);
  spawnSync(own, ["-m", "pip", "install", "--quiet", "pandas"]);
  return has(own) ? own : null;
}

test("pandas prints the pass rates that the files have", async ({ request, assay }) => {
  const folder = mkdtempSync(join(tmpdir(), "pandas-"));
  try {
    const python = findPython(folder);
    test.skip(
      python === null,
      "There is no pandas here; the long run installs it. The requests are tried above.",
    );
    const code = EXAMPLE.replace("http://127.0.0.1:4680", new URL(assay.url).origin);
    const { status, stdout, stderr } = spawnSync(python ?? "", ["-c", code], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const [job] = jobsSchema.parse(
      await (await request.get("/api/v1/jobs?limit=1&status=finished")).json(),
    ).jobs;
    const byTask = Map.groupBy(readRecordedTrials(assay.jobsFolder, job?.job_key ?? ""), ({ task }) => task);
    const lines = stdout.trim().split("\n").slice(2);
    const ofTasks = lines.filter((line) => byTask.has(line.split(/\s+/u)[0] ?? ""));
    // Pandas truncates long tables in the middle.
    expect(ofTasks.length).toBeGreaterThanOrEqual(Math.min(8, byTask.size));
    for (const line of ofTasks) {
      const [task = "", mean, count] = line.trim().split(/\s+/u);
      const rewards = byTask.get(task)?.flatMap(({ reward }) => reward ?? []) ?? [];
      expect(Number(count), task).toBe(rewards.length);
      expect(Number(mean), task).toBeCloseTo(rewards.reduce((sum, one) => sum + one, 0) / rewards.length, 4);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("an unchanged response is not sent again, and errors are JSON", async ({ request }) => {
  for (const path of ["/jobs", "/jobs/tb2-baseline", "/jobs/tb2-baseline/trials?limit=5", "/openapi.json"]) {
    const first = await request.get(`/api/v1${path}`);
    expect(first.status(), path).toBe(200);
    const headers = { "If-None-Match": first.headers()["etag"] ?? "" };
    const again = await request.get(`/api/v1${path}`, { headers });
    expect([again.status(), await again.text()], path).toEqual([304, ""]);
  }
  for (const [path, status] of [
    ["/jobs/gone", 404],
    ["/jobs/gone/trials", 404],
    ["/jobs?agnet=orca", 400],
    ["/compare?g=gone", 400],
    ["/compare", 404],
  ] as const) {
    const answer = await request.get(`/api/v1${path}`);
    expect(answer.status(), path).toBe(status);
    const { error } = z.object({ error: z.object({ message: z.string() }) }).parse(await answer.json());
    expect(error.message, path).toMatch(/\.$/u);
  }
});

const comparedSchema = z.looseObject({
  groups: z.array(z.looseObject({ sensitivity: z.looseObject({ n_unclassified: z.int().optional() }) })),
});

/** Returns the comparison of groups once all their trials are classified in the background. */
async function readCompared(request: APIRequestContext, query: string): Promise<unknown> {
  let answer: unknown = null;
  await expect
    .poll(
      async () => {
        answer = await (await request.get(`/api/v1/compare?${query}`)).json();
        return comparedSchema.parse(answer).groups.every(({ sensitivity }) => !sensitivity.n_unclassified);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return answer;
}

test("page, command, report and API agree about two groups @long", async ({ page, request, assay }) => {
  const groups =
    "g=tb2-baseline:orca__meridian-4.5__terminal-mix&g=tb2-orca-next:orca__meridian-5__terminal-mix";
  const api = await readCompared(request, groups);
  const folders = ["tb2-baseline", "tb2-orca-next"].map((job) => join(assay.jobsFolder, job));
  const file = join(assay.dataFolder, "report.html");
  const report = await request.get(`/compare/report.html?${groups}`);
  expect(report.status()).toBe(200);
  const html = await report.text();
  const [, text = ""] = /id="assay-report">(.*?)<\/script>/su.exec(html) ?? [];
  expect(z.object({ comparison: z.unknown() }).parse(JSON.parse(text)).comparison).toEqual(api);
  await page.goto(`/compare?${groups}`);
  const { pairs } = z.looseObject({ pairs: z.array(z.looseObject({ sentence: z.string() })) }).parse(api);
  for (const { sentence } of pairs) await expect(page.getByRole("main")).toContainText(sentence);
  // The command accepts the file of the button.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Report", exact: true }).click(),
  ]);
  await download.saveAs(file);
  expect(readFileSync(file, "utf8")).toBe(html);
  const held = assay.runCli("report", "--check", file, ...folders);
  expect([held.code, held.stdout]).toEqual([0, expect.stringContaining("The report is valid")]);
});

const printedSchema = z.looseObject({
  groups: z.array(z.looseObject({ runs: z.array(z.object({ job: z.string(), group: z.string() })) })),
});

test("the bundles of pages and command agree to the last digit @long", async ({ request, assay }) => {
  // Each with several groups: fractional rewards, few tasks, many attempts, errors that readings exclude.
  for (const name of [
    "tb2-baseline",
    "kernel-steps",
    "sql-repair-rubric",
    "swe-mini-31",
    "legacy-2025",
    "ledger",
  ]) {
    const { stdout } = assay.runCli("compare", join(assay.jobsFolder, name), "--json");
    const printed = printedSchema.parse(JSON.parse(stdout));
    const refs = printed.groups.flatMap(({ runs }) =>
      runs.map(({ job, group }) => `g=${encodeURIComponent(`${job}:${group}`)}`),
    );
    expect(await readCompared(request, refs.join("&")), name).toEqual(printed);
  }
});
