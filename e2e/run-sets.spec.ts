import { renameSync } from "node:fs";
import { join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";
import { linkTree } from "./fixtures/job-folders";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const [FIRST, COPY] = ["tb2-orca-next", "tb2-orca-next-2"];

/** The second job is a renamed copy of the first: repeats by name, with the same rollouts. */
const withCopy = (run: Parameters<typeof withFewJobs>[0]) =>
  withFewJobs(run, ({ jobsFolder }) => linkTree(join(jobsFolder, FIRST), join(jobsFolder, COPY)));

test("jobs that look like repeats are pooled by a rule, named, undone and found again by keyboard, and a new one joins @long", async ({
  page,
}) => {
  await withCopy(async ({ url, jobsFolder }) => {
    await page.goto(url);
    const suggestions = page.getByRole("region", { name: "Jobs that look like repeats" });
    await expect(suggestions).toContainText(`${FIRST} and ${COPY} look like repeats`);
    await suggestions.getByRole("link", { name: "Count 2 together" }).press("Enter");

    const panel = page.getByRole("complementary", { name: "New run set" });
    const name = panel.getByRole("textbox", { name: "Name" });
    await expect(name).toBeFocused();
    await expect(name).toHaveValue(FIRST);
    const nTrials = readRecordedTrials(jobsFolder, FIRST).length;
    await expect(panel).toContainText(
      `${String(nTrials)} trials left out: an earlier run has the same rollout`,
    );
    await expect(panel.getByRole("row", { name: /^Trials/u })).toContainText(String(nTrials));
    await panel.getByRole("checkbox", { name: /^Add new jobs/u }).press("Space");
    await name.fill("orca, both runs");
    await name.press("Enter");

    const done = page.getByRole("status").filter({ hasText: "Counted" });
    await expect(done).toContainText("orca, both runs");
    await expect(done).toContainText("New jobs that match");
    await expect(panel).toHaveCount(0);
    await expect(suggestions).toHaveCount(0);
    const set = page
      .getByRole("row")
      .filter({ has: page.getByRole("checkbox", { name: /^Select run set/u }) });
    await expect(set).toContainText("run set of 2, by rule");
    // A rollout counts once.
    await expect(set).toContainText(String(nTrials));
    const passed = readRecordedTrials(jobsFolder, FIRST).filter(({ reward }) => reward === 1).length;
    const link = set.getByRole("link", { name: String(passed), exact: true });
    await expect(link).toHaveAttribute("href", /^\/trials\?set=[0-9a-f]{8}&outcome=passed$/u);

    await page.keyboard.press("u");
    await expect(page.getByRole("status").filter({ hasText: "was split" })).toBeVisible();
    await expect(set).toHaveCount(0);
    await page.keyboard.press("u");
    await expect(set).toHaveCount(1);

    await link.press("Enter");
    await expect(page.getByRole("main")).toContainText("orca, both runs");
    await expect(page.getByRole("main")).toContainText(`${String(2 * passed)} of`);

    await page.goto(url);
    linkTree(join(jobsFolder, FIRST), join(jobsFolder, `${FIRST}-3`));
    // Its page updates automatically.
    await expect(set).toContainText("run set of 3, 1 new");
  });
});

test("selected jobs are pooled by a key, and the set's name stays in comparisons when a folder is renamed @long", async ({
  page,
}) => {
  await withCopy(async ({ url, jobsFolder }) => {
    await page.goto(url);
    for (const job of [FIRST, "legacy-2025"])
      await page
        .getByRole("checkbox", { name: new RegExp(`^Select .* of ${job}$`, "u") })
        .first()
        .press("Space");
    await page.keyboard.press("p");
    const panel = page.getByRole("complementary", { name: "New run set" });
    // Differences come first.
    await expect(
      panel
        .getByRole("listitem")
        .filter({ has: page.getByRole("img", { name: "differs" }) })
        .first(),
    ).toBeVisible();
    await panel.getByRole("textbox", { name: "Name" }).fill("mixed");
    await page.keyboard.press("Enter");
    const done = page.getByRole("status").filter({ hasText: "Counted" });
    await expect(done).toContainText(`${FIRST}, legacy-2025 together as mixed`);

    await page.getByRole("link", { name: "Compare", exact: true }).last().press("Enter");
    await expect(page).toHaveURL(/\/compare\?g=set:[0-9a-f]{8}$/u);
    const address = `${page.url()}&g=${COPY}:orca__meridian-5__terminal-mix`;
    await page.goto(address);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toContainText("mixed (runs differ)");

    renameSync(join(jobsFolder, "legacy-2025"), join(jobsFolder, "moved"));
    await expect(async () => {
      await page.goto(address);
      await page.locator("summary", { hasText: "change" }).press("Enter");
      await expect(page.getByRole("list", { name: "Run sets" })).toContainText("moved", { timeout: 1000 });
    }).toPass();
    await expect(heading).toContainText("mixed (runs differ)");

    await page.goto(`${url}/run-sets`);
    await page.getByRole("button", { name: "Rename mixed" }).press("Enter");
    await page.getByRole("textbox", { name: "New name of mixed" }).fill("two agents");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Delete two agents" }).press("Enter");
    const undo = page.getByRole("button", { name: "Undo" });
    await expect(undo).toBeFocused();
    await page.goto(address);
    await expect(heading).toContainText("two agents (deleted)");
    await page.locator("summary", { hasText: "change" }).press("Enter");
    await expect(page.getByRole("list", { name: "Run sets" })).toContainText("This set was deleted");
  });
});

test("jobs marked as not repeats are no longer suggested, until undone at once or later @long", async ({
  page,
}) => {
  await withCopy(async ({ url }) => {
    await page.goto(url);
    const suggestions = page.getByRole("region", { name: "Jobs that look like repeats" });
    await suggestions.getByRole("button", { name: "Not repeats" }).press("Enter");
    const done = page.getByRole("status").filter({ hasText: "will not be suggested again" });
    await expect(done).toContainText(`${FIRST}, ${COPY}`);
    await expect(suggestions).toHaveCount(0);
    await page.keyboard.press("u");
    await expect(suggestions).toHaveCount(1);
    await page.keyboard.press("u");
    await expect(suggestions).toHaveCount(0);

    await page.goto(url);
    await expect(page.getByRole("checkbox", { name: /^Select /u }).first()).toBeVisible();
    await expect(suggestions).toHaveCount(0);
    await page.goto(`${url}/run-sets`);
    await expect(page.getByRole("main")).not.toContainText(COPY);
    await page.goto(url);
    await page.getByText("Rule for repeats").press("Enter");
    const later = page.getByRole("list", { name: "Not repeats" });
    await expect(later).toContainText(COPY);
    await later.getByRole("button", { name: "Suggest again" }).press("Enter");
    await expect(suggestions).toContainText(`${FIRST} and ${COPY} look like repeats`);
  });
});

test("a run set with a rule adds a new matching job, and says so @long", async ({ page }) => {
  await withCopy(async ({ url, jobsFolder, runCli, dataFolder }) => {
    await page.goto(url);
    await page.getByRole("link", { name: "Count 2 together" }).press("Enter");
    const panel = page.getByRole("complementary", { name: "New run set" });
    await panel.getByRole("checkbox", { name: /^Add new jobs/u }).press("Space");
    await panel.getByRole("textbox", { name: "Name" }).press("Enter");
    await expect(page.getByRole("status").filter({ hasText: "Counted" })).toContainText(
      "New jobs that match",
    );
    const set = page
      .getByRole("row")
      .filter({ has: page.getByRole("checkbox", { name: /^Select run set/u }) });
    await expect(set).toContainText("run set of 2, by rule");

    linkTree(join(jobsFolder, FIRST), join(jobsFolder, `${FIRST}-3`));
    await expect(async () => {
      await page.goto(url);
      await expect(set).toContainText("run set of 3, 1 new", { timeout: 1000 });
    }).toPass();
    await expect(page.getByRole("region", { name: "Jobs that look like repeats" })).toHaveCount(0);
    const { stdout } = runCli("leaderboard", jobsFolder, "--pool", "saved", "--data", dataFolder, "--json");
    expect(stdout).toContain(`"job": "${FIRST}-3"`);
    expect(stdout).toContain(`"name": "${FIRST} ×3"`);
  });
});
