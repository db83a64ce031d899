import { type Browser, expect, type Page, test } from "@playwright/test";
import { z } from "zod";

import { startPostgres } from "../lib/database/postgres-server.fixture";
import { IS_LONG_RUN, planRuns } from "../lib/testing/plan-runs";
import { withAssay } from "./fixtures/app";

const { numRuns: REVIEWERS } = planRuns({ short: 3, long: 20 });
const { numRuns: SECONDS } = planRuns({ short: 3, long: 120 });
const { numRuns: TRIALS } = planRuns({ short: 60, long: 800 });
/** Enough trials for a short run, and all samples for a long one. */
const JOBS = IS_LONG_RUN ? undefined : ["tb2-orca-next"];

/** A judgment that the page confirmed by going on. */
interface Saved {
  readonly reviewer: string;
  readonly item: number;
  /** In milliseconds, from the key until the next trial can be judged. */
  readonly nextMs: number;
}

async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 700 } });
  await context.addCookies([{ name: "assay-name", value: `${name}/`, url }]);
  return context.newPage();
}

async function makeQueue(page: Page, url: string): Promise<string> {
  await page.goto(`${url}/trials`);
  await page.locator("[data-make-queue]").first().press("Enter");
  const form = page.getByRole("form", { name: "New queue" });
  await form.getByLabel("Name", { exact: true }).fill("Crowd");
  await form.getByLabel("Trials", { exact: true }).selectOption("random");
  await form.locator("[name=size]").fill(String(TRIALS));
  await form.locator("[name=doubleShare]").fill("0");
  await expect(form.getByRole("status")).toContainText(/takes \d/);
  await form.getByLabel("Name", { exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Crowd");
  return new URL(page.url()).pathname;
}

function readItem(page: Page): number {
  return Number(/items\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? Number.NaN);
}

/** Reviews by keyboard until the time is over, as fast as the pages come. */
async function review(page: Page, queue: string, reviewer: string): Promise<readonly Saved[]> {
  const saved: Saved[] = [];
  // By selector: Playwright takes a fieldset for enabled always.
  const fields = page.locator("fieldset.review-fields:enabled");
  await page.goto(queue);
  // Where twenty pages load at once a key may come before its page listens.
  await expect(async () => {
    const button = page.getByRole("button", { name: "Review next" });
    if (await button.isVisible()) await button.press("Enter", { timeout: 5_000 });
    await expect(page).toHaveURL(/items\/\d+$/, { timeout: 5_000 });
  }).toPass();
  await expect(fields).toBeVisible();
  const end = Date.now() + SECONDS * 1000;
  do {
    const item = readItem(page);
    await page.keyboard.press("n");
    await page.keyboard.type(`${reviewer} at ${String(item)}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    const pressed = Date.now();
    await page.keyboard.press("Control+Enter");
    await expect(page).not.toHaveURL(new RegExp(`items/${String(item)}$`));
    await expect(fields).toBeVisible();
    saved.push({ reviewer, item, nextMs: Date.now() - pressed });
  } while (Date.now() < end);
  return saved;
}

const lineSchema = z.object({
  reviewer_id: z.string(),
  queue_position: z.int(),
  notes: z.string(),
  judgment: z.string(),
  categories: z.array(z.string()),
});

async function tryCrowd(browser: Browser, name: string): Promise<void> {
  await withAssay(
    async ({ url, startAnother }) => {
      const servers = [url, await startAnother()];
      const names = Array.from({ length: REVIEWERS }, (_, nth) => `Reviewer ${String(nth + 1)}`);
      const queue = await makeQueue(await openAs(browser, url, "Ada"), url);
      const saved = (
        await Promise.all(
          names.map(async (reviewer, nth) => {
            const server = servers[nth % servers.length] ?? url;
            return review(await openAs(browser, server, reviewer), server + queue, reviewer);
          }),
        )
      ).flat();

      const page = await openAs(browser, url, "Ada");
      const exported = await (await page.request.get(`${url}/annotations/export`)).text();
      const lines = exported
        .trimEnd()
        .split("\n")
        .map((line) => lineSchema.parse(JSON.parse(line)));
      // What was confirmed is stored once, under the name and at the trial it was saved at.
      const stored = lines.map(({ reviewer_id, queue_position, notes, judgment, categories }) =>
        [reviewer_id, queue_position + 1, notes, judgment, ...categories].join(),
      );
      const expected = saved.map(({ reviewer, item }) =>
        [reviewer, item, `${reviewer} at ${String(item)}`, "defer"].join(),
      );
      expect(stored.toSorted()).toEqual(expected.toSorted());
      // Each trial is for one reviewer, so nobody else was given it, neither meanwhile nor later.
      expect(new Set(saved.map(({ item }) => item)).size).toBe(saved.length);
      const sorted = saved.map(({ nextMs }) => nextMs).toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
      console.log(
        `${name}: ${String(saved.length)} judgments by ${String(REVIEWERS)} reviewers at two servers in ${String(SECONDS)} s; saved and next drawn p50 ${String(at(0.5))} ms, p95 ${String(at(0.95))} ms`,
      );
    },
    undefined,
    JOBS,
  );
}

test.describe("many reviewers at two servers over the same data lose nothing and never judge the same trial", () => {
  test.setTimeout(120_000 + SECONDS * 4_000);

  test("in SQLite", async ({ browser }) => tryCrowd(browser, "SQLite"));

  test("in PostgreSQL", async ({ browser }) => {
    const server = await startPostgres();
    process.env["DATABASE_URL"] = server.url;
    try {
      await tryCrowd(browser, "PostgreSQL");
    } finally {
      delete process.env["DATABASE_URL"];
      await server.kill();
    }
  });
});
