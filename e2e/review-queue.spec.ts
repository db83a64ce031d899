import type { Browser, Page } from "@playwright/test";

import { planRuns } from "../lib/testing/plan-runs";
import { expect, test, withAssay, withFewJobs } from "./fixtures/app";
import { findViolations } from "./fixtures/axe";
import { readJudgmentLines } from "./fixtures/judgment-lines";

const JOB = "tb2-orca-next";
/** What the sample job's agent and model are called, and the job itself. */
const NAMES = ["orca", "meridian", JOB];

/** A browser of its own for a reviewer, who gave the name there before. */
async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "assay-name", value: `${name}/`, url }]);
  return context.newPage();
}

/** Makes a queue of the list at an address, with the form as it is but for its name, size and share of double review. */
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
  // Playwright takes a fieldset for enabled always.
  await expect(page.locator("fieldset.review-fields:enabled")).toBeVisible();
}

/** A slow machine draws steps once more after their page: they take nobody's place away. A trial drawn for the queue may have none. */
async function expectKeepsStep(page: Page): Promise<void> {
  const step = page.locator(".step-current");
  const main = page.getByRole("main");
  await expect(step.or(main.getByRole("heading", { name: "No trajectory" }))).toBeVisible();
  if (!(await step.isVisible())) return expect(main).toBeFocused();
  await step.evaluate((one) => one.replaceWith(one.cloneNode(true)));
  await expect(step.getByRole("link").and(page.locator(":focus"))).toHaveCount(1);
}

/** Saves by key and waits for the next trial, or for the end of the queue. */
async function goOn(page: Page): Promise<void> {
  const before = page.url();
  await page.keyboard.press("Control+Enter");
  await expect(page).not.toHaveURL(before);
}

/** What the server sends of the page, and what the browser has of it by now. */
async function readWhole(page: Page): Promise<string> {
  const answer = await page.request.get(page.url());
  // Scripts that an earlier page came with stay in the document: a queue's own page says what was drawn of whom.
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

/** Notes every event of a mouse, pen or finger in the page's session. */
async function countPointers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    for (const kind of ["pointerdown", "mousedown", "touchstart", "wheel"])
      addEventListener(kind, () => sessionStorage.setItem("pointers", kind), { capture: true });
  });
}

const { numRuns: TRIALS } = planRuns({ short: 2, long: 60 });

test("two reviewers go through a queue by keyboard alone, and neither sees names, verifier or the other before", async ({
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
          // Nobody stands nowhere: at the step where the trial is opened, or at its page until that is there.
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
      // What was hidden is shown once one's own judgment is saved, and the two stand side by side.
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

test("a save is one although its queue was closed meanwhile @long", async ({ browser }) => {
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

test("the next trial was read ahead while one judges, and opens with the save alone @long", async ({
  browser,
}) => {
  await withFewJobs(async ({ url }) => {
    const ada = await openAs(browser, url, "Ada");
    const queue = await makeQueue(ada, `${url}/jobs/${JOB}?tab=trials`, { size: 3, double: 0 });
    await startReview(ada, url + queue);
    await ada.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/items/2?")),
    );
    // From here on the server is asked for no page.
    await ada.route(/items\/2\?/, (route) => route.abort());
    await ada.keyboard.press("1");
    await goOn(ada);
    await expect(ada).toHaveURL(/items\/2$/);
    await expectReady(ada);
    await expect(ada.getByRole("main")).toContainText("2 of 3");
  });
});

test("in a queue u undoes the judgment that was just saved, at its end too, and nobody else's", async ({
  browser,
}) => {
  await withFewJobs(async ({ url }) => {
    const ada = await openAs(browser, url, "Ada");
    const ines = await openAs(browser, url, "Ines");
    const queue = await makeQueue(ada, `${url}/jobs/${JOB}?tab=trials`, { size: 2, double: 100 });
    // Fields stand where they stay, before it is known whose the trial is.
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (answer = resolve));
    await ada.route(/items\/1$/, async (route) => {
      if (route.request().method() === "POST") await isAsked;
      await route.continue();
    });
    await startReview(ada, url + queue);
    const note = ada.getByLabel("Note");
    await expect(ada.getByText("Asking for this trial…")).toBeVisible();
    const place = await note.boundingBox();
    answer();
    await expect(ada.getByText("This trial is yours while the page is open.")).toBeVisible();
    expect(await note.boundingBox()).toEqual(place);
    await ada.unrouteAll();
    await ada.keyboard.press("1");
    await goOn(ada);
    await expect(ada).toHaveURL(/items\/2$/);
    await expectReady(ada);
    await expect(ada.locator(".review-saved")).toHaveText("Saved: Pass, trial 1.");
    await ines.goto(`${url}${queue}/items/2`);
    await expectReady(ines);
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
