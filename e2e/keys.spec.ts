import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

function sheetOf(page: Page) {
  return page.getByRole("dialog", { name: "Keyboard shortcuts" });
}

async function openSheet(page: Page) {
  const sheet = sheetOf(page);
  await expect(async () => {
    if (!(await sheet.isVisible())) await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 500 });
  }).toPass();
  return sheet;
}

test("a key is changed by keyboard, works after a reload, is on its button and in the sheet, and is reset", async ({
  page,
  assay,
}) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}/trials/${trial?.name ?? ""}`);
  const panel = page.getByRole("complementary", { name: "Review" });
  const note = panel.getByLabel("Note");
  const caps = panel.getByRole("heading", { name: /^Note/ });
  const unfold = panel.getByRole("button", { name: "Whole form" });
  await unfold.click();
  await expect(caps).toHaveText("Note n");

  const sheet = await openSheet(page);
  await sheet.getByRole("button", { name: "Note: n, change" }).press("Enter");
  await expect(sheet).toContainText("Press the new key for “Note”");
  for (const [key, answer] of [
    ["j", "j is used by “Next row, step or file”. Change that one first."],
    ["Control+p", "Ctrl P is reserved by the browser."],
    ["Enter", "Enter keeps its usual meaning."],
    [" ", "Space keeps its usual meaning."],
  ] as const) {
    await page.keyboard.press(key);
    await expect(sheet, key).toContainText(answer);
    await expect(page.getByRole("status").filter({ hasText: answer }), key).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(sheet.getByRole("button", { name: "Note: n, change" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("v");
  await expect(sheet.getByRole("button", { name: "Note: v, change" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(caps).toHaveText("Note v");

  await page.reload();
  await unfold.click();
  await expect(caps).toHaveText("Note v");
  await page.keyboard.press("n");
  await expect(note).not.toBeFocused();
  await page.keyboard.press("v");
  await expect(note).toBeFocused();
  await page.keyboard.type("v and n are text here");
  await expect(note).toHaveValue("v and n are text here");
  await page.keyboard.press("Escape");

  await openSheet(page);
  await sheet.getByRole("button", { name: "Note: v, change" }).press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(sheet.getByRole("button", { name: "Note: n, change" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(caps).toHaveText("Note n");
  await page.keyboard.press("n");
  await expect(note).toBeFocused();
});
