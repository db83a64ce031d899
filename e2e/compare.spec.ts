import { join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";
import { linkTree } from "./fixtures/job-folders";
import { readRecordedTrials } from "./fixtures/recorded-trials";

test("two groups selected in the jobs list are compared: verdict, curves, every attempt", async ({
  page,
  assay,
}) => {
  await page.goto("/");
  await page.getByRole("checkbox", { name: "Select orca of tb2-orca-next" }).check();
  await page.getByRole("checkbox", { name: "Select orca of tb2-baseline" }).check();
  await expect(page.getByText("2 groups selected")).toBeVisible();
  await page.getByRole("button", { name: "Compare 2 groups" }).click();
  // The list has the newest first, but the baseline is the oldest.
  await expect(page).toHaveURL(/\/compare\?g=tb2-baseline.*&g=tb2-orca-next/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/meridian-5\s*vs.*meridian-4\.5/u);

  const matrix = page.getByRole("table", { name: "Tasks by group, every attempt as a mark" });
  const trials = readRecordedTrials(assay.jobsFolder, "tb2-orca-next");
  const tasks = new Set(trials.map(({ task }) => task));
  await page.getByRole("group", { name: "Which tasks" }).getByRole("link", { name: /^All/ }).click();
  await expect(matrix.getByRole("rowheader").filter({ has: page.getByRole("link") })).toHaveCount(tasks.size);
  // Five attempts in each of two groups, each mark a link to its trial.
  const task = trials[0]?.task ?? "";
  const row = matrix.getByRole("row", { name: new RegExp(`^${task}`) });
  await expect(row.getByRole("link", { name: /attempt/ })).toHaveCount(10);
  const nPassed = trials.filter((trial) => trial.task === task && trial.reward === 1).length;
  await expect(row).toContainText(`${nPassed}/5`);

  await expect(page.getByRole("main").getByRole("img").first()).toBeVisible();
  await expect(page.getByRole("main")).toContainText("pass@");

  await row
    .getByRole("link", { name: /attempt/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/trials\//);
});

test("the picker chooses groups of any jobs, and the URL keeps them", async ({ page }) => {
  await page.goto("/compare");
  // No waits: each change follows while the page is still loading the last one.
  await page.getByRole("searchbox", { name: "Filter groups" }).fill("tb2");
  await page.getByRole("checkbox", { name: /^lamp .* of tb2-baseline/ }).check();
  await page.getByRole("checkbox", { name: /^orca .* of tb2-baseline/ }).check();
  await expect(page.getByText("2 chosen")).toBeVisible();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await expect(page).toHaveURL(/q=tb2/);
  await page.getByRole("link", { name: "Compare 2 groups" }).click();
  await expect(page.getByRole("heading", { name: "Tasks and attempts" })).toBeVisible();
  const address = page.url();
  await page.reload();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { name: "Tasks and attempts" })).toBeVisible();
});

test("runs that look like repeats are pooled by keyboard, a rollout once, and separated again @long", async ({
  page,
}) => {
  await withFewJobs(
    async ({ url, jobsFolder }) => {
      const group = "orca__meridian-5__terminal-mix";
      const [first, copy] = ["tb2-orca-next", "tb2-orca-next-2"];
      await page.goto(`${url}/compare?g=${first}:${group}&g=${copy}:${group}`);
      await page.getByRole("link", { name: "Count these 2 together" }).press("Enter");
      await expect(page.getByText("1 chosen, choose one more")).toBeVisible();
      await page.goBack();
      await page.goto(`${url}/compare?g=${first}:${group}&g=%2B${copy}:${group}&g=legacy-2025:any`);
      await expect(page.getByText("1 group of this URL is not open")).toBeVisible();
      const other = `${copy}:${group}`;
      await page.goto(`${url}/compare?g=${first}:${group}&g=%2B${copy}:${group}&g=${other}`);
      const sets = page.getByRole("list", { name: "Run sets" });
      // The second job is the first under another name.
      const nTrials = readRecordedTrials(jobsFolder, first).length;
      await expect(sets).toContainText(`counts 2 runs together: ${first}, ${copy}`);
      await expect(sets).toContainText(`${String(nTrials)} trials grade rollouts`);
      await expect(sets).not.toContainText("Warnings");
      await expect(page.getByRole("region", { name: "Uncertainty", exact: true })).toContainText(
        "Run to run",
      );
      const heading = page.getByRole("heading", { level: 1 });
      await expect(heading).toHaveText(/vs.*×2/u);
      await page.keyboard.press("b");
      await expect(heading).toHaveText(/×2.*vs/u);
      await expect(sets).toContainText("counts 2 runs together");
      await sets.getByRole("link", { name: "Separate them" }).press("Enter");
      await expect(sets).toHaveCount(0);
      await expect(heading).not.toContainText("×2");
    },
    ({ jobsFolder }) => linkTree(join(jobsFolder, "tb2-orca-next"), join(jobsFolder, "tb2-orca-next-2")),
  );
});
