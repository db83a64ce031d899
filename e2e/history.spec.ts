import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

test("the runs over a dataset are ordered by time, each with its score", async ({ page, assay }) => {
  await page.goto("/datasets/terminal-mix");
  await page
    .getByRole("navigation", { name: "Parts of this dataset" })
    .getByRole("link", { name: /^History/ })
    .click();
  await expect(page).toHaveURL(/tab=history/);
  await expect(
    page.getByRole("img", { name: /^Score over time from 2026-08-30 to 2026-11-20\. / }),
  ).toBeVisible();

  const table = page.getByRole("table", { name: "Scores over time, newest first" });
  const jobs = await table
    .getByRole("rowheader")
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(jobs.indexOf("/jobs/tb2-orca-next")).toBeGreaterThanOrEqual(0);
  expect(jobs.indexOf("/jobs/tb2-orca-next")).toBeLessThan(jobs.indexOf("/jobs/tb2-baseline"));

  const trials = readRecordedTrials(assay.jobsFolder, "tb2-orca-next");
  const score = trials.reduce((sum, { reward }) => sum + (reward ?? 0), 0) / trials.length;
  const row = table.getByRole("row").filter({ has: page.locator('a[href="/jobs/tb2-orca-next"]') });
  await expect(row.first()).toContainText(score.toFixed(3));
});
