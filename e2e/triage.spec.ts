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
    await expect(page.getByRole("main")).toContainText(
      `${failed.length} trials did not pass, of 360 finished trials`,
      {
        timeout: 1_000,
      },
    );
  }).toPass();
  // Each part of the bar is as long as its share, independent of its label.
  const widths = await page
    .locator(".owner-strip > *")
    .evaluateAll((all) => all.map((one) => one.clientWidth));
  const numbers = (await page.locator(".owner-bar b").allTextContents()).map(Number);
  const perTrial = sum(widths) / sum(numbers);
  expect(widths).toHaveLength(numbers.length);
  for (const [at, width] of widths.entries())
    expect(Math.abs(width - (numbers[at] ?? 0) * perTrial)).toBeLessThan(3);
  // The classes, together and individually, match the files.
  const [all = 0, ...byClass] = await readNumbers(page, "Classes of failures by agent and task", "All");
  expect(all).toBe(failed.length);
  expect(byClass.reduce((sum, n) => sum + n, 0)).toBe(failed.length);
  const timeouts = failed.filter(({ exception }) => exception === "AgentTimeoutError").length;
  await page.goto(`/errors?job=${JOB}&class=out_of_time`);
  await expect(page.getByRole("search", { name: "This page" })).toContainText(`${timeouts} trials`);

  const findings = page.getByRole("table", { name: "What a fix would win" });
  const open = findings.getByRole("link", { name: /^Open \d+ trials?$/ });
  const n = Number(/\d+/.exec(await open.innerText())?.[0]);
  await open.press("Enter");
  await expect(page).toHaveURL(/\/trials\?/);
  await expect(page.getByRole("main")).toContainText(`${n} of `);
});

test("a finding is dismissed by keyboard with a shared reason, and restored", async ({ browser }) => {
  await withFewJobs(async ({ url }) => {
    const ada = await browser.newPage();
    await expect(async () => {
      await ada.goto(`${url}/errors?dataset=terminal-mix`);
      await expect(ada.getByRole("button", { name: "Dismiss, with reason" })).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const finding = ada.getByRole("table", { name: "What a fix would win" }).locator("[aria-expanded=true]");
    const name = await finding.innerText();
    await ada.getByRole("button", { name: "Dismiss, with reason" }).press("Enter");
    const form = ada.getByRole("form", { name: "Dismiss this finding" });
    await form.getByLabel(/^Why it needs no fix/).fill("Meant to be hard <b>really</b>");
    await form.getByLabel("Your name", { exact: true }).fill("Ada");
    await form.getByRole("button", { name: "Dismiss", exact: true }).press("Enter");
    const dismissed = ada.getByRole("table", { name: "Dismissed findings" });
    await expect(dismissed).toContainText("“Meant to be hard <b>really</b>”");

    const other = await (await browser.newContext()).newPage();
    await other.goto(`${url}/errors?dataset=terminal-mix`);
    const row = other
      .getByRole("table", { name: "Dismissed findings" })
      .getByRole("row")
      .filter({ hasText: "Ada" });
    await expect(row).toContainText(name);
    // Another browser's dismissal can only be answered with a reason, under another name.
    await expect(row.getByRole("button", { name: "Undo" })).toHaveCount(0);
    await row.getByRole("button", { name: "Show again" }).press("Enter");
    const again = row.getByRole("form", { name: "Show this finding again" });
    await again.getByLabel(/^Why it needs a fix/).fill("It is not meant");
    await again.getByLabel("Your name", { exact: true }).fill(" ada");
    await again.getByRole("button", { name: "Show again" }).press("Enter");
    await expect(other.getByText(/Ada changed this in another browser/).first()).toBeVisible();
    await again.getByLabel("Your name", { exact: true }).fill("Ines");
    await again.getByRole("button", { name: "Show again" }).press("Enter");
    await expect(other.getByRole("table", { name: "Dismissed findings" })).toHaveCount(0);
    await expect(other.getByRole("table", { name: "What a fix would win" })).toContainText(name);
    await other.getByText("2 earlier changes").first().click();
    await expect(other.getByText(/Shown again by Ines.*It is not meant/)).toBeVisible();
  });
});

test("findings are selected, unfolded, opened, queued and dismissed by listed keys", async ({
  page,
  assay,
}) => {
  const findings = page.getByRole("table", { name: "What a fix would win" });
  await expect(async () => {
    await page.goto(`${assay.url}/errors?job=${JOB}`);
    await expect(findings.locator("[data-row-link]").nth(2)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const rows = findings.locator("[data-row-link]");
  const names = findings.locator("[data-finding]");
  await page.keyboard.press("j");
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("o");
  await expect(names.nth(1)).toHaveAttribute("aria-expanded", "true");

  // x and q also work on a folded row.
  await rows.nth(2).focus();
  await page.keyboard.press("x");
  await expect(page.getByRole("form", { name: "Dismiss this finding" })).toBeVisible();
  await expect(names.nth(2)).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Escape");
  await rows.nth(1).focus();
  const n = await rows.nth(1).innerText();
  await page.keyboard.press("q");
  await expect(page).toHaveURL(/\/annotations\/queues\/new\?/);
  await expect(page.getByRole("main")).toContainText(`${n} finished trials match`);

  await page.goBack();
  await rows.nth(1).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/trials\?/);
  await expect(page.getByRole("main")).toContainText(`${n} of `);

  await page.goBack();
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.locator("#key-sheet")).toContainText("Dismiss the finding of the row");
});

test("findings keep clear of their borders, and details have no ground under the pointer", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/errors");
  const table = page.getByRole("table", { name: /^Findings|^What a fix/u });
  const gaps = await table.locator("tbody tr:not(.detail-row) > *").evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const { top, bottom } = cell.getBoundingClientRect();
      return Array.from(cell.children, (part) => {
        const box = part.getBoundingClientRect();
        return Math.min(box.top - top, bottom - box.bottom);
      });
    }),
  );
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3);
  const detail = table.locator(".detail-row > td").first();
  await detail.hover();
  expect(await detail.evaluate((cell) => getComputedStyle(cell).boxShadow)).toBe("none");
});
