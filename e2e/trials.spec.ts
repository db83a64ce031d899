import type { Page } from "@playwright/test";

import { expect, test, withFewJobs } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

/** Appends words to the third step of a trajectory. */
function saySomething(text: string, path: string): string {
  if (!path.endsWith("agent/trajectory.json")) return text;
  const trajectory = JSON.parse(text) as { steps: { message: string }[] };
  const step = trajectory.steps[2];
  if (step !== undefined) step.message = "The quokka wharf is closed.";
  return JSON.stringify(trajectory);
}

function rows(page: Page) {
  return page.getByRole("table", { name: "Trials of all jobs" }).locator("tbody [data-row-link]");
}

test("a search over all trials finds a message by keyboard and opens it", async ({ page }) => {
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/trials`);
      const field = page.getByRole("searchbox", { name: "Search trials" });
      await expect(async () => {
        await page.keyboard.press("/");
        await expect(field).toBeFocused({ timeout: 200 });
      }).toPass();
      await page.keyboard.type('"quokka wharf"');
      await expect(rows(page)).toHaveCount(2);
      await expect(page.getByRole("main")).toContainText(/step 3\s*The quokka wharf is closed\./);
      await expect(page.getByRole("main")).not.toContainText("searchable");
      await page.keyboard.press("Enter");
      await expect(rows(page).first()).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/jobs\/said\/trials\/.*step=3&find=quokka\+wharf/);
      const neighbours = page.getByRole("navigation", { name: "Trials" });
      await expect(neighbours.locator('[data-command="trial.list"]')).toHaveText(
        '1 of 2 trials with "quokka wharf"',
      );
      await expect(page.getByText("The quokka wharf is closed.").first()).toBeVisible();
      await page.keyboard.press("ArrowRight");
      await expect(neighbours.locator('[data-command="trial.list"]')).toHaveText(/^2 of 2/);
      await page.keyboard.press("l");
      await expect(rows(page).nth(1)).toBeFocused();

      await page.locator("summary", { hasText: "Order" }).click();
      await page.getByRole("link", { name: "Longest" }).click();
      await expect(page).toHaveURL(/\/trials\?q=%22quokka\+wharf%22&sort=duration$/);
      await page.getByRole("link", { name: "said", exact: true }).first().click();
      await expect(page).toHaveURL(/\/jobs\/said\?tab=trials$/);
    },
    ({ jobsFolder }) => {
      copyJob(jobsFolder, "tb2-orca-next", "said", { nTrials: 2, edit: saySomething });
    },
  );
});
