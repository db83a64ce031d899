import type { Page } from "@playwright/test";

import { expect, test, withFewJobs } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-baseline";

/** Numbers in a column of a table. */
async function readNumbers(page: Page, table: string, row: string): Promise<readonly number[]> {
  const cells = page
    .getByRole("table", { name: table })
    .getByRole("row")
    .filter({ has: page.getByRole("cell", { name: row, exact: true }) })
    .getByRole("cell");
  const texts = await cells.allInnerTexts();
  return texts.slice(1).map((text) => Number(text.replaceAll(",", "")));
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test("every trial that did not pass is counted once, and a finding opens its trials", async ({
  page,
  assay,
}) => {
  const failed = readRecordedTrials(assay.jobsFolder, JOB).filter(({ reward }) => (reward ?? 0) < 1);
  await expect(async () => {
    await page.goto(`/errors?job=${JOB}`);
    await expect(page.getByRole("region", { name: "All causes" })).toContainText(
      `causes, ${failed.length} trials`,
      { timeout: 1_000 },
    );
  }).toPass();
  // A default benchmark is in the URL, so that a copied link shows the same.
  await expect(page).toHaveURL(/[?&]dataset=terminal-mix/);
  // Each part of the bar is as long as its share, independent of its label.
  const widths = await page
    .locator(".cause-owners .share-bar > *")
    .evaluateAll((all) => all.map((one) => one.clientWidth));
  const numbers = (await page.locator(".owner-bar b").allTextContents()).map(Number);
  const perTrial = sum(widths) / sum(numbers);
  expect(widths).toHaveLength(numbers.length);
  for (const [at, width] of widths.entries())
    expect(Math.abs(width - (numbers[at] ?? 0) * perTrial)).toBeLessThan(3);
  // The classes, together and individually, match the files.
  for (const tab of ["By agent", "By task"]) {
    await page.getByRole("navigation", { name: "Failures" }).getByRole("link", { name: tab }).press("Enter");
    const table = `Failures by ${tab === "By agent" ? "agent" : "task"} and class`;
    await expect(page.getByRole("table", { name: table })).toBeVisible();
    const numbers = await readNumbers(page, table, "All");
    // The sum has no outcomes, pass rate or agents.
    const at = numbers.length - (tab === "By agent" ? 3 : 4);
    const classes = numbers.slice(0, at);
    expect(numbers[at]).toBe(failed.length);
    expect(sum(classes)).toBe(failed.length);
  }
  const timeouts = failed.filter(({ exception }) => exception === "AgentTimeoutError").length;
  await page.goto(`/errors?job=${JOB}&class=out_of_time`);
  await expect(page.getByRole("region", { name: "All causes" })).toContainText(`${timeouts} trials`);

  const open = page.getByRole("link", { name: /^Open \d+ trials?$/ });
  const n = Number(/\d+/.exec(await open.innerText())?.[0]);
  await open.press("Enter");
  await expect(page).toHaveURL(/\/trials\?/);
  await expect(page.getByRole("main")).toContainText(`${n} of `);
});

test("a cause is dismissed by keyboard with a shared reason, and restored", async ({ browser }) => {
  await withFewJobs(async ({ url }) => {
    const ada = await browser.newPage();
    const pane = (page: Page) => page.getByRole("region", { name: "Selected cause" });
    await expect(async () => {
      await ada.goto(`${url}/errors?dataset=terminal-mix`);
      await expect(pane(ada)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const name = await pane(ada).getByRole("heading", { level: 2 }).innerText();
    await pane(ada).locator("summary", { hasText: "More" }).press("Enter");
    await ada.getByRole("button", { name: "Dismiss, with reason" }).press("Enter");
    const form = ada.getByRole("form", { name: "Dismiss this finding" });
    await form.getByLabel(/^Why it needs no fix/).fill("Meant to be hard <b>really</b>");
    await form.getByLabel("Your name", { exact: true }).fill("Ada");
    await form.getByRole("button", { name: "Dismiss", exact: true }).press("Enter");
    await expect(pane(ada).getByRole("heading", { level: 2 })).not.toHaveText(name);

    const other = await (await browser.newContext()).newPage();
    await other.goto(`${url}/errors?dataset=terminal-mix`);
    // Dismissed causes stay at the end of the list.
    await other.getByRole("link", { name: /Dismissed/ }).click();
    await expect(pane(other).getByRole("heading", { level: 2 })).toHaveText(name);
    const dismissal = pane(other).getByRole("group", { name: "Dismissal" });
    await expect(dismissal).toContainText("“Meant to be hard <b>really</b>”");
    // Another browser's dismissal can only be answered with a reason, under another name.
    await expect(dismissal.getByRole("button", { name: "Undo" })).toHaveCount(0);
    await dismissal.getByRole("button", { name: "Show again" }).press("Enter");
    const again = dismissal.getByRole("form", { name: "Show this finding again" });
    await again.getByLabel(/^Why it needs a fix/).fill("It is not meant");
    await again.getByLabel("Your name", { exact: true }).fill(" ada");
    await again.getByRole("button", { name: "Show again" }).press("Enter");
    await expect(other.getByText(/Ada changed this in another browser/).first()).toBeVisible();
    await again.getByLabel("Your name", { exact: true }).fill("Ines");
    await again.getByRole("button", { name: "Show again" }).press("Enter");
    await expect(other.getByRole("link", { name: /Dismissed/ })).toHaveCount(0);
    await pane(other).locator("summary", { hasText: "More" }).press("Enter");
    await pane(other).getByText("2 earlier changes").click();
    await expect(pane(other).getByText(/Shown again by Ines.*It is not meant/)).toBeVisible();

    // Keys answer for the next example without an answer.
    await other.keyboard.press("Escape");
    const answers = pane(other).getByRole("button", { pressed: true });
    await other.keyboard.press("y");
    await expect(answers).toHaveText(["Yes"]);
    await expect(pane(other)).toContainText(/1 of \d+ trials? checked/);
  });
});

test("causes are chosen, opened, reviewed, filtered and dismissed by listed keys", async ({
  page,
  assay,
}) => {
  const causes = page.getByRole("list", { name: "Causes" }).getByRole("link");
  const heading = page.getByRole("region", { name: "Selected cause" }).getByRole("heading", { level: 2 });
  await expect(async () => {
    await page.goto(`${assay.url}/errors?job=${JOB}`);
    await expect(causes.nth(2)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("j");
  await expect(causes.first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(causes.nth(1)).toBeFocused();
  await expect(page).toHaveURL(/[?&]open=/);
  await expect(causes.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(causes.nth(1)).toContainText(await heading.innerText());

  await page.keyboard.press("x");
  await expect(page.getByRole("form", { name: "Dismiss this finding" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const n = /(\d+) trials?/.exec(await causes.nth(1).innerText())?.[1] ?? "";
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/annotations\/queues\/new\?/);
  await expect(page.getByRole("main")).toContainText(`${n} finished trials match`);

  await page.goBack();
  await causes.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/trials\?/);
  await expect(page.getByRole("main")).toContainText(`${n} of `);

  await page.goBack();
  const owner = page.getByRole("list", { name: "Owners" }).getByRole("link").first();
  await expect(owner).toBeVisible();
  await page.keyboard.press("1");
  await expect(owner).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("1");
  await expect(owner).not.toHaveAttribute("aria-current");
  await page.keyboard.press("?");
  await expect(page.locator("#key-sheet")).toContainText("Dismiss the cause");
});

test("a phone shows the list of causes, and each cause as its own page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/errors?dataset=terminal-mix");
  const causes = page.getByRole("list", { name: "Causes" });
  const pane = page.getByRole("region", { name: "Selected cause" });
  await expect(causes).toBeVisible();
  await expect(pane).toBeHidden();
  await causes.getByRole("link").nth(1).click();
  await expect(pane).toBeVisible();
  await expect(causes).toBeHidden();
  await page.getByRole("link", { name: "All causes" }).click();
  await expect(causes).toBeVisible();
});
