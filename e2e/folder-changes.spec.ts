import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

// Each test changes the folders, so each has its own server.

test("a new job is in the list after a refresh, and gone once deleted @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.goto(url);
    await expect(page.getByRole("link", { name: "legacy-2025", exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "added-later", exact: true })).toHaveCount(0);

    copyJob(jobsFolder, "tb2-orca-next", "added-later");
    const link = page.getByRole("link", { name: "added-later", exact: true });
    await expect(async () => {
      await page.reload();
      await expect(link).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByRole("row", { name: /of added-later/ })).toContainText("exact");

    rmSync(join(jobsFolder, "added-later"), { recursive: true });
    await expect(async () => {
      await page.reload();
      await expect(link).toHaveCount(0, { timeout: 2_000 });
    }).toPass();
  });
});

test("one broken file is in the load report and hides nothing else @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [torn, whole] = copyJob(jobsFolder, "tb2-orca-next", "half-written", { nTrials: 2 });
    writeFileSync(join(jobsFolder, "half-written", torn ?? "", "result.json"), '{"trial_name": "');
    mkdirSync(join(jobsFolder, "half-written", "linked"));
    symlinkSync("/etc/passwd", join(jobsFolder, "half-written", whole ?? "", "agent", "outside.txt"));

    await page.goto(url);
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("link", { name: "half-written", exact: true })).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await expect(page.getByRole("link", { name: "legacy-2025", exact: true })).toBeVisible();

    await page.getByRole("link", { name: /problem/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Load report" })).toBeVisible();
    const report = page.getByRole("table", { name: "Load issues" });
    await expect(report.getByRole("row", { name: new RegExp(torn ?? "never") }).first()).toContainText(
      "problem",
    );

    await page.getByRole("main").getByRole("searchbox").fill("no such words");
    await expect(page.getByRole("main").getByText(/no issue/i)).toBeVisible();

    await page.goto(`${url}/jobs/half-written/trials/${torn ?? ""}`);
    await page.getByRole("link", { name: "See the file" }).first().click();
    await expect(page).toHaveURL(/tab=files.*file=result\.json/);
    await expect(page.getByRole("main")).toContainText('{"trial_name": "');
  });
});
