import type { Page } from "@playwright/test";

import { storeLabelledQueue } from "@/lib/testing/labelled-queue";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { expect, test, withFewJobs } from "./fixtures/app";
import { endTransitions, findViolations } from "./fixtures/axe";
import { findOutOfReach, readWalk, startWalk, STOPS } from "./fixtures/reach";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** `menu`: what is open while axe looks, by its words. `link`: what of the page leads to the one that axe looks at. */
const PAGES: readonly (readonly [
  name: string,
  address: (trial: string) => string,
  menu?: string | undefined,
  link?: string,
])[] = [
  ["jobs", () => "/"],
  ["jobs, nothing found", () => "/?q=nothing-has-this-name"],
  ["jobs, filter menu", () => "/", "Status"],
  ["job", () => "/jobs/tb2-baseline"],
  ["job, trials", () => "/jobs/tb2-baseline?tab=trials"],
  ["job, verification", () => "/jobs/tb2-baseline?tab=verification"],
  ["job, dimensions", () => "/jobs/tb2-baseline?tab=dimensions&family=build-cython-ext"],
  ["job, dimensions beside another job", () => "/jobs/tb2-orca-next?tab=dimensions&with=tb2-baseline"],
  ["job, dimensions as counts", () => "/jobs/voltage-drop-aec?tab=dimensions&as=table"],
  ["job, errors", () => "/jobs/tb2-baseline?tab=errors"],
  ["job, configuration", () => "/jobs/tb2-baseline?tab=config"],
  ["job, damaged", () => "/jobs/archive-damaged"],
  ["job, running", () => "/jobs/tb2-canary-running"],
  ["job, rubric", () => "/jobs/voltage-drop-aec?tab=rubric&rollup=min"],
  ["all trials", () => "/trials?q=the"],
  ["trial", (trial) => `/jobs/${JOB}/trials/${trial}`],
  ["trial, evaluation", (trial) => `/jobs/${JOB}/trials/${trial}?tab=evaluation`],
  ["trial, go to menu", (trial) => `/jobs/${JOB}/trials/${trial}`, "Go to"],
  ...["steps", "tests", "files&file=result.json", "log", "config"].map(
    (tab) => [`trial, ${tab}`, (trial: string) => `/jobs/${JOB}/trials/${trial}?tab=${tab}`] as const,
  ),
  ["side by side, one chosen", (trial) => `/beside?a=${JOB}/${trial}`],
  ...["trajectory", "tests", "files"].map(
    (tab) =>
      [
        `side by side, ${tab}`,
        (trial: string) => `/beside?a=${JOB}/${trial}&b=${JOB}/${trial}&show=all&tab=${tab}`,
      ] as const,
  ),
  ["compare, nothing chosen", () => "/compare"],
  [
    "compare, two groups",
    () => `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix`,
  ],
  [
    "compare, curves as a table",
    () =>
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&view=table`,
  ],
  [
    "compare, three groups, colours",
    () =>
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&g=tb2-baseline:lamp__halyard-2__terminal-mix&colour=cost`,
  ],
  [
    "compare, order menu",
    () =>
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&g=tb2-baseline:lamp__halyard-2__terminal-mix`,
    "Order",
  ],
  [
    "compare, save menu",
    () => `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix`,
    "Save",
  ],
  ["datasets", () => "/datasets"],
  ["leaderboard", () => "/datasets/terminal-mix"],
  ["leaderboard, columns menu", () => "/datasets/terminal-mix", "Columns"],
  ["triage", () => "/errors"],
  ["cluster of failures", () => "/errors", undefined, "Cluster"],
  ["exceptions", () => "/errors/exceptions?open=AgentTimeoutError"],
  ["scanners", () => "/errors/scanners?open=tests-edited"],
  ["taxonomy", () => "/errors/taxonomy"],
  ["task", () => "/tasks/hmac-log-audit?dataset=terminal-mix"],
  ["history", () => "/datasets/terminal-mix?tab=history"],
  ["task health", () => "/datasets/terminal-mix?tab=health"],
  ["annotations", () => "/annotations"],
  ["conflicts, none", () => "/annotations/conflicts"],
  ["queues, none", () => "/annotations/queues"],
  ["new queue", () => `/annotations/queues/new?job=${JOB}`],
  ["import", () => "/annotations/import"],
  ["codebook", () => "/annotations/codebook?open=environment"],
  ["codebook, new category", () => "/annotations/codebook?open=new:"],
  ["codebook, open coding", () => "/annotations/codebook?tab=coding"],
  ["codebook, history", () => "/annotations/codebook?tab=history"],
  ["codebook, file", () => "/annotations/codebook?tab=file"],
  ["annotations, recorded in files", () => "/annotations/recorded"],
  ["verifier, without labels", () => "/annotations/verifier"],
  ["job, ledger", () => "/jobs/voltage-drop-panel"],
  ["trial, ledger", () => "/jobs/voltage-drop-panel/trials/submain-meridian-2"],
  ["load report", () => "/load-report"],
  ["saved views", () => "/views"],
  ["help", () => "/help"],
  ["guide, with tables", () => "/help/figures"],
  ["guide, with commands", () => "/help/scanners"],
  ["not found", () => "/no-such-page"],
];

/** A list, charts, a form, what opens in a list, and prose: other pages are of the same parts. A trial and a queue's are looked at below. */
const ONCE: ReadonlySet<string> = new Set([
  "jobs",
  "compare, two groups",
  "new queue",
  "codebook",
  "guide, with tables",
]);

/** Rows of a table are alike, and what is there costs axe time even where it does not look. */
const LATER_ROWS = "tbody tr:nth-child(n + 13)";

for (const [at, [name, address, menu, link]] of PAGES.entries()) {
  const tag = ONCE.has(name) ? "" : " @long";
  // Of a theme only the colours are its own: in a short run each page has one of them.
  const theme = IS_LONG_RUN ? undefined : at % 2 === 0 ? "light" : "dark";
  test(`axe finds nothing in any theme, and nothing is out of reach: ${name}${tag}`, async ({
    page,
    assay,
  }) => {
    const [trial] = readFailedTrials(assay.jobsFolder, JOB);
    const response = await page.goto(address(trial?.name ?? ""));
    expect(response?.status()).toBe(name === "not found" ? 404 : 200);
    if (link !== undefined) {
      const away = await page.getByRole("link", { name: link, exact: true }).getAttribute("href");
      expect(away).not.toBeNull();
      expect((await page.goto(away ?? ""))?.status()).toBe(200);
    }
    await checkPage(page, menu, theme);
  });
}

/** @param theme - the one to look in; both when absent */
async function checkPage(page: Page, menu?: string, theme?: "light" | "dark"): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  const goDark = async (): Promise<void> => {
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await endTransitions(page);
  };
  if (theme === "dark") await goDark();
  await openMenu(page, menu);
  await page.locator(LATER_ROWS).evaluateAll((rows) => rows.forEach((row) => row.remove()));
  // Where a menu is open it is looked at alone: its page is among those without.
  const within = menu === undefined ? undefined : "details[data-menu][open]";
  expect(await findViolations(page, { within })).toEqual([]);
  if (menu === undefined) expect(await findOutOfReach(page)).toEqual([]);
  if (theme === undefined) {
    await goDark();
    await openMenu(page, menu);
    await endTransitions(page);
    expect(await findViolations(page, { within, isAgain: true })).toEqual([]);
  }
  // A page that broke down has nothing to find either.
  await expect(page.getByText("This page cannot be shown")).toHaveCount(0);
}

/** A click elsewhere closes what is open. */
async function openMenu(page: Page, words: string | undefined): Promise<void> {
  if (words === undefined) return;
  const menus = page.getByRole("main").locator("details[data-menu]");
  const menu = menus.filter({ has: page.locator("summary", { hasText: words }) }).first();
  await menu.locator("summary").press("Enter");
  await expect(menu).toHaveAttribute("open");
}

test("two reviewers' queue, labels and conflict: nothing of them is out of reach, and screen readers are told of the save", async ({
  page,
}) => {
  let queue = "";
  let trial = "";
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/jobs/${JOB}/trials/${trial}`);
      const form = page.getByRole("form", { name: "Review" });
      await form.getByRole("button", { name: /^Pass/ }).click();
      await form.getByRole("button", { name: "Save", exact: true }).click();
      // What is missing is said, and the focus is there.
      await expect(form.getByLabel("Reviewer", { exact: true })).toBeFocused();
      await expect(form.getByLabel("Reviewer", { exact: true })).toHaveAccessibleDescription(/\w/);
      await form.getByLabel("Reviewer", { exact: true }).fill("Ben Example");
      await form.getByRole("button", { name: "Save", exact: true }).click();
      await expect(form.getByRole("status").first()).toHaveText(/^Saved/);
      const others = [
        "/annotations",
        "/annotations/conflicts",
        "/annotations/queues",
        `/annotations/queues/${queue}`,
        "/annotations/verifier",
      ];
      for (const address of [
        `/jobs/${JOB}/trials/${trial}`,
        `/annotations/queues/${queue}/items/2`,
        ...(IS_LONG_RUN ? others : []),
      ]) {
        // Without the theme of the page before.
        await page.evaluate(() => localStorage.clear());
        await page.goto(url + address);
        await test.step(address, () => checkPage(page));
      }
    },
    async ({ jobsFolder, dataFolder }) => {
      const failed = readFailedTrials(jobsFolder, JOB).slice(0, 4);
      trial = failed[0]?.name ?? "";
      const list = failed.map(({ name, task, agent, model }, at) => ({
        ...{ jobName: JOB, trialName: name, taskName: task, agent, model },
        ...{ hasPassed: false, judgment: at < 2 ? ("fail" as const) : null, isDrawn: true },
      }));
      const source = { source: `Trials of ${JOB}`, sourceHref: `/jobs/${JOB}?tab=trials` };
      queue = await storeLabelledQueue(dataFolder, list, { name: "Audit", method: "random", ...source });
    },
  );
});

test("what opens above a page holds the focus, passes axe, closes with Escape and gives the focus back", async ({
  page,
}) => {
  await page.goto("/");
  const openers = [
    {
      opener: page.getByRole("button", { name: /^Search/ }),
      layer: page.getByRole("dialog", { name: "Search" }),
    },
    {
      opener: page.getByRole("button", { name: "Keyboard shortcuts" }),
      layer: page.getByRole("dialog", { name: "Keyboard shortcuts" }),
    },
    {
      opener: page.locator("summary", { hasText: "Status" }),
      layer: page.locator("details[data-menu][open]"),
    },
  ];
  for (const theme of IS_LONG_RUN ? ["light", "dark"] : ["light"]) {
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    for (const { opener, layer } of openers) {
      await expect(async () => {
        await opener.press("Enter");
        await expect(layer).toBeVisible({ timeout: 2_000 });
      }).toPass();
      const within = "dialog[open], #key-sheet:popover-open, details[data-menu][open]";
      expect(await findViolations(page, { within, isAgain: theme === "dark" })).toEqual([]);
      await page.keyboard.press("Tab");
      // From the last stop of a modal dialog the focus goes on to the browser's own.
      const isWithin = (one: Element) =>
        one.contains(document.activeElement) || document.activeElement === document.body;
      expect(await layer.evaluate(isWithin)).toBe(true);
      await page.keyboard.press("Escape");
      await expect(layer).toBeHidden();
      await expect(opener).toBeFocused();
    }
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
  }
});

test("a filter's count is told to screen readers where it stands", async ({ page }) => {
  await page.goto("/jobs/tb2-baseline?tab=trials");
  const count = page.getByRole("search", { name: "This page" }).getByRole("status");
  await expect(count).toHaveText("360 trials");
  // An element that is drawn anew with its words says nothing.
  await count.evaluate((one) => (one.dataset["kept"] = ""));
  await page.getByRole("searchbox", { name: "Search trials" }).fill("cron-drift");
  await page.keyboard.press("Enter");
  await expect(count).toHaveText(/^\d+ of 360 trials$/);
  await expect(count).toHaveAttribute("data-kept");
});

for (const [name, address, width] of [
  ["trial", (trial: string) => `/jobs/${JOB}/trials/${trial}`, 1440],
  ["codebook", () => "/annotations/codebook?open=environment", 720],
  ["jobs", () => "/", 390],
  ["triage", () => "/errors", 390],
] as const) {
  const tag = name === "jobs" ? "" : " @long";
  test(`Tab reaches everything in the order in which it is seen and Shift+Tab leads back: ${name} at ${width} px${tag}`, async ({
    page,
    assay,
  }) => {
    const [trial] = readFailedTrials(assay.jobsFolder, JOB);
    await page.setViewportSize({ width, height: 900 });
    await page.goto(address(trial?.name ?? ""));
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await page.locator(LATER_ROWS).evaluateAll((rows) => rows.forEach((row) => row.remove()));
    // What a page sends after its frame is in it.
    await expect.poll(() => page.locator(STOPS).count()).toBeGreaterThan(20);
    for (const key of ["Tab", "Shift+Tab"]) {
      const nStops = await page.locator(STOPS).evaluateAll(startWalk);
      for (let pressed = 0; pressed < nStops + 20; pressed += 1) await page.keyboard.press(key);
      expect(await page.evaluate(readWalk, key === "Tab")).toEqual([]);
    }
  });
}
