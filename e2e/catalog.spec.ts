import { renameSync } from "node:fs";
import { join } from "node:path";

import { blockIndex, type HeldIndex, holdIndex, saveElsewhere } from "@/lib/testing/other-program";

import { expect as expectAtOnce, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

// Pages with an incomplete index, an unreadable one, or one updated by another process.

const JOB = "tb2-orca-next";
const BIG_JOB = "tb2-baseline";

test.describe.configure({ timeout: 240_000 });
const expect = expectAtOnce.configure({ timeout: 60_000 });

test("an unread job says so, and its page updates automatically @long", async ({ page }) => {
  let other: HeldIndex | null = null;
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/jobs/${JOB}`);
      const main = page.getByRole("main");
      await expect(main).toContainText("Its trials are being read");
      await expect(main).toContainText(/\d+ trial folders found in/);
      await expect(page.locator(".index-progress")).toHaveText(/another Assay/i);
      await page.evaluate(() => (document.documentElement.dataset["mark"] = "same"));
      const response = await page.request.get(`${url}/jobs/${JOB}/trials/not-known-yet`);
      expect(response.status()).toBe(200);
      expect(await response.text()).toContain("Its trials are being read");

      await other?.finish();
      await expect(main.getByRole("link", { name: /^\d+ verified$/ })).toBeVisible();
      await expect(main).not.toContainText("Its trials are being read");
      await expect(page.locator("html")).toHaveAttribute("data-mark", "same");
    },
    async (folders) => {
      other = await holdIndex(folders);
    },
    { isFirst: true },
  );
});

test("an unreadable index prints one clear line, exit code 2, and works once it can be opened @long", async ({
  request,
}) => {
  await withFewJobs(async (assay) => {
    const dataFolder = join(assay.dataFolder, "other");
    const unblock = blockIndex({ ...assay, dataFolder });
    const args = ["view", "--port", "0", "--data", dataFolder, assay.jobsFolder];
    const { code, stderr } = assay.runCli(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^assay: .+ is a database of another program\. .+\n$/);
    unblock();
    const index = assay.runCli("index", "--data", dataFolder, assay.jobsFolder);
    expect(index.code).toBe(0);
    expect((await request.get(`${assay.url}/jobs.csv`)).status()).toBe(200);
  });
});

test("a judgment saved by another process appears on open pages @long", async ({ page, context }) => {
  await withFewJobs(async (assay) => {
    const { url, jobsFolder } = assay;
    const [trial] = readFailedTrials(jobsFolder, JOB);
    if (trial === undefined) throw new Error("the sample job has no failed trial");
    await page.goto(`${url}/annotations`);
    const other = await context.newPage();
    await other.goto(`${url}/jobs/${JOB}/trials/${trial.name}`);
    await expect(page.getByRole("main")).toContainText("No trials reviewed yet");
    for (const tab of [page, other]) {
      await tab.evaluate(() => (document.documentElement.dataset["mark"] = "same"));
    }
    const { name, task, agent } = trial;
    await saveElsewhere(assay, { trialName: name, jobName: JOB, taskName: task, agent }, "Zoe");
    for (const tab of [page, other]) {
      await expect(tab.locator("body")).toContainText("Zoe");
      await expect(tab.locator("html")).toHaveAttribute("data-mark", "same");
    }
  });
});

test("the trials are navigated by keyboard, by row and by page", async ({ page }) => {
  await page.goto(`/jobs/${BIG_JOB}?tab=trials`);
  const links = page.getByRole("table", { name: "Trials of this job" }).locator("[data-row-link]");
  const names = await links.allTextContents();
  await expect(async () => {
    await links.first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(links.nth(1)).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("End");
  await expect(links.last()).toBeFocused();
  await expect(links.last()).toBeInViewport();
  await page.keyboard.press("ArrowUp");
  await expect(links.nth(-2)).toBeFocused();
  await page.keyboard.press("Home");
  await expect(links.first()).toBeFocused();
  await expect(links.first()).toBeInViewport();

  await page
    .getByRole("navigation", { name: "Pages of the trials" })
    .getByRole("link", { name: "Next" })
    .focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/page=2$/);
  await expect(links.first()).not.toHaveText(names[0] ?? "");
  expect(names).not.toEqual(expect.arrayContaining(await links.allTextContents()));
  await links.first().focus();
  const href = await links.first().getAttribute("href");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(href?.split("?")[0] ?? "never"));
});

test("the load report rescans the folders @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.goto(`${url}/load-report`);
    const button = page.getByRole("button", { name: "Rescan folders" });
    await button.focus();
    renameSync(join(jobsFolder, JOB), join(jobsFolder, "..", "away"));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main").getByText("Rescanned just now.")).toHaveRole("status");
    const count = page.locator(".rail-age");
    const fewer = await count.innerText();
    renameSync(join(jobsFolder, "..", "away"), join(jobsFolder, JOB));
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(count).not.toHaveText(fewer);
  });
});
