import { readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { aggregateRewards, type RewardDict } from "@/lib/core/scoring";

import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOBS = ["tb2-baseline", "tb2-orca-next"];

const verifyOutput = z.object({
  jobs: z.array(
    z.object({
      verdict: z.string(),
      groups: z.array(
        z.object({
          agent: z.string(),
          metrics: z.array(z.object({ values: z.array(z.object({ key: z.string(), text: z.string() })) })),
          pass_at_k: z.array(z.object({ k: z.number(), text: z.string() })),
        }),
      ),
    }),
  ),
});

const jobResult = z.object({
  stats: z.object({
    evals: z.record(
      z.string(),
      z.object({
        metrics: z.array(z.object({ mean: z.number() })),
        pass_at_k: z.record(z.string(), z.number()),
      }),
    ),
  }),
});

for (const job of JOBS) {
  const tag = job === "tb2-orca-next" ? "" : " @long";
  test(`${job}: result.json, the scoring core, the command line and the page agree${tag}`, async ({
    page,
    assay,
  }) => {
    const recorded = jobResult.parse(
      JSON.parse(readFileSync(join(assay.jobsFolder, job, "result.json"), "utf8")),
    );
    const verified = assay.runCli("verify", join(assay.jobsFolder, job), "--json");
    expect(verified.code).toBe(0);
    const { jobs } = verifyOutput.parse(JSON.parse(verified.stdout));
    expect(jobs.map(({ verdict }) => verdict)).toEqual(["exact"]);
    const groups = jobs.flatMap((report) => report.groups);
    const trials = readRecordedTrials(assay.jobsFolder, job);

    await page.goto(`/jobs/${job}?tab=verification&kind=metric&kind=pass-at-k`);
    const table = page.getByRole("table", { name: "Figures of this job" });
    for (const group of groups) {
      const [, evals] =
        Object.entries(recorded.stats.evals).find(([key]) => key.startsWith(`${group.agent}__`)) ?? [];
      const cliMean = group.metrics[0]?.values[0]?.text ?? "none";
      expect(Number(cliMean)).toBe(evals?.metrics[0]?.mean);

      const rewards = trials
        .filter(({ agent }) => agent === group.agent)
        .map(({ reward }): RewardDict | null => (reward === null ? null : new Map([["reward", reward]])));
      const computed = aggregateRewards("mean", rewards);
      expect(computed.ok && computed.value.get("mean")).toBe(Number(cliMean));

      const row = table.getByRole("row").filter({ hasText: group.agent });
      for (const text of [cliMean, ...group.pass_at_k.map((value) => value.text)]) {
        await expect(row.getByTitle(text, { exact: true }).first()).toBeVisible();
      }
      expect(Object.fromEntries(group.pass_at_k.map(({ k, text }) => [String(k), Number(text)]))).toEqual(
        evals?.pass_at_k,
      );
    }

    await page.goto(`/jobs/${job}`);
    const means = groups.flatMap(({ metrics: [mean] }) => mean?.values.slice(0, 1) ?? []);
    for (const { text } of means)
      await expect(page.getByTitle(`${text} (click to copy)`).first()).toBeVisible();

    const line = assay.runCli("score", join(assay.jobsFolder, job)).stdout.trim();
    const again = assay.runCli("score", join(assay.jobsFolder, job), "--from-trials").stdout.trim();
    expect(again).toBe(line);
    await page.goto(`/jobs/${job}?tab=verification&q=outcome`);
    await expect(page.getByTitle(line).first()).toBeVisible();
  });
}
