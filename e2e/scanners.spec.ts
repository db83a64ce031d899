import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

const OWN = `id = "zipped"
version = 1
title = "Handled a zip"
meaning = "The agent handled a zip."
category = "files"
severity = "low"
scope = "steps"
[[when]]
arguments = '\\.odd-zip\\b'
[[matches]]
arguments = "unzip a.odd-zip"
[[misses]]
arguments = "ls"
`;

const call = (id: number, command: string) => ({
  step_id: id,
  source: "agent",
  message: "Working on it.",
  tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command } }],
});

test("a user's scanner finds a trial, and its count opens the matching step @long", async ({ page }) => {
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/errors`);
      await page.getByRole("link", { name: "Scanners", exact: true }).click();
      await expect(page.getByRole("table", { name: "Scanners and what they found" })).toBeVisible();
      await expect(page.locator("header a[href='/errors']", { hasText: "Failures" })).toBeVisible();
      const row = page.getByRole("row", { name: /Handled a zip/ });
      await expect(async () => {
        await page.reload();
        await expect(row.getByRole("link", { name: "1", exact: true }).first()).toBeVisible({
          timeout: 2_000,
        });
      }).toPass();
      await expect(page.getByRole("table", { name: "Refused files" })).toContainText("torn.toml");

      await row.getByRole("link", { name: "1", exact: true }).first().click();
      await expect(page).toHaveURL(/scanner=zipped/);
      const trials = page.getByRole("table", { name: "Trials of all jobs" });
      await expect(trials.getByRole("row")).toHaveCount(2);
      await trials.getByRole("row").nth(1).getByRole("link").first().click();

      await page.getByRole("link", { name: "Evidence", exact: true }).click();
      const found = page.getByRole("region", { name: "Scanners" });
      await expect(found).toContainText("Handled a zip");
      await found.getByRole("link", { name: "step 2" }).click();
      await expect(page).toHaveURL(/step=2/);
      await expect(page.locator(".step-current")).toContainText("unzip b.odd-zip");
    },
    ({ jobsFolder, dataFolder }) => {
      const [trial = ""] = copyJob(jobsFolder, "tb2-orca-next", "zipping", { nTrials: 1 });
      writeFileSync(
        join(jobsFolder, "zipping", trial, "agent", "trajectory.json"),
        JSON.stringify({
          schema_version: "ATIF-v1.6",
          session_id: "s",
          agent: { name: "orca", version: "1" },
          steps: [
            call(1, "ls"),
            call(2, "unzip b.odd-zip"),
            { step_id: 3, source: "agent", message: "Done." },
          ],
        }),
      );
      mkdirSync(join(dataFolder, "scanners"), { recursive: true });
      writeFileSync(join(dataFolder, "scanners", "zipped.toml"), OWN);
      writeFileSync(join(dataFolder, "scanners", "torn.toml"), "id = ");
    },
  );
});
