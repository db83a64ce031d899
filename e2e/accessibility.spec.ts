import type { Page } from "@playwright/test";

import { storeLabelledQueue } from "@/lib/testing/labelled-queue";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { expect, test, withFewJobs } from "./fixtures/app";
import { endTransitions, findViolations } from "./fixtures/axe";
import { findOutOfReach, readWalk, startWalk, STOPS } from "./fixtures/reach";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** `menu`: label of the menu open during the check. `link`: link to the checked page. */
const PAGES: readonly (readonly [
  name: string,
  address: (trial: string) => string,
  menu?: string | undefined,
  link?: string,
])[] = [
  ["jobs", () => "/"],
  ["jobs, nothing found", () => "/?q=nothing-has-this-name"],
  ["jobs, filter menu", () => "/", "Agent"],
  ["job", () => "/jobs/tb2-baseline"],
  ["job, trials", () => "/jobs/tb2-baseline?tab=trials"],
  ["job, verification", () => "/jobs/tb2-baseline?tab=verification"],
  ["job, dimensions", () => "/jobs/tb2-baseline?tab=dimensions&family=build-cython-ext"],
  ["job, dimensions beside another job", () => "/jobs/tb2-orca-next?tab=dimensions&with=tb2-baseline"],
  ["job, exceptions to run again", () => "/jobs/tb2-orca-next", "Re-run failed"],
  ["job, tasks", () => "/jobs/tb2-baseline?tab=tasks"],
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
  ["side by side, one chosen", (trial) => `/diff?a=${JOB}/${trial}`],
  ...["trajectory", "tests", "files"].map(
    (tab) =>
      [
        `side by side, ${tab}`,
        (trial: string) => `/diff?a=${JOB}/${trial}&b=${JOB}/${trial}&show=all&tab=${tab}`,
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
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&tab=curves&view=table`,
  ],
  [
    "compare, three groups, colours",
    () =>
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&g=tb2-baseline:lamp__halyard-2__terminal-mix&colour=cost`,
  ],
  [
    "compare, change menu",
    () =>
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&g=tb2-baseline:lamp__halyard-2__terminal-mix`,
    "change",
  ],
  [
    "compare, save menu",
    () =>
      `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&tab=curves`,
    "Save",
  ],
  ...["cost", "robustness", "conditions"].map(
    (tab) =>
      [
        `compare, ${tab}`,
        () =>
          `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&tab=${tab}`,
      ] as const,
  ),
  ["datasets", () => "/datasets"],
  ["leaderboard", () => "/datasets/terminal-mix"],
  ["leaderboard, columns menu", () => "/datasets/terminal-mix", "Columns"],
  ["triage", () => "/errors"],
  ["failures by agent", () => "/errors?by=agent"],
  ["failures by task", () => "/errors?by=task"],
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
  ["run sets", () => "/run-sets"],
  ["help", () => "/help"],
  ["guide, with tables", () => "/help/figures"],
  ["guide, with commands", () => "/help/scanners"],
  ["not found", () => "/no-such-page"],
];

/**
 * A list, charts, a form, an expanded row, and prose; other pages consist of the same parts. A trial and a queue are checked
 * below.
 */
const ONCE: ReadonlySet<string> = new Set([
  "jobs",
  "compare, two groups",
  "new queue",
  "codebook",
  "guide, with tables",
]);

/** Table rows are alike, and even ignored elements cost axe time. */
const LATER_ROWS = "tbody tr:nth-child(n + 13)";

for (const [at, [name, address, menu, link]] of PAGES.entries()) {
  const tag = ONCE.has(name) ? "" : " @long";
  // Themes differ in colours only, so a short run checks one per page.
  const theme = IS_LONG_RUN ? undefined : at % 2 === 0 ? "light" : "dark";
  test(`no axe violations in any theme, and everything is in reach: ${name}${tag}`, async ({
    page,
    assay,
  }) => {
    const [trial] = readFailedTrials(assay.jobsFolder, JOB);
    const response = await page.goto(address(trial?.name ?? ""));
    expect(response?.status()).toBe(name === "not found" ? 404 : 200);
    if (link !== undefined) {
      const away = await page
        .getByRole("link", { name: link, exact: true, includeHidden: true })
        .getAttribute("href");
      expect(away).not.toBeNull();
      expect((await page.goto(away ?? ""))?.status()).toBe(200);
    }
    await checkPage(page, menu, theme);
  });
}

/** @param theme - checks both if absent */
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
  // Only an open menu is checked; its page is checked without it.
  const within = menu === undefined ? undefined : "details[data-menu][open]";
  expect(await findViolations(page, { within })).toEqual([]);
  if (menu === undefined) expect(await findOutOfReach(page)).toEqual([]);
  if (theme === undefined) {
    await goDark();
    await openMenu(page, menu);
    await endTransitions(page);
    expect(await findViolations(page, { within, isAgain: true })).toEqual([]);
  }
  // A broken page would pass too.
  await expect(page.getByText("This page cannot be shown")).toHaveCount(0);
}

async function openMenu(page: Page, words: string | undefined): Promise<void> {
  if (words === undefined) return;
  const menus = page.getByRole("main").locator("details[data-menu]");
  const menu = menus.filter({ has: page.locator("summary", { hasText: words }) }).first();
  await menu.locator("summary").press("Enter");
  await expect(menu).toHaveAttribute("open");
}

test("two reviewers' queue, labels and conflict are accessible, and saves are announced to screen readers", async ({
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

test("overlays hold the focus, pass axe, close with Escape and return the focus", async ({ page }) => {
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
      opener: page.locator("summary", { hasText: "Agent" }),
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
      // After the last stop of a modal dialog, the browser's own controls get the focus.
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

test("a filter's count is announced to screen readers", async ({ page }) => {
  await page.goto("/jobs/tb2-baseline?tab=trials");
  const count = page.getByRole("search", { name: "This page" }).getByRole("status");
  await expect(count).toHaveText("360 trials");
  // Screen readers ignore an element that is replaced together with its text.
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
    // Includes streamed parts.
    await expect.poll(() => page.locator(STOPS).count()).toBeGreaterThan(20);
    for (const key of ["Tab", "Shift+Tab"]) {
      const nStops = await page.locator(STOPS).evaluateAll(startWalk);
      for (let pressed = 0; pressed < nStops + 20; pressed += 1) await page.keyboard.press(key);
      expect(await page.evaluate(readWalk, key === "Tab")).toEqual([]);
    }
  });
}
