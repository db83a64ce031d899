import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { expect, test } from "./fixtures/app";

const trialsSchema = z.object({
  schema: z.literal("assay.trials/2"),
  trials: z.array(z.looseObject({ job_key: z.string(), key: z.string() })),
});
const JOB = "tb2-baseline";

test("the page's file equals the command line's output for the same trials", async ({ assay, request }) => {
  const output = join(assay.jobsFolder, "..", "trials.json");
  expect(assay.runCli("trials", assay.jobsFolder, "--format", "json", "--output", output).stderr).toBe("");
  const all = trialsSchema.parse(JSON.parse(readFileSync(output, "utf8")));
  const expected = all.trials.filter((trial) => trial.job_key === JOB);
  const { trials } = trialsSchema.parse(await (await request.get(`/jobs/${JOB}/trials.json`)).json());
  const byKey = new Map(trials.map((trial) => [trial.key, trial]));
  expect(trials).toHaveLength(expected.length);
  for (const trial of expected)
    expect(byKey.get(trial.key)).toMatchObject({ ...trial, judgment: null, disagrees: null });
});

test("a file counts the steps of each trajectory once they are read", async ({ assay, request }) => {
  const stepsOf = (key: string) => {
    const path = join(assay.jobsFolder, JOB, key, "agent", "trajectory.json");
    const file: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    const { steps } = z.object({ steps: z.array(z.unknown()).optional() }).parse(file);
    return { key, n: steps?.length ?? null, isAlone: !JSON.stringify(file).includes("trajectory_ref") };
  };
  await expect(async () => {
    const { trials } = trialsSchema.parse(await (await request.get(`/jobs/${JOB}/trials.json`)).json());
    // With several files or subagents, the trajectory has more.
    const alone = trials.flatMap((trial) => ({
      ...stepsOf(trial.key),
      counted: trial["n_trajectory_steps"],
    }));
    const counted = alone.filter(({ isAlone }) => isAlone);
    expect(counted.length).toBeGreaterThan(5);
    expect(counted.map(({ counted: one }) => one)).toEqual(counted.map(({ n }) => n));
  }).toPass();
});

test("a file with an unknown filter in its URL is rejected instead of unfiltered", async ({ request }) => {
  for (const path of ["/jobs.json?sort=no-such", "/jobs/tb2-orca-next/trials.csv?outcome=no-such"]) {
    const response = await request.get(path);
    expect([path, response.status()]).toEqual([path, 400]);
    expect(await response.text()).toContain(path.includes("sort") ? "sort" : "outcome");
  }
});

test("the jobs list downloads as filtered, and unknown downloads are 404", async ({ page, request }) => {
  await page.goto("/?q=orca-next");
  await expect(page.getByRole("checkbox", { name: /^Select / })).toHaveCount(1);
  const response = await request.get("/jobs.json?q=orca-next");
  expect(response.headers()["content-disposition"]).toMatch(/^attachment; filename="jobs\.json"/);
  expect(await response.json()).toMatchObject({
    schema: "assay.jobs/2",
    jobs: [{ job_key: "tb2-orca-next", is_read: true }],
  });
  expect((await (await request.get("/jobs.csv?q=nothing-like-this")).text()).split("\r\n")).toHaveLength(2);
  for (const format of ["csv", "json", "parquet"]) {
    expect((await request.get(`/jobs/no-such-job/trials.${format}`)).status()).toBe(404);
  }
});
