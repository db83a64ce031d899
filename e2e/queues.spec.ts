import type { Page } from "@playwright/test";

import { skipElsewhere } from "../lib/testing/other-program";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** Presses Tab until the focused element matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < 120; pressed += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

async function giveName(page: Page, name: string): Promise<void> {
  const form = page.getByRole("form", { name: "Who reviews" });
  await form.getByRole("textbox").first().fill(name);
  await form.getByRole("button").press("Enter");
}

test("a queue of a filtered list is made by keyboard, and a skipped trial is put back @long", async ({
  page,
}) => {
  await withFewJobs(async ({ url, jobsFolder, dataFolder }) => {
    const failed = readFailedTrials(jobsFolder, JOB).filter(({ exception }) => exception === null);
    await page.goto(`${url}/jobs/${JOB}?tab=trials&outcome=failed`);
    await tabTo(page, "[data-make-queue]");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("New queue");
    const form = page.getByRole("form", { name: "New queue" });
    await expect(form.getByRole("status")).toContainText(`${String(failed.length)} finished trials match`);

    await expect(page.locator("[name=name]")).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("A");
    await expect(form.getByRole("status")).toContainText("takes all of them");
    await tabTo(page, "button[type=submit]");
    await page.keyboard.press("Enter");
    await expect(form.getByText("Name the queue.")).toBeVisible();
    await expect(page.locator("[name=name]")).toBeFocused();
    await expect(form.getByLabel("Trials", { exact: true })).toHaveValue("all");
    await page.keyboard.type("Failures of orca");
    await page.keyboard.press("Enter");

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Failures of orca");
    const queueId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await expect(page.getByRole("main")).toContainText(`${String(failed.length)} trials, all of the list`);
    const table = page.getByRole("table", { name: "Trials of the queue" });
    await expect(table).toContainText(`To do ${String(failed.length)}`);
    const source = await page.content();
    expect(source).not.toContain("orca-v");
    expect(failed.filter(({ task }) => source.includes(task))).not.toEqual([]);
    for (const { reward } of failed.slice(0, 1)) expect(reward).toBe(0);
    await expect(table.getByRole("row").nth(2)).toContainText("hidden");

    await giveName(page, "Ada");
    await expect(page.getByRole("button", { name: "Review next" })).toBeFocused();
    await expect(page.getByRole("button", { name: "Review next" })).toContainText("Ctrl");
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(/\/items\/1$/);
    await expect(page.getByText(`Trial 1 of ${String(failed.length)} of the queue`)).toHaveCount(1);
    await page.goto(`${url}/annotations/queues/${queueId}`);
    await skipElsewhere({ dataFolder }, { queueId, position: 0 }, "Ada");
    await page.reload();
    await expect(table).toContainText("Skipped by you 1");
    await tabTo(page, "[aria-label^='Put ']");
    await page.keyboard.press("Enter");
    await expect(table).not.toContainText("Skipped by you");
    await expect(table).toContainText(`To do ${String(failed.length)}`);

    await page.getByRole("button", { name: "Close queue" }).press("Enter");
    await expect(page.getByRole("button", { name: "Open again" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Review next" })).toHaveCount(0);
    await page.goto(`${url}/annotations/queues`);
    const row = page
      .getByRole("table", { name: "Review queues" })
      .getByRole("row", { name: /Failures of orca/ });
    await expect(row).toContainText(`0 of ${String(failed.length)}`);
    await expect(row).toContainText("closed");
  });
});

test("rows of a list are selected by key and make a queue of their own @long", async ({ page }) => {
  await withFewJobs(async ({ url }) => {
    await page.goto(`${url}/jobs/${JOB}?tab=trials`, { waitUntil: "networkidle" });
    const boxes = page.getByRole("checkbox", { name: /^Select / });
    await expect(boxes.first()).not.toBeChecked();
    for (const key of ["j", "x", "j", "j", "x"]) await page.keyboard.press(key);
    await expect(page.getByText("2 selected")).toBeVisible();
    await expect(boxes.nth(2)).toBeChecked();
    await page.getByRole("button", { name: "Clear" }).press("Enter");
    await expect(boxes.first()).not.toBeChecked();
    await boxes.nth(1).press("Space");
    await page.getByRole("button", { name: "Review these" }).press("Enter");
    await expect(page.getByRole("main")).toContainText("1 selected trial");
    const form = page.getByRole("form", { name: "New queue" });
    await expect(form.getByRole("status")).toContainText(
      "1 finished trial matches; this queue takes all of them",
    );
    await form.getByLabel("Name", { exact: true }).fill("One");
    await form.getByRole("textbox", { name: "Reviewers" }).fill("Ada\nInes");
    await form.getByLabel("Goal").selectOption("Agreement of reviewers");
    await form.getByLabel("Name", { exact: true }).press("Enter");
    await expect(page.getByRole("main")).toContainText(
      "1 trial, selected by hand, all of them reviewed twice.",
    );
    await giveName(page, "Bo");
    await expect(page.getByRole("main")).toContainText("This queue is for Ada, Ines.");
  });
});
