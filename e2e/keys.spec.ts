import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

function sheetOf(page: Page) {
  return page.getByRole("dialog", { name: "Keyboard shortcuts" });
}

/** Opens the sheet by its key, once the page listens. */
async function openSheet(page: Page) {
  const sheet = sheetOf(page);
  await expect(async () => {
    if (!(await sheet.isVisible())) await page.keyboard.press("?");
    await expect(sheet).toBeVisible({ timeout: 500 });
  }).toPass();
  return sheet;
}

/** The names of what the sheet shows unfolded, in order. */
async function readScopes(page: Page): Promise<readonly string[]> {
  const all = await sheetOf(page).getByRole("heading", { level: 3 }).allTextContents();
  const visible = await sheetOf(page)
    .getByRole("heading", { level: 3 })
    .evaluateAll((headings) => headings.map((heading) => heading.checkVisibility()));
  return all.filter((_, index) => visible[index]);
}

test("the sheet shows the keys of where one is, the others folded @long", async ({ page, assay }) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}/trials/${trial?.name ?? ""}`);
  await expect(page.getByRole("complementary", { name: "Review" }).getByRole("status")).toHaveText(/./);
  const sheet = await openSheet(page);
  expect(await readScopes(page)).toEqual(["Review", "Trial", "Everywhere"]);
  await sheet.getByText("Keys of other pages").press("Enter");
  expect((await readScopes(page)).slice(3)).toEqual([
    "Queue",
    "Page of a queue",
    "Adjudication",
    "Side by side",
    "Compare",
    "Triage",
    "Lists",
  ]);

  await page.goto(`/jobs/${JOB}?tab=trials`);
  await expect(page.getByRole("table").first()).toBeVisible();
  await openSheet(page);
  expect(await readScopes(page)).toEqual(["Lists", "Everywhere"]);
  const join = sheet.getByText("Count the selected groups together");
  await expect(join).toBeHidden();
  await expect(sheet.getByText("Make a queue of")).toBeVisible();
  await page.goto("/");
  await openSheet(page);
  await expect(join).toBeVisible();
  await expect(sheet.getByText("Make a queue of")).toBeHidden();
});

test("a key is changed by keyboard, works after a reload, is on its button and in the sheet, and is reset", async ({
  page,
  assay,
}) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}/trials/${trial?.name ?? ""}`);
  const panel = page.getByRole("complementary", { name: "Review" });
  const note = panel.getByLabel("Note");
  const caps = panel.getByRole("heading", { name: /^Note/ });
  await expect(caps).toHaveText("Note n");

  const sheet = await openSheet(page);
  await sheet.getByRole("button", { name: "Note: n, change" }).press("Enter");
  await expect(sheet).toContainText("Press the new key for “Note”");
  for (const [key, answer] of [
    ["j", "j is the key of “Next row, step or file”. Change that one first."],
    ["Control+p", "Ctrl P belongs to the browser."],
    ["Enter", "Enter keeps its usual meaning."],
    [" ", "Space keeps its usual meaning."],
  ] as const) {
    await page.keyboard.press(key);
    await expect(sheet, key).toContainText(answer);
    await expect(page.getByRole("status").filter({ hasText: answer }), key).toHaveCount(1);
  }
  // Escape leaves the key as it is, and the sheet open.
  await page.keyboard.press("Escape");
  await expect(sheet.getByRole("button", { name: "Note: n, change" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("v");
  await expect(sheet.getByRole("button", { name: "Note: v, change" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(caps).toHaveText("Note v");

  await page.reload();
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

test("single keys can be switched off: they do nothing and are on no button, Ctrl keys stay @long", async ({
  page,
  assay,
}) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}/trials/${trial?.name ?? ""}`);
  const panel = page.getByRole("complementary", { name: "Review" });
  const fail = panel.getByRole("button", { name: /^Fail/ });
  await expect(fail).toHaveText("Fail2");
  const sheet = await openSheet(page);
  await sheet.getByRole("checkbox", { name: "Single-letter keys" }).press("Space");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await expect(fail).toHaveText("Fail");
    for (const key of ["2", "j", "?", "ArrowRight"]) await page.keyboard.press(key);
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: /Search jobs/ })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(fail).toHaveAttribute("aria-pressed", "false");
    await expect(sheet).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`/trials/${trial?.name ?? "none"}$`));
  }

  await page.getByRole("button", { name: "Keyboard shortcuts" }).press("Enter");
  await sheet.getByRole("checkbox", { name: "Single-letter keys" }).press("Space");
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await expect(fail).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("status").filter({ hasText: "Verdict: fail" })).toHaveCount(1);
});

test("what a key did to a row is said to screen readers", async ({ page }) => {
  await page.goto("/");
  const said = page.getByRole("status").filter({ hasText: /elected: / });
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(page.locator("[data-row-link]:focus")).toBeVisible({ timeout: 500 });
  }).toPass();
  const box = page.locator("tr:has(:focus)").getByRole("checkbox");
  const [, row] = /^Select (.*)/.exec((await box.getAttribute("aria-label")) ?? "") ?? [];
  await page.keyboard.press("x");
  await expect(box).toBeChecked();
  await expect(said).toHaveText(`Selected: ${row ?? "none"}`);
  await page.keyboard.press("x");
  await expect(box).not.toBeChecked();
  await expect(said).toHaveText(`No longer selected: ${row ?? "none"}`);
});

test("a held key does nothing twice, and keys do nothing behind an open menu @long", async ({
  page,
  assay,
}) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}/trials/${trial?.name ?? ""}`);
  const panel = page.getByRole("complementary", { name: "Review" });
  await expect(panel.getByRole("status")).toHaveText("Not reviewed");
  // Low, medium, high, none: held for four times as long it would be none again.
  const low = panel.getByRole("group", { name: "Confidence" }).getByRole("button", { name: "Low" });
  // Down again without up: the key repeats.
  for (let n = 0; n < 4; n++) await page.keyboard.down("h");
  await page.keyboard.up("h");
  await expect(low).toHaveAttribute("aria-pressed", "true");

  const menu = page.locator("details[data-menu]", { hasText: "Go to" });
  await menu.locator("summary").press("Enter");
  await expect(menu).toHaveAttribute("open", "");
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open", "");
  await expect(panel.getByLabel("Note")).not.toBeFocused();
  await page.keyboard.press("n");
  await expect(panel.getByLabel("Note")).toBeFocused();
  await expect(low).toHaveAttribute("aria-pressed", "true");
});
