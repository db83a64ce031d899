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
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/meridian-5.*meridian-4\.5/u);

  const matrix = page.getByRole("table", { name: "Tasks by group, every attempt as a mark" });
  const trials = readRecordedTrials(assay.jobsFolder, "tb2-orca-next");
  const tasks = new Set(trials.map(({ task }) => task));
  await page.getByRole("link", { name: /^Show \d+ ties?$/u }).click();
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

test("the answer is the heading, and every tab and setting of it is reached by keyboard", async ({
  page,
}) => {
  await page.goto(
    "/compare?g=tb2-baseline:orca__meridian-4.5__terminal-mix&g=tb2-orca-next:orca__meridian-5__terminal-mix",
  );
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(
    "orca meridian-5 is better than orca meridian-4.5 by 12.5 points (95 % 5.1 to 19.9)",
  );
  const rows = page.getByRole("region", { name: "Differences" }).getByRole("row");
  await expect(rows.filter({ hasText: "Mean" })).toContainText("+12.5");
  await expect(rows.filter({ hasText: "Every time" })).toContainText("pass^5");
  await expect(rows.filter({ hasText: "At least once" })).toContainText("pass@5");

  const tabs = page.getByRole("navigation", { name: "Comparison" });
  for (const [tab, shown] of [
    ["Curves", "Curves"],
    ["Cost", "Score and cost"],
    ["Robustness", "Uncertainty"],
    ["Conditions", "Conditions"],
    ["Tasks", "Tasks and attempts"],
  ] as const) {
    await tabs.getByRole("link", { name: tab }).press("Enter");
    await expect(page.getByRole("region", { name: shown, exact: true })).toBeVisible();
  }

  // The baseline changes; the winner, and the sign of its lead, do not.
  await page.keyboard.press("b");
  await expect(page).toHaveURL(/g=tb2-orca-next.*&g=tb2-baseline/u);
  await expect(heading).toHaveText(
    "orca meridian-5 is better than orca meridian-4.5 by 12.5 points (95 % 5.1 to 19.9)",
  );
  await expect(rows.filter({ hasText: "Mean" })).toContainText("−12.5");

  await page.locator("summary", { hasText: "change" }).press("Enter");
  await page.getByRole("spinbutton", { name: "Passed at" }).fill("2");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/threshold=2/u);
  await expect(rows.filter({ hasText: "Every time" })).toContainText("0.000 → 0.000");
  await page.getByRole("link", { name: "Reset settings" }).press("Enter");
  await expect(page).not.toHaveURL(/threshold/u);
});

test("the picker chooses groups of any jobs, and the URL keeps them", async ({ page }) => {
  await page.goto("/compare");
  // No waits: each change follows while the page is still loading the last one.
  await page.getByRole("searchbox", { name: "Filter groups" }).fill("tb2");
  await page.getByRole("checkbox", { name: /^lamp .* of tb2-baseline/ }).check();
  await page.getByRole("checkbox", { name: /^orca .* of tb2-baseline/ }).click();
  await expect(page.getByText("2 chosen")).toBeVisible();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await expect(page).toHaveURL(/q=tb2/);
  await page.getByRole("link", { name: "Compare 2 groups" }).click();
  await expect(page.getByRole("region", { name: "Tasks and attempts" })).toBeVisible();
  const address = page.url();
  await page.reload();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("region", { name: "Tasks and attempts" })).toBeVisible();
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
      const change = page.locator("summary", { hasText: "change" });
      await change.press("Enter");
      // The second job is the first under another name.
      const nTrials = readRecordedTrials(jobsFolder, first).length;
      await expect(sets).toContainText(`counts 2 runs together: ${first}, ${copy}`);
      await expect(sets).toContainText(`${String(nTrials)} trials grade rollouts`);
      const heading = page.getByRole("heading", { level: 1 });
      await expect(heading).toHaveText(/^No clear difference between .* and .*×2/u);
      await page.keyboard.press("Escape");
      await page.keyboard.press("b");
      await expect(heading).toHaveText(/×2.* and /u);
      await page.getByRole("link", { name: "Robustness" }).press("Enter");
      await expect(page.getByRole("region", { name: "Uncertainty", exact: true })).toContainText(
        "Run to run",
      );
      await change.press("Enter");
      await expect(sets).toContainText("counts 2 runs together");
      await sets.getByRole("link", { name: "Separate them" }).press("Enter");
      await expect(sets).toHaveCount(0);
      await expect(heading).not.toContainText("×2");
    },
    ({ jobsFolder }) => linkTree(join(jobsFolder, "tb2-orca-next"), join(jobsFolder, "tb2-orca-next-2")),
  );
});
