import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "voltage-drop-aec";

test("a 0 of a crashed verifier is distinguished from a failure, and its evidence has the traceback", async ({
  page,
  assay,
}) => {
  const folder = join(assay.jobsFolder, JOB);
  const trials = readRecordedTrials(assay.jobsFolder, JOB);
  const logOf = (name: string) => readFileSync(join(folder, name, "verifier/test-stdout.txt"), "utf8");
  const crashed = trials.filter(({ name, reward }) => reward === 0 && logOf(name).includes("\nTraceback ("));
  const plain = trials.filter(({ reward }) => reward === 0).length - crashed.length;
  expect([crashed.length, plain > 0]).toEqual([1, true]);
  const [suspect] = crashed;
  if (suspect === undefined) return;
  expect(existsSync(join(folder, suspect.name, "verifier/details.json"))).toBe(false);
  const line = logOf(suspect.name).split("\n").indexOf("Traceback (most recent call last):") + 1;

  await page.goto(`/jobs/${JOB}`);
  await page.getByRole("link", { name: "1 trial: verifier may not have finished" }).click();
  const rows = page.getByRole("table", { name: "Trials of this job" }).locator("tbody tr");
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link", { name: suspect.task }).click();
  await page.getByRole("link", { name: "Evidence", exact: true }).click();
  await page
    .getByRole("link", { name: `verifier/test-stdout.txt, line ${line}` })
    .first()
    .click();
  await expect(page.locator("mark")).toHaveText("Traceback (most recent call last):");
  await expect(page.locator("mark")).toBeInViewport();
  await expect(page.getByRole("main")).toContainText("verifier may not have finished");

  await page.goto(`/jobs/${JOB}?tab=trials&outcome=failed`);
  const rewards = page.getByRole("cell", { name: /^(?:suspect )?0\.000$/ });
  await expect(rewards).toHaveCount(1 + plain);
  await expect(rewards.filter({ hasText: "suspect" })).toHaveCount(1);
});
