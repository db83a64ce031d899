import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures/app";
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
  ["job", () => "/jobs/tb2-baseline"],
  ["job, trials", () => "/jobs/tb2-baseline?tab=trials"],
  ["job, verification", () => "/jobs/tb2-baseline?tab=verification"],
  ["job, dimensions", () => "/jobs/tb2-baseline?tab=dimensions&family=build-cython-ext"],
  ["job, dimensions beside another job", () => "/jobs/tb2-orca-next?tab=dimensions&with=tb2-baseline"],
  ["job, dimensions as counts", () => "/jobs/voltage-drop-aec?tab=dimensions&as=table"],
  ["job, rubric", () => "/jobs/voltage-drop-aec?tab=rubric&rollup=min"],
  ["all trials", () => "/trials?q=the"],
  ["trial", (trial) => `/jobs/${JOB}/trials/${trial}`],
  ["trial, evaluation", (trial) => `/jobs/${JOB}/trials/${trial}?tab=evaluation`],
  ["compare, nothing chosen", () => "/compare"],
  [
    "compare, two groups",
    () => `/compare?g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix`,
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
  ["exceptions", () => "/errors/exceptions"],
  ["scanners", () => "/errors/scanners"],
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

/** Rows of a table are alike, and what is there costs axe time even where it does not look. */
const LATER_ROWS = "tbody tr:nth-child(n + 13)";

/** What a theme can change. Everything else is the same document in both. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

for (const [name, address, menu, link] of PAGES) {
  test(`axe finds nothing serious in either theme: ${name}`, async ({ page, assay }) => {
    const [trial] = readFailedTrials(assay.jobsFolder, JOB);
    const response = await page.goto(address(trial?.name ?? ""));
    expect(response?.status()).toBe(name === "not found" ? 404 : 200);
    if (link !== undefined) {
      const away = await page.getByRole("link", { name: link, exact: true }).getAttribute("href");
      expect(away).not.toBeNull();
      expect((await page.goto(away ?? ""))?.status()).toBe(200);
    }
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await openMenu(page, menu);
    await page.locator(LATER_ROWS).evaluateAll((rows) => rows.forEach((row) => row.remove()));
    expect(await findSerious(aimAxe(page, menu))).toEqual([]);
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await openMenu(page, menu);
    // Colours change over a moment, and what they are meanwhile is no theme.
    const isChanging = () => document.getAnimations().some((one) => one instanceof CSSTransition);
    await expect.poll(() => page.evaluate(isChanging)).toBe(false);
    expect(await findSerious(aimAxe(page, menu).withRules(COLOUR_RULES))).toEqual([]);
    // A page that broke down has nothing serious either.
    await expect(page.getByText("This page cannot be shown")).toHaveCount(0);
  });
}

/** A click elsewhere closes what is open. */
async function openMenu(page: Page, words: string | undefined): Promise<void> {
  if (words === undefined) return;
  const menus = page.getByRole("main").locator("details[data-menu]");
  const menu = menus.filter({ has: page.locator("summary", { hasText: words }) }).first();
  await menu.locator("summary").press("Enter");
  await expect(menu).toHaveAttribute("open");
}

/** Where a menu is open it is looked at alone: its page is among those without. */
function aimAxe(page: Page, menu: string | undefined): AxeBuilder {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  return menu === undefined ? axe : axe.include("details[data-menu][open]");
}

async function findSerious(axe: AxeBuilder): Promise<string[]> {
  const found: Awaited<ReturnType<AxeBuilder["analyze"]>>[] = [];
  // News of the index have a page that is not found loaded anew, perhaps in the middle of it.
  await expect(async () => {
    found.push(await axe.analyze());
  }).toPass();
  const violations = found.flatMap((one) => one.violations);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join("; ")}`);
}
