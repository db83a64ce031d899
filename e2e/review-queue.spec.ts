import type { Browser, Page } from "@playwright/test";

import { planRuns } from "../lib/testing/plan-runs";
import { expect, test, withAssay, withFewJobs } from "./fixtures/app";
import { findViolations } from "./fixtures/axe";
import { readJudgmentLines } from "./fixtures/judgment-lines";

const JOB = "tb2-orca-next";
/** Names of the sample job, its agent and model. */
const NAMES = ["orca", "meridian", JOB];

/** A separate browser that knows the reviewer's name. */
async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "assay-name", value: `${name}/`, url }]);
  return context.newPage();
}

/** Makes a queue from the list at a URL, setting only name, size and double-review share. */
async function makeQueue(page: Page, list: string, { size, double }: { size: number; double: number }) {
  await page.goto(list);
  await page.locator("[data-make-queue]").first().press("Enter");
  const form = page.getByRole("form", { name: "New queue" });
  await form.getByLabel("Name", { exact: true }).fill("Audit");
  await form.getByLabel("Trials", { exact: true }).selectOption("random");
  await form.locator("[name=size]").fill(String(size));
  await form.locator("[name=doubleShare]").fill(String(double));
  await expect(form.getByRole("status")).toContainText(/takes (?:\d+|all)/);
  await form.getByLabel("Name", { exact: true }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
  return new URL(page.url()).pathname;
}

async function startReview(page: Page, queue: string): Promise<void> {
  await page.goto(queue);
  await page.getByRole("button", { name: "Review next" }).press("Enter");
  await expect(page).toHaveURL(/\/items\/\d+$/);
  await expectReady(page);
}

async function expectReady(page: Page): Promise<void> {
  // Playwright always considers a fieldset enabled.
  await expect(page.locator("fieldset.review-fields:enabled")).toBeVisible();
}

/** Slow machines render steps again after their page. A sampled trial may have none. */
async function expectKeepsStep(page: Page): Promise<void> {
  const step = page.locator(".step-current");
  const main = page.getByRole("main");
  await expect(step.or(main.getByText("No trace."))).toBeVisible();
  if (!(await step.isVisible())) return expect(main).toBeFocused();
  await step.evaluate((one) => one.replaceWith(one.cloneNode(true)));
  await expect(step.getByRole("link").and(page.locator(":focus"))).toHaveCount(1);
}

/** Saves by key and waits for the next trial or the end of the queue. */
async function goOn(page: Page): Promise<void> {
  const before = page.url();
  await page.keyboard.press("Control+Enter");
  await expect(page).not.toHaveURL(before);
}

/** The page as sent by the server, and as in the browser. */
async function readWhole(page: Page): Promise<string> {
  const answer = await page.request.get(page.url());
  // Scripts of earlier pages stay in the document, and a queue's own page names its agents.
  const drawn = await page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    for (const script of copy.querySelectorAll("script")) script.remove();
    return copy.outerHTML;
  });
  return `${await answer.text()}\n${drawn}`;
}

function expectBlind(whole: string): void {
  const found = [...NAMES, "reward.txt", "reward.json"].flatMap((name) => {
    const at = whole.toLowerCase().indexOf(name.toLowerCase());
    return at === -1 ? [] : whole.slice(Math.max(0, at - 80), at + 80);
  });
  expect(found).toEqual([]);
}

/** Records every mouse, pen and touch event of the session. */
async function countPointers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const kind of ["pointerdown", "mousedown", "touchstart", "wheel"])
      addEventListener(kind, () => sessionStorage.setItem("pointers", kind), { capture: true });
  });
}

const { numRuns: TRIALS } = planRuns({ short: 2, long: 60 });

test("two reviewers work through a queue by keyboard, blind to names, verifier and each other", async ({
  browser,
}) => {
  test.setTimeout(30_000 + TRIALS * 20_000);
  const jobs = TRIALS > 10 ? undefined : [JOB];
  await withAssay(
    async ({ url }) => {
      const ada = await openAs(browser, url, "Ada");
      const ines = await openAs(browser, url, "Ines");
      for (const page of [ada, ines]) await countPointers(page);
      const list = TRIALS > 10 ? `${url}/trials` : `${url}/jobs/${JOB}?tab=trials`;
      const queue = await makeQueue(ada, list, { size: TRIALS, double: 100 });
      for (const [page, verdicts] of [
        [ada, ["1", "2"]],
        [ines, ["1", "1"]],
      ] as const) {
        await startReview(page, queue.startsWith("http") ? queue : url + queue);
        for (let nth = 0; nth < TRIALS; nth += 1) {
          await expectReady(page);
          if (TRIALS <= 10) expectBlind(await readWhole(page));
          await expect(page.getByRole("main")).toContainText("hidden until you save");
          await expect(page.getByRole("main")).not.toContainText("reviewer:");
          await expect(
            page.getByText(`Trial ${String(nth + 1)} of ${String(TRIALS)} of the queue`),
          ).toHaveCount(1);
          // The focus is always somewhere: at the opened step, or at the page until it loads.
          await expect(
            page.locator("a.step-number[aria-current=step], main").and(page.locator(":focus")),
          ).toHaveCount(1);
          await expectKeepsStep(page);
          await page.keyboard.press(verdicts[nth % 2] ?? "1");
          await page.keyboard.press("Shift+Digit1");
          await goOn(page);
        }
        await expect(page).toHaveURL(new RegExp(`${queue}$`));
        await expect(page.getByRole("main")).toContainText(`${String(TRIALS)} of ${String(TRIALS)}`);
      }
      for (const page of [ada, ines])
        expect(await page.evaluate(() => sessionStorage.getItem("pointers"))).toBeNull();
      // Hidden parts appear once the reviewer saves, and both judgments are side by side.
      const table = ada.getByRole("table", { name: "Trials of the queue" });
      await ada.goto(url + queue);
      await expect(table).toContainText(`Conflict ${String(TRIALS / 2)}`);
      expect(await findViolations(ada)).toEqual([]);
      await expect(table).toContainText("Pass");
      const exported = await ada.request.get(`${url}/annotations/export`);
      expect(readJudgmentLines(await exported.text())).toHaveLength(2 * TRIALS);
    },
    undefined,
    jobs,
  );
});

test("a save succeeds although its queue was closed meanwhile @long", async ({ browser }) => {
  await withFewJobs(async ({ url }) => {
    const ada = await openAs(browser, url, "Ada");
    const ines = await openAs(browser, url, "Ines");
    const queue = await makeQueue(ada, `${url}/jobs/${JOB}?tab=trials`, { size: 2, double: 0 });
    await startReview(ada, url + queue);
    await ines.goto(url + queue);
    await ines.getByRole("button", { name: "Close queue" }).press("Enter");
    await expect(ines.getByRole("button", { name: "Open again" })).toBeVisible();
    await ada.keyboard.press("1");
    await goOn(ada);
    await expect(ada).toHaveURL(new RegExp(`${queue}$`));
    const exported = await ada.request.get(`${url}/annotations/export`);
    expect(readJudgmentLines(await exported.text())).toHaveLength(1);
  });
});

test("the next trial is prefetched during review, and opens with the save only @long", async ({
  browser,
}) => {
  await withFewJobs(async ({ url }) => {
    const ada = await openAs(browser, url, "Ada");
    const queue = await makeQueue(ada, `${url}/jobs/${JOB}?tab=trials`, { size: 3, double: 0 });
    await startReview(ada, url + queue);
    await ada.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/items/2?")),
    );
    // No page is requested from here on.
    await ada.route(/items\/2\?/, (route) => route.abort());
    await ada.keyboard.press("1");
    await goOn(ada);
    await expect(ada).toHaveURL(/items\/2$/);
    await expectReady(ada);
    await expect(ada.getByRole("main")).toContainText("2 of 3");
  });
});

test("in a queue, u undoes only the judgment just saved, also at its end", async ({ browser }) => {
  await withFewJobs(async ({ url }) => {
    const ada = await openAs(browser, url, "Ada");
    const ines = await openAs(browser, url, "Ines");
    const queue = await makeQueue(ada, `${url}/jobs/${JOB}?tab=trials`, { size: 2, double: 100 });
    // Fields do not move once the lease is known.
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (answer = resolve));
    await ada.route(/items\/1$/, async (route) => {
      if (route.request().method() === "POST") await isAsked;
      await route.continue();
    });
    await startReview(ada, url + queue);
    const note = ada.getByLabel("Note");
    await expect(ada.getByText("Asking for this trial…")).toBeVisible();
    await ada.getByRole("button", { name: "Whole form" }).click();
    const place = await note.boundingBox();
    answer();
    await expect(ada.getByText("Reserved for you while this page is open.")).toBeVisible();
    expect(await note.boundingBox()).toEqual(place);
    await ada.unrouteAll();
    await ada.keyboard.press("1");
    await goOn(ada);
    await expect(ada).toHaveURL(/items\/2$/);
    await expectReady(ada);
    await expect(ada.locator(".review-saved")).toHaveText("Saved: Pass, trial 1.");
    await ines.goto(`${url}${queue}/items/2`);
    await expectReady(ines);
    await ines.getByRole("button", { name: "Whole form" }).click();
    await expect(ines.getByRole("button", { name: /^Undo/ })).toBeDisabled();

    await ada.keyboard.press("u");
    await expect(ada).toHaveURL(/items\/1$/);
    await expect(ada.getByText(/^Undone: your judgment of this trial. Trial 1 of 2/)).toHaveCount(1);
    await expect(ada.getByRole("button", { name: /^Pass/ })).toHaveAttribute("aria-pressed", "false");
    await expect(ada.getByRole("main")).toContainText("hidden until you save");
    for (const place of [1, 2]) {
      await expect(ada).toHaveURL(new RegExp(`items/${String(place)}$`));
      await expectReady(ada);
      await ada.keyboard.press("1");
      await goOn(ada);
    }
    await expect(ada).toHaveURL(new RegExp(`${queue}$`));
    await expect(ada.getByRole("main")).toContainText("2 of 2 reviewed by you");
    await expect(ada.getByText("Saved: Pass, trial 2.")).toBeVisible();
    await ada.keyboard.press("u");
    await expect(ada).toHaveURL(/items\/2$/);
    await ada.goto(url + queue);
    await expect(ada.getByRole("main")).toContainText("1 of 2 reviewed by you");
    await expect(ada.getByRole("button", { name: "Undo last" })).toHaveCount(0);
  });
});
