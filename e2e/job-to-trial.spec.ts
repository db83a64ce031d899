import { expect, test } from "./fixtures/app";
import { readFailedTrials, readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

test("from the list through the check to the trials behind a number", async ({ page, assay }) => {
  await page.goto("/");
  await page.getByRole("link", { name: JOB, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: JOB })).toBeVisible();

  await page.getByRole("link", { name: /^\d+ verified$/ }).click();
  await expect(page).toHaveURL(/tab=verification/);
  const figures = page.getByRole("table", { name: "Figures of this job" });
  const mean = figures.getByRole("row", { name: /metrics.*mean/ });
  await expect(mean).toContainText("exact");
  const trials = readRecordedTrials(assay.jobsFolder, JOB);
  await expect(mean).toContainText(String(trials.length));

  await mean.getByRole("link", { name: /trials behind/ }).click();
  await expect(page).toHaveURL(/tab=trials/);
  await expect(page.getByRole("main")).toContainText(`${trials.length} trials`);
});

test("the trials can be filtered by outcome, and the count matches the files", async ({ page, assay }) => {
  const failed = readFailedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}?tab=trials&outcome=failed`);
  const table = page.getByRole("table", { name: /trials/i }).last();
  await expect(
    table
      .locator("tbody")
      .getByRole("link", { name: new RegExp(failed[0]?.task ?? "never") })
      .first(),
  ).toBeVisible();
  await expect(table.locator("tbody tr")).toHaveCount(failed.length);
});

test("a trial shows its trajectory, tests, files and log, and links to its neighbours", async ({
  page,
  assay,
}) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  if (trial === undefined) throw new Error("the sample job has no failed trial");
  const address = `/jobs/${JOB}/trials/${trial.name}`;
  await page.goto(address);
  await expect(page.getByRole("heading", { level: 1, name: new RegExp(trial.task) })).toBeVisible();
  await expect(page.getByRole("img", { name: "Failed", exact: true }).first()).toBeVisible();
  // The trace starts in the upper third of the window.
  const trace = await page.locator(".steps > li").first().boundingBox();
  expect(trace?.y).toBeLessThanOrEqual(300);
  await expect(async () => {
    await page.goto(address);
    await expect(page.getByRole("group", { name: /^Is it correct\?/ })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole("link", { name: /step \d+$/ }).click();
  await expect(page).toHaveURL(/[?&]step=\d+/);
  await expect(page.locator(".step-current")).toBeInViewport();
  const tabs = page.getByRole("navigation", { name: "Parts of the trial" });
  await tabs.getByRole("link", { name: "Evidence" }).click();
  await expect(page.getByRole("main")).toContainText("exact, from reward.txt");

  await tabs.getByRole("link", { name: /^Tests/ }).click();
  await expect(page).toHaveURL(/tab=tests/);
  await expect(page.getByRole("main")).toContainText(/failed/i);

  await tabs.getByRole("link", { name: /^Files/ }).click();
  await page
    .getByRole("link", { name: /reward\.txt/ })
    .first()
    .click();
  await expect(page).toHaveURL(/reward\.txt/);
  await expect(
    page
      .getByRole("main")
      .locator("pre, code, [role=table], ol")
      .filter({ hasText: /^\s*(1\s*)?0(\.0)?\s*$/ })
      .first(),
  ).toBeVisible();

  await tabs.getByRole("link", { name: /^Log/ }).click();
  await expect(page).toHaveURL(/tab=log/);

  await page.goto(address);
  await page
    .getByRole("navigation", { name: "Trials" })
    .getByRole("link", { name: /^Next trial/ })
    .click();
  await expect(page).not.toHaveURL(new RegExp(trial.name));
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(trial.name));
});
