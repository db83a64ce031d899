import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const DATASET = "terminal-mix";
const JOBS = ["tb2-baseline", "tb2-orca-next"];

/** A benchmark maintainer looks for uninformative tasks by keyboard alone. */
test("uninformative tasks are found by keyboard, with their attempts", async ({ page, assay }) => {
  const trials = JOBS.flatMap((job) =>
    readRecordedTrials(assay.jobsFolder, job).map((trial) => ({ ...trial, job })),
  );
  await page.goto(`/datasets/${DATASET}`);
  const tab = page.getByRole("link", { name: /^Tasks \d/ });
  await tab.focus();
  await page.keyboard.press("Enter");
  const rates = page.getByRole("table", { name: "Tasks by pass rate" }).locator("tbody tr");
  await rates.first().waitFor();
  const shares = (await rates.allInnerTexts()).map((text) => Number(/([\d.]+) %/u.exec(text)?.[1]));
  expect(shares.length).toBeGreaterThan(1);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  const look = page.getByRole("link", { name: /^Need a look/ });
  await look.focus();
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/sort=/);

  const summary = page.getByText(/^Solved every time/).and(page.locator("summary"));
  await summary.focus();
  await page.keyboard.press("Enter");
  const list = page.locator("details").filter({ has: summary }).getByRole("listitem").getByRole("link");
  const names = await list.allTextContents();
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const own = trials.filter(({ task }) => task === name);
    expect(own.length, name).toBeGreaterThan(0);
    expect(own.filter(({ reward }) => (reward ?? 0) < 1)).toEqual([]);
  }
  const [task = ""] = names;

  await list.first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(task);
  await expect(page.getByRole("region", { name: "Task health" })).toContainText("Solved every time");

  const attempts = page.getByRole("table", { name: "Attempts by agent and job" });
  for (const job of JOBS) {
    const marks = attempts.locator(`a[href^="/jobs/${job}/trials/"]`);
    await expect(marks).toHaveCount(
      trials.filter((trial) => trial.task === task && trial.job === job).length,
    );
  }
  const mark = attempts.locator(`a[href^="/jobs/${JOBS[0] ?? ""}/trials/"]`).first();
  await mark.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/trials\//);
  const title = page.getByRole("heading", { level: 1 }).getByRole("link", { name: task });
  await title.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tasks/${task}\\?dataset=${DATASET}`));
});

/** A user checks if passing attempts cost more, and how a pass differs from a fail. */
test("a task's page shows its attempts' costs and instruction, and compares a pass with a fail @long", async ({
  page,
  assay,
}) => {
  const trials = JOBS.flatMap((job) => readRecordedTrials(assay.jobsFolder, job));
  const isFlaky = (own: typeof trials) =>
    own.some(({ reward }) => (reward ?? 0) >= 1) && own.some(({ reward }) => reward === 0);
  const [task = ""] =
    [...Map.groupBy(trials, (trial) => trial.task)].find(([, own]) =>
      [...Map.groupBy(own, ({ agent }) => agent).values()].some(isFlaky),
    ) ?? [];
  await page.goto(`/tasks/${task}?dataset=${DATASET}`);

  const chart = page.getByRole("region", { name: "What attempts took", exact: true }).first();
  await expect(chart.getByRole("img", { name: /attempts, \d+ of them passed/ })).toBeVisible();
  await chart.getByText(/^Table of/).click();
  const rows = chart.getByRole("table", { name: "What attempts took" }).getByRole("row");
  const nDrawn = await chart.locator(".plane-mark").count();
  await expect(rows).toHaveCount(nDrawn + 1);
  await chart.getByRole("link", { name: "Time" }).click();
  await expect(page).toHaveURL(/spent=time/);
  await expect(chart.getByRole("img", { name: /against time/ })).toBeVisible();

  await expect(page.getByRole("region", { name: "Instruction" })).toContainText(/\w{3}/);

  await page.getByRole("link", { name: "Compare pass and fail" }).click();
  await expect(page).toHaveURL(/\/diff\?a=.+&b=.+/);
  const { searchParams } = new URL(page.url());
  const found = [searchParams.get("a"), searchParams.get("b")].map((ref) =>
    trials.find(({ name }) => name === ref?.split("/")[1]),
  );
  expect(found.map((trial) => [trial?.task, (trial?.reward ?? 0) >= 1])).toEqual([
    [task, true],
    [task, false],
  ]);
  expect(found[0]?.agent).toBe(found[1]?.agent);
});
