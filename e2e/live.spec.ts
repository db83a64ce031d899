import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { type Assay, expect as expectAtOnce, test, withFewJobs } from "./fixtures/app";
import { expectAccessible } from "./fixtures/axe";
import { startCuttingProxy } from "./fixtures/cutting-proxy";
import { copyJob } from "./fixtures/job-folders";
import { readFailedTrials } from "./fixtures/recorded-trials";

// Each test changes the folders, so each has its own server. None reloads a page.

const JOB = "tb2-orca-next";
/** Trials of a copy; a small job suffices. */
const FEW = { nTrials: 3 };

// Scans take a fixed share of the time, so a busy machine scans rarely.
test.describe.configure({ timeout: 240_000 });
const expect = expectAtOnce.configure({ timeout: 60_000 });

/** Replaces a file, because the folder has hard links to the samples. */
function rewrite(path: string, edit: (text: string) => string): void {
  const text = edit(readFileSync(path, "utf8"));
  rmSync(path);
  writeFileSync(path, text);
}

function rewardPath({ jobsFolder }: Assay, trial: string): string {
  return join(jobsFolder, JOB, trial, "result.json");
}

/** Fails if the page was reloaded since. */
async function markPage(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => (document.documentElement.dataset["mark"] = "same"));
  return async () => expect(page.locator("html")).toHaveAttribute("data-mark", "same");
}

test("two open tabs follow a job that appears and disappears @long", async ({ page, context }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const other = await context.newPage();
    await other.goto(url);
    await page.goto(url);
    await expect(page.getByRole("link", { name: "legacy-2025", exact: true })).toBeVisible();
    const checks = await Promise.all([page, other].map(markPage));
    copyJob(jobsFolder, JOB, "added-later", FEW);
    for (const tab of [page, other]) {
      await expect(tab.getByRole("link", { name: "added-later", exact: true })).toBeVisible();
    }
    rmSync(join(jobsFolder, "added-later"), { recursive: true });
    for (const tab of [page, other]) {
      await expect(tab.getByRole("link", { name: "added-later", exact: true })).toHaveCount(0);
    }
    for (const check of checks) await check();
  });
});

test("a changed file is shown, and typed text, focus, selection and scroll position stay", async ({
  page,
}) => {
  await withFewJobs(async (assay) => {
    const [trial] = readFailedTrials(assay.jobsFolder, JOB);
    if (trial === undefined) throw new Error("the sample job has no failed trial");
    await page.setViewportSize({ width: 1280, height: 480 });
    await page.goto(`${assay.url}/jobs/${JOB}/trials/${trial.name}`);
    const check = await markPage(page);
    const panel = page.getByRole("form", { name: "Review" });
    const note = panel.getByLabel("Note");
    await panel.getByRole("button", { name: /^Pass/ }).click();
    await note.click();
    await page.keyboard.type("half a sent");
    await page.evaluate(() => {
      window.scrollTo(0, 200);
      const heading = document.querySelector("h1");
      if (heading !== null) getSelection()?.selectAllChildren(heading);
    });
    await note.focus();
    // The text in the window stays in place, even if a line above it gets longer.
    const shown = await page.evaluateHandle(() => document.elementFromPoint(600, 320));
    const readPlace = () =>
      shown.evaluate((element) => ({
        top: Math.round(element?.getBoundingClientRect().top ?? Number.NaN),
        text: String(document.getSelection()),
      }));
    const before = await readPlace();
    const crumbs = await page.locator(".crumbs").elementHandle();

    rewrite(rewardPath(assay, trial.name), (text) => text.replace(/"reward":\s*0\.0/, '"reward": 0.625'));
    await expect(page.getByRole("main")).toContainText("0.625");

    await check();
    await expect(note).toBeFocused();
    await expect(note).toHaveValue("half a sent");
    await expect(panel.getByRole("button", { name: /^Pass/ })).toHaveAttribute("aria-pressed", "true");
    expect(await readPlace()).toEqual(before);
    expect(await crumbs.evaluate((element) => element.isConnected)).toBe(true);
    // The selection is in the heading, so typing needs the caret back first.
    await note.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("ence");
    await expect(note).toHaveValue("half a sentence");
  });
});

test("an open menu, a half-typed filter and the focus in a list survive a change @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.goto(url);
    const menu = page.locator("details[data-menu]").first();
    await menu.locator("summary").click();
    await expect(menu).toHaveAttribute("open", "");
    copyJob(jobsFolder, JOB, "added-later", FEW);
    await expect(page.getByRole("link", { name: "added-later", exact: true })).toBeVisible();
    await expect(menu).toHaveAttribute("open", "");
    await page.keyboard.press("Escape");
    const row = page.getByRole("link", { name: "legacy-2025", exact: true });
    await row.focus();
    rmSync(join(jobsFolder, "added-later"), { recursive: true });
    await expect(page.getByRole("link", { name: "added-later", exact: true })).toHaveCount(0);
    await expect(row).toBeFocused();
  });
});

test("the open page of a deleted job says so and links back @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    copyJob(jobsFolder, JOB, "short-lived", FEW);
    await page.goto(url);
    await page.getByRole("link", { name: "short-lived", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "short-lived" })).toBeVisible();
    rmSync(join(jobsFolder, "short-lived"), { recursive: true });
    await expect(page.getByRole("main")).toContainText(/not in the open folders|no such/i);
    await page.getByRole("main").getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  });
});

test("reading many trials shows progress in place and is announced once @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.goto(url);
    await expect(page.getByRole("link", { name: "legacy-2025", exact: true })).toBeVisible();
    // All are read by now, so the next announcement is about the new ones.
    await expect(page.locator(".index-progress")).toHaveCount(0);
    const check = await markPage(page);
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(`${url}/load-report`);
    const seenElsewhere = elsewhere.waitForSelector(
      ".topbar >> text=/Reading: [\\d,]+ of 2,000 trials left/",
    );
    await page.evaluate(() => {
      const seen: string[] = [];
      const heard: string[] = [];
      const poll = (): void => {
        const progress = document.querySelector(".index-progress")?.textContent ?? "";
        if (progress !== "" && seen.at(-1) !== progress) seen.push(progress);
        const news = document.querySelector(".live-news")?.textContent ?? "";
        if (news !== "" && heard.at(-1) !== news) heard.push(news);
      };
      new MutationObserver(poll).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      Object.assign(window, { seen, heard });
    });
    const made = join(jobsFolder, "..", "made");
    mkdirSync(made);
    writeSyntheticJobs(made, { trials: 2000, jobs: 6, seed: 3 });
    renameSync(made, join(jobsFolder, "many"));
    await expect(page.getByRole("link", { name: "bench-0005", exact: true })).toBeVisible();
    const readSeen = () =>
      page.evaluate(() => {
        const { seen, heard } = Object.assign({ seen: [""], heard: [""] }, window);
        return { seen, heard };
      });
    await expect.poll(async () => (await readSeen()).heard.at(-1)).toBe("All job folders have been read.");
    const { seen, heard } = await readSeen();
    expect(seen.some((words) => /^Reading: [\d,]+ of 2,000 trials left/.test(words))).toBe(true);
    await seenElsewhere;
    for (const tab of [page, elsewhere]) await expect(tab.locator(".index-progress")).toHaveCount(0);
    expect(heard.slice(-2)).toEqual(["Reading job folders.", "All job folders have been read."]);
    await check();
  });
});

test("a change causes one request per open page, and opening a page prefetches no other @long", async ({
  page,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      const headers = request.headers();
      if (headers["rsc"] === undefined) return;
      const isAhead = headers["next-router-prefetch"] !== undefined;
      asked.push(`${isAhead ? "ahead " : ""}${new URL(request.url()).pathname}`);
    });
    for (const path of ["/", `/jobs/${JOB}`]) {
      await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
      await expect(page.locator(".index-progress")).toHaveCount(0);
      expect(asked.filter((one) => one.startsWith("ahead"))).toEqual([]);
      asked.length = 0;
      const before = await page.locator(".rail-count").first().innerText();
      copyJob(jobsFolder, JOB, "added-later", FEW);
      await expect(page.locator(".rail-count").first()).not.toHaveText(before);
      expect([...new Set(asked)]).toEqual([path]);
      rmSync(join(jobsFolder, "added-later"), { recursive: true });
      await expect(page.locator(".rail-count").first()).toHaveText(before);
      asked.length = 0;
    }
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Compare" }).hover();
    await expect.poll(() => asked).toContain("ahead /compare");
  });
});

test("a page that lost the server says so and recovers automatically @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.goto(url);
    await expect(page.getByRole("link", { name: "legacy-2025", exact: true })).toBeVisible();
    const check = await markPage(page);
    await page.context().setOffline(true);
    // Playwright's offline mode keeps open streams; becoming visible opens a new one.
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, value: true });
      document.dispatchEvent(new Event("visibilitychange"));
      Object.defineProperty(document, "hidden", { configurable: true, value: false });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await expect(page.getByText("Not connected, retrying")).toBeVisible();
    copyJob(jobsFolder, JOB, "meanwhile", FEW);
    await page.context().setOffline(false);
    await expect(page.getByText("Not connected, retrying")).toBeHidden();
    await expect(page.getByRole("link", { name: "meanwhile", exact: true })).toBeVisible();
    await check();
  });
});

test("a page whose refresh gets lost stays, and refreshes later @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.goto(url);
    await expect(page.getByRole("link", { name: "legacy-2025", exact: true })).toBeVisible();
    const check = await markPage(page);
    let nLost = 0;
    await page.route(
      (address) => address.searchParams.has("_rsc"),
      async (route) => {
        nLost += 1;
        await route.abort("connectionreset");
      },
    );
    copyJob(jobsFolder, JOB, "added-later", FEW);
    await expect.poll(() => nLost).toBeGreaterThan(1);
    await page.unrouteAll({ behavior: "wait" });
    await expect(page.getByRole("link", { name: "added-later", exact: true })).toBeVisible();
    await check();
  });
});

test("a page whose refresh breaks off keeps typed text, and refreshes later @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    if (trial === undefined) throw new Error("the sample job has no failed trial");
    const cutting = await startCuttingProxy(url);
    try {
      await page.goto(`${cutting.url}/jobs/${JOB}/trials/${trial.name}`, { waitUntil: "networkidle" });
      const note = page.getByRole("form", { name: "Review" }).getByLabel("Note");
      await page.getByRole("button", { name: "Whole form" }).click();
      await note.fill("half a sent");
      const nJobs = page.locator(".rail-count").first();
      const before = await nJobs.innerText();
      const half = cutting.halveNext();
      copyJob(jobsFolder, JOB, "added-later", FEW);
      const breakOff = await half;
      // Time for the page to start rendering.
      await page.evaluate(() => new Promise((drawn) => requestIdleCallback(drawn)));
      breakOff();
      await expect(nJobs).not.toHaveText(before);
      await expect(note).toHaveValue("half a sent");
    } finally {
      cutting.close();
    }
  });
});

test("a page whose response breaks off is requested again and rendered", async ({ page, few: { url } }) => {
  const cutting = await startCuttingProxy(url);
  try {
    await page.goto(cutting.url, { waitUntil: "networkidle" });
    const half = cutting.halveNext();
    await page
      .getByRole("navigation", { name: "Lists of runs" })
      .getByRole("link", { name: /^Trials/ })
      .press("Enter");
    const breakOff = await half;
    // Time for the page to start rendering.
    await page.evaluate(() => new Promise((drawn) => requestIdleCallback(drawn)));
    breakOff();
    await expect(page.getByRole("table", { name: "Trials of all jobs" })).toBeVisible();
  } finally {
    cutting.close();
  }
});

test("a page that fails twice shows an error with a retry button", async ({ page, assay }) => {
  let nCut = 0;
  await page.route("**/trials?_rsc=*", async (route) => {
    const answer = await route.fetch();
    const isAhead = route.request().headers()["next-router-prefetch"] !== undefined;
    const body = await answer.body();
    const isCut = !isAhead && nCut < 2;
    if (isCut) nCut += 1;
    await route.fulfill({ response: answer, body: isCut ? body.subarray(0, body.length / 2) : body });
  });
  // The page's clock does not advance meanwhile.
  await page.clock.setFixedTime(Date.now());
  await page.goto(assay.url, { waitUntil: "networkidle" });
  await page
    .getByRole("navigation", { name: "Lists of runs" })
    .getByRole("link", { name: /^Trials/ })
    .press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("This page cannot be shown");
  await expect.poll(() => nCut).toBe(2);
  await expect(heading).toHaveText("This page cannot be shown");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Read again" }).press("Enter");
  await expect(page.getByRole("table", { name: "Trials of all jobs" })).toBeVisible();
});

test("a page that cannot render reloads once, then shows an error in its theme", async ({ page, assay }) => {
  // The frame of every page fails as often as the tab is set to.
  await page.addInitScript(() => {
    const left = Number(sessionStorage.getItem("left"));
    sessionStorage.setItem("left", String(left - 1));
    if (left > 0)
      window.EventSource = class extends EventSource {
        constructor(address: string | URL) {
          super(address);
          throw new Error("made by a test");
        }
      };
  });
  const failTimes = (n: number) =>
    page.evaluate((times) => {
      sessionStorage.clear();
      sessionStorage.setItem("left", String(times));
      localStorage.setItem("assay-theme", "dark");
    }, n);
  await page.goto(assay.url);
  await failTimes(1);
  await page.reload();
  await page.waitForFunction(() => sessionStorage.getItem("left") === "-1");
  await expect(page.getByRole("link", { name: JOB, exact: true })).toBeVisible();
  await failTimes(2);
  await page.reload();
  await page.waitForFunction(() => sessionStorage.getItem("left") === "0");
  const said = page.getByRole("alert").filter({ hasText: "made by a test" });
  await expect(said).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expectAccessible(page);
  await said.getByRole("button", { name: "Load again" }).press("Enter");
  await expect(page.getByRole("link", { name: JOB, exact: true })).toBeVisible();
});

test("a hidden page holds no connection and is up to date once visible @long", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    await page.addInitScript(() => {
      const open = new Set<EventSource>();
      window.EventSource = class extends EventSource {
        constructor(address: string | URL) {
          super(address);
          open.add(this);
        }
        override close(): void {
          open.delete(this);
          super.close();
        }
      };
      Object.assign(window, { openSources: open });
    });
    const countOpen = () =>
      page.evaluate(() => Object.assign({ openSources: new Set() }, window).openSources.size);
    const setHidden = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { configurable: true, value });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await page.goto(url);
    await expect.poll(countOpen).toBe(1);
    await setHidden(true);
    expect(await countOpen()).toBe(0);
    copyJob(jobsFolder, JOB, "meanwhile", FEW);
    await setHidden(false);
    expect(await countOpen()).toBe(1);
    await expect(page.getByRole("link", { name: "meanwhile", exact: true })).toBeVisible();
  });
});

test("a save renders its own page and every other open page once @long", async ({ page, context }) => {
  const saveOnce = async ({ url, jobsFolder }: Assay) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    if (trial === undefined) throw new Error("the sample job has no failed trial");
    const other = await context.newPage();
    await other.goto(`${url}/annotations`, { waitUntil: "networkidle" });
    await page.goto(`${url}/jobs/${JOB}/trials/${trial.name}`, { waitUntil: "networkidle" });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.headers()["rsc"] !== undefined) asked.push(request.url());
    });
    // The server's latest event to this page.
    const saved = page.waitForEvent("console", (message) => message.text().includes('"nSaves":1'));
    await page.evaluate(() => {
      const source = new EventSource("/api/events");
      source.addEventListener("status", (event: MessageEvent<string>) => console.log(event.data));
    });
    const panel = page.getByRole("form", { name: "Review" });
    await panel.getByRole("button", { name: /^Pass/ }).click();
    await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
    await saved;
    await expect(other.getByRole("table", { name: "Annotations" })).toContainText(trial.task);
    await page.waitForLoadState("networkidle");
    expect(asked).toEqual([]);
  };
  // All derived details are read before, so only the save changes the pages.
  await withFewJobs(saveOnce, ({ jobsFolder, runCli }) => {
    expect(runCli("index", "--derived-details", jobsFolder).code).toBe(0);
  });
});
