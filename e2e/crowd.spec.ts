import { readdirSync, readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { type Browser, expect, type Page, test } from "@playwright/test";
import { z } from "zod";

import { startPostgres } from "../lib/store/database/postgres-server.fixture";
import { IS_LONG_RUN, planRuns } from "../lib/testing/plan-runs";
import { withAssay } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";
import { readJudgmentLines } from "./fixtures/judgment-lines";
import { listAddresses } from "./fixtures/pages";
import { startProxy } from "./fixtures/proxy";

const { numRuns: REVIEWERS } = planRuns({ short: 3, long: 20 });
const { numRuns: SECONDS } = planRuns({ short: 3, long: 120 });
const { numRuns: TRIALS } = planRuns({ short: 60, long: 800 });
const JOBS = IS_LONG_RUN ? undefined : ["tb2-orca-next"];

/** A judgment that the page confirmed by opening the next trial. */
interface Saved {
  readonly reviewer: string;
  readonly item: number;
}

async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 700 } });
  await context.addCookies([{ name: "assay-name", value: `${name}/`, url }]);
  return context.newPage();
}

async function makeQueue(page: Page, url: string, size = TRIALS): Promise<string> {
  await page.goto(`${url}/trials`);
  await page.locator("[data-make-queue]").first().press("Enter");
  const form = page.getByRole("form", { name: "New queue" });
  await form.getByLabel("Name", { exact: true }).fill("Crowd");
  await form.getByLabel("Trials", { exact: true }).selectOption("random");
  await form.locator("[name=size]").fill(String(size));
  await form.locator("[name=doubleShare]").fill("0");
  await expect(form.getByRole("status")).toContainText(/takes \d/);
  await form.getByLabel("Name", { exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Crowd");
  return new URL(page.url()).pathname;
}

function readItem(page: Page): number {
  return Number(/items\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1] ?? Number.NaN);
}

interface Review {
  /** Asked after each trial. */
  readonly isOver: () => boolean;
  /** Called during a save, with the number of judgments confirmed so far. */
  readonly onSave?: (nSaved: number) => void;
}

/** Reviews by keyboard as fast as pages load, until aborted or the queue ends. */
async function review(
  page: Page,
  queue: string,
  reviewer: string,
  { isOver, onSave }: Review,
): Promise<readonly Saved[]> {
  const saved: Saved[] = [];
  // By selector, because Playwright always considers a fieldset enabled.
  const fields = page.locator("fieldset.review-fields:enabled");
  await page.goto(queue);
  // With twenty pages loading, a key may be pressed before its page listens. A second press could open the focused step.
  await expect(async () => {
    const button = page.getByRole("button", { name: "Review next", disabled: false });
    if (await button.isVisible()) await button.press("Enter", { timeout: 5_000 });
    await expect(page).toHaveURL(/items\/\d+$/, { timeout: 5_000 });
  }).toPass();
  await expect(fields).toBeVisible();
  let item = readItem(page);
  do {
    await page.keyboard.press("n");
    await page.keyboard.type(`${reviewer} at ${String(item)}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("3");
    await page.keyboard.press("Control+Enter");
    onSave?.(saved.length);
    await expect(async () => {
      // If the server stopped, the browser keeps the draft, and the reviewer saves again.
      if (await page.getByText(/^Offline, not saved/).isVisible()) await page.keyboard.press("Control+Enter");
      expect(readItem(page)).not.toBe(item);
    }).toPass();
    saved.push({ reviewer, item });
    item = readItem(page);
    if (Number.isNaN(item)) break;
    await expect(fields).toBeVisible();
  } while (!isOver());
  return saved;
}

const lineSchema = z.object({
  reviewer_id: z.string(),
  queue_position: z.int(),
  notes: z.string(),
  judgment: z.string(),
  categories: z.array(z.string()),
});

/** Fails unless exactly the confirmed judgments are stored, each once, with its name and trial, at most one per trial. */
async function expectStored(page: Page, url: string, saved: readonly Saved[]): Promise<void> {
  const exported = await (await page.request.get(`${url}/annotations/export`)).text();
  const lines = readJudgmentLines(exported).map((line) => lineSchema.parse(line));
  const stored = lines.map(({ reviewer_id, queue_position, notes, judgment, categories }) =>
    [reviewer_id, queue_position + 1, notes, judgment, ...categories].join(),
  );
  const expected = saved.map(({ reviewer, item }) =>
    [reviewer, item, `${reviewer} at ${String(item)}`, "defer"].join(),
  );
  expect(stored.toSorted()).toEqual(expected.toSorted());
  // Each trial is leased to one reviewer only, during the run and later.
  expect(new Set(saved.map(({ item }) => item)).size).toBe(saved.length);
}

async function tryCrowd(browser: Browser): Promise<void> {
  await withAssay(
    async ({ url, startAnother }) => {
      const servers = [url, await startAnother()];
      const names = Array.from({ length: REVIEWERS }, (_, nth) => `Reviewer ${String(nth + 1)}`);
      const queue = await makeQueue(await openAs(browser, url, "Ada"), url);
      const saved = (
        await Promise.all(
          names.map(async (reviewer, nth) => {
            const server = servers[nth % servers.length] ?? url;
            const page = await openAs(browser, server, reviewer);
            const end = Date.now() + SECONDS * 1000;
            return review(page, server + queue, reviewer, { isOver: () => Date.now() > end });
          }),
        )
      ).flat();

      await expectStored(await openAs(browser, url, "Ada"), url, saved);
    },
    undefined,
    JOBS,
  );
}

test.describe("many reviewers at two servers over the same data lose nothing and never judge the same trial", () => {
  test.setTimeout(120_000 + SECONDS * 4_000);

  test("in SQLite @long", async ({ browser }) => tryCrowd(browser));

  test("in PostgreSQL @long", async ({ browser }) => {
    const server = await startPostgres();
    process.env["DATABASE_URL"] = server.url;
    try {
      await tryCrowd(browser);
    } finally {
      delete process.env["DATABASE_URL"];
      await server.kill();
    }
  });
});

const { numRuns: TRIALS_BETWEEN_TWO } = planRuns({ short: 8, long: 100 });

test("one of two servers on one PostgreSQL is killed during a queue, and the other continues with everything @long", async ({
  browser,
}) => {
  test.setTimeout(240_000 + TRIALS_BETWEEN_TWO * 10_000);
  const server = await startPostgres();
  process.env["DATABASE_URL"] = server.url;
  try {
    await withAssay(
      async ({ url: first, process: child, startAnother, jobsFolder }) => {
        const second = await startAnother();
        const proxy = await startProxy([first, second]);
        const watching = await openAs(browser, proxy.url, "Ada");
        const queue = await makeQueue(watching, proxy.url, TRIALS_BETWEEN_TWO);
        await watching.goto(proxy.url);
        // The first server is killed while half of the saves are in flight.
        const onSave = (nSaved: number) => {
          if (nSaved === Math.floor(TRIALS_BETWEEN_TWO / 4)) child.kill("SIGKILL");
        };
        const saved = await Promise.all(
          ["Ines", "Mary"].map(async (reviewer) =>
            review(await openAs(browser, proxy.url, reviewer), proxy.url + queue, reviewer, {
              isOver: () => false,
              onSave,
            }),
          ),
        );
        expect(child.signalCode).toBe("SIGKILL");
        expect(saved.flat()).toHaveLength(TRIALS_BETWEEN_TWO);
        await expectStored(watching, second, saved.flat());
        // The follower now updates the index, so a page that stayed open shows later changes.
        copyJob(jobsFolder, "tb2-orca-next", "added-later", { nTrials: 2 });
        await expect(watching.getByRole("link", { name: "added-later", exact: true })).toBeVisible({
          timeout: 60_000,
        });
        proxy.close();
      },
      undefined,
      ["tb2-orca-next"],
    );
  } finally {
    delete process.env["DATABASE_URL"];
    await server.kill();
  }
});

const READERS = 50;
const TEN_MINUTES_MS = 600_000;
/** Milliseconds that a reader stays on a page. */
const READ_MS = 2_000;

/** Uses a new connection: the server may close a kept one just as it is reused. */
function readPage(address: string): Promise<number> {
  return new Promise((settle, reject) => {
    const request = get(address, { agent: false }, (response) => {
      response.resume();
      response.once("end", () => settle(response.statusCode ?? 0));
      response.once("error", reject);
    });
    request.once("error", reject);
  });
}

/** Opens pages in sequence until aborted. @returns the number of opened pages, and the refused ones */
async function readPages(url: string, addresses: readonly string[], first: number, isOver: () => boolean) {
  const refused: string[] = [];
  let nRead = 0;
  for (; !isOver(); nRead++) {
    const address = addresses[(first + nRead) % addresses.length] ?? "/";
    const status = await readPage(url + address);
    if (status >= 500) refused.push(`${String(status)} ${address}`);
    await wait(READ_MS);
  }
  return { nRead, refused };
}

/** Samples a process's memory in MB, every second until aborted. */
async function watchMemory(pid: number, isOver: () => boolean): Promise<readonly number[]> {
  const sizes: number[] = [];
  while (!isOver()) {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1];
    sizes.push(Number(kilobytes) / 1024);
    await wait(1_000);
  }
  return sizes;
}

const findMedian = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

test("fifty readers and twenty reviewers for ten minutes: nothing is lost, and the server's memory stays flat", async ({
  browser,
}) => {
  test.skip(!IS_LONG_RUN, "ten minutes");
  test.setTimeout(3 * TEN_MINUTES_MS);
  await withAssay(async ({ url, process: child, jobsFolder }) => {
    const queue = await makeQueue(await openAs(browser, url, "Ada"), url);
    const end = Date.now() + TEN_MINUTES_MS;
    const isOver = () => Date.now() > end;
    const job = "tb2-baseline";
    const trial = readdirSync(join(jobsFolder, job)).find((name) => name.includes("__")) ?? "none";
    const addresses = listAddresses(job, trial);
    const [sizes, read, saved] = await Promise.all([
      watchMemory(child.pid ?? 0, isOver),
      Promise.all(Array.from({ length: READERS }, (_, nth) => readPages(url, addresses, nth * 7, isOver))),
      Promise.all(
        Array.from({ length: REVIEWERS }, async (_, nth) => {
          const reviewer = `Reviewer ${String(nth + 1)}`;
          return review(await openAs(browser, url, reviewer), url + queue, reviewer, { isOver });
        }),
      ),
    ]);
    expect(read.flatMap(({ refused }) => refused)).toEqual([]);
    await expectStored(await openAs(browser, url, "Ada"), url, saved.flat());
    const thirds = [0, 1, 2].map((third) =>
      findMedian(sizes.slice((third * sizes.length) / 3, ((third + 1) * sizes.length) / 3)),
    );
    const [, middle = Number.NaN, last = Number.NaN] = thirds;
    console.log(
      `${String(saved.flat().length)} judgments, ${String(read.reduce((sum, { nRead }) => sum + nRead, 0))} pages; memory by thirds ${thirds.map((size) => size.toFixed(0)).join(", ")} MB, most ${Math.max(...sizes).toFixed(0)}`,
    );
    // The first third fills the caches.
    expect(last).toBeLessThan(1.1 * middle);
  });
});
