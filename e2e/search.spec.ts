import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";

import { expect, test, withFewJobs } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** Opens the search once the page listens. */
async function openSearch(page: Page): Promise<Locator> {
  const dialog = page.getByRole("dialog", { name: "Search" });
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.keyboard.press("Control+k");
    // After a slow first response, the second press may close it again.
    await expect(dialog.getByRole("combobox")).toBeFocused({ timeout: 2000 });
  }).toPass();
  return dialog;
}

/** Opens the first result of a group; for trials of one name in several jobs, that of the named job. */
async function chooseAndOpen(page: Page, text: string, group: string, job = ""): Promise<void> {
  const dialog = await openSearch(page);
  await page.keyboard.type(text);
  const options = dialog.getByRole("group", { name: group }).getByRole("option");
  const best = options.filter({ hasText: job }).first();
  await expect(best).toContainText(text);
  for (let step = 0; step < 40 && (await best.getAttribute("aria-selected")) !== "true"; step += 1) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
}

test("finds each kind by keyboard alone and opens it with the right filter", async ({ page, assay }) => {
  const trials = readRecordedTrials(assay.jobsFolder, JOB);
  const failed = readRecordedTrials(assay.jobsFolder, "tb2-baseline").find(
    (trial) => trial.exception !== null,
  );
  const [trial] = trials;
  if (trial === undefined || failed?.exception == null) throw new Error("the sample jobs changed");

  await page.goto("/load-report");
  await chooseAndOpen(page, JOB, "Jobs");
  await expect(page).toHaveURL(new RegExp(`/jobs/${JOB}$`));
  // Other tests copy jobs into the same folder.
  await chooseAndOpen(page, trial.name, "Trials", JOB);
  await expect(page).toHaveURL(new RegExp(`/jobs/${JOB}/trials/${trial.name}$`));
  // The URL changes before its page replaces the current one.
  await expect(page.getByRole("heading", { level: 1 })).toContainText(trial.task);
  await chooseAndOpen(page, trial.task, "Tasks");
  await expect(page).toHaveURL(new RegExp(`/jobs/[^/]*[?](tab=tasks&)?task=${trial.task}$`));
  await expect(page.getByRole("main")).toContainText(/\b1 of \d+ tasks/);
  await expect(page.getByRole("main").locator(`[data-row-link][title="${trial.task}"]`)).toBeVisible();
  await chooseAndOpen(page, trial.agent, "Agents");
  await expect(page).toHaveURL(new RegExp(`/\\?agent=${trial.agent}$`));
  await chooseAndOpen(page, "meridian-5", "Models");
  await expect(page).toHaveURL(/\/\?model=meridian-5$/);
  await chooseAndOpen(page, failed.exception, "Exception types");
  await expect(page).toHaveURL(new RegExp(`/errors/exceptions\\?.*${failed.exception}`));
  await expect(page.getByRole("main")).toContainText(failed.exception);
  await chooseAndOpen(page, "Go to Compare", "Actions");
  await expect(page).toHaveURL(/\/compare$/);
  // Nothing has this name, so Enter opens the trace search.
  await chooseAndOpen(page, "limited api of", "Traces");
  await expect(page).toHaveURL(/\/trials\?q=%22limited(\+|%20)api(\+|%20)of%22$/);
  await expect(page.getByRole("searchbox", { name: "Search trials" })).toHaveValue('"limited api of"');
});

test("Escape returns the focus, Ctrl Enter opens a new tab, and no results show a message", async ({
  page,
}) => {
  await page.goto("/");
  const filter = page.getByRole("searchbox", { name: "Filter jobs and tasks" });
  await filter.focus();
  const dialog = await openSearch(page);
  await expect(dialog.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("no such thing anywhere");
  await expect(dialog.getByRole("status")).toContainText("No results for “no such thing anywhere”.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(filter).toBeFocused();

  await openSearch(page);
  await page.keyboard.type(JOB);
  const best = dialog.getByRole("group", { name: "Jobs" }).getByRole("option").first();
  // Until the answer comes, the search of traces is selected.
  await expect(best.and(page.locator("[aria-selected=true]"))).toContainText(JOB);
  const opened = page.context().waitForEvent("page");
  await page.keyboard.press("Control+Enter");
  await expect(await opened).toHaveURL(new RegExp(`/jobs/${JOB}$`));
  await expect(dialog).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`the open search, ${colorScheme}`, () => {
    test.use({ colorScheme });
    test("has no serious axe violations @long", async ({ page }) => {
      await page.goto("/");
      const dialog = await openSearch(page);
      await page.keyboard.type("tb2");
      await expect(dialog.getByRole("option").first()).toContainText("tb2");
      const { violations } = await new AxeBuilder({ page }).include("dialog").analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("; ")}`)).toEqual(
        [],
      );
    });
  });
}

test("a view is saved, found, opened, copied and deleted", async ({ page }) => {
  await withFewJobs(async ({ url }) => {
    await page.goto(`${url}/jobs/${JOB}?tab=trials&outcome=failed`);
    const dialog = await openSearch(page);
    await page.keyboard.type("save this view");
    await expect(dialog.getByRole("option").first()).toContainText("Save this view");
    await page.keyboard.press("Enter");
    const name = page.getByLabel("Name of this view");
    await name.fill("   ");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert").filter({ hasText: "Give it a name." })).toBeVisible();
    await name.fill("Orca's failures <b>");
    await page.keyboard.press("Enter");
    await expect(name).toBeHidden();

    await page.goto(url);
    await chooseAndOpen(page, "Orca's failures", "Saved views");
    await expect(page).toHaveURL(`${url}/jobs/${JOB}?tab=trials&outcome=failed`);

    await chooseAndOpen(page, "Go to Saved views", "Actions");
    await expect(page).toHaveURL(`${url}/views`);
    const table = page.getByRole("table", { name: "Saved views" });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await table.getByRole("button", { name: "Copy link to Orca's failures <b>" }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${url}/jobs/${JOB}?tab=trials&outcome=failed`);
    await table.getByRole("button", { name: "Delete Orca's failures <b>" }).click();
    await expect(table).toHaveCount(0);
    await expect(page.getByRole("main")).toContainText("No saved views");
  });
});

test("a list offers its own saved views, and saves one from its menu", async ({ page }) => {
  await withFewJobs(async ({ url }) => {
    await page.goto(`${url}/?by=week`);
    const menu = page.locator("details", { has: page.getByTitle("Saved views of this list") });
    await expect(async () => {
      await menu.locator("summary").press("Enter");
      await menu.getByRole("button", { name: "Save this view" }).press("Enter", { timeout: 1000 });
      await expect(page.getByLabel("Name of this view")).toBeFocused({ timeout: 1000 });
    }).toPass();
    await page.getByLabel("Name of this view").fill("By week");
    await page.keyboard.press("Enter");
    await expect(menu.locator("summary")).toHaveText("By week");
    await menu.locator("summary").press("Enter");
    await menu.getByRole("link", { name: "All jobs" }).press("Enter");
    await expect(page).toHaveURL(`${url}/`);
    await expect(menu.locator("summary")).toHaveText("All jobs");
    await menu.locator("summary").press("Enter");
    await menu.getByRole("link", { name: "By week" }).press("Enter");
    await expect(page).toHaveURL(`${url}/?by=week`);
    await page.goto(`${url}/trials`);
    await expect(page.getByText("By week")).toHaveCount(0);
  });
});
