import { join } from "node:path";

import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** A researcher asks what went wrong in a run, by keyboard alone. */
test("the failed tasks of a job come first, worst first, and each opens its first failed attempt", async ({
  page,
  assay,
}) => {
  const trials = readRecordedTrials(assay.jobsFolder, JOB);
  const failed = [...Map.groupBy(trials, ({ task }) => task)].filter(([, own]) =>
    own.some(({ reward }) => reward !== 1),
  );
  await page.goto(`/jobs/${JOB}`);
  const rows = page.getByRole("table", { name: "Tasks of this job" }).locator("tbody tr");
  await expect(rows).toHaveCount(failed.length);
  await expect(page.getByRole("main")).toContainText(`${failed.length} of`);
  const texts = await rows.allInnerTexts();
  const shares = texts.map((text) => {
    const [, nPassed = "", nEnded = ""] = /(\d+)\/(\d+)/u.exec(text) ?? [];
    return Number(nPassed) / Number(nEnded);
  });
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  for (const [task, own] of failed) {
    const nWrong = own.filter(({ reward, exception }) => reward === 0 && exception === null).length;
    const row = rows.filter({ has: page.getByRole("link", { name: task, exact: true }) });
    await expect(row, task).toContainText(nWrong === 0 ? /error|timeout/iu : `${nWrong} wrong answer`);
  }

  await page.keyboard.press("j");
  await expect(rows.first().getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/trials\/.+list=/u);
  const name = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(trials.find((trial) => trial.name === name)?.reward).not.toBe(1);

  await page.goto(`/jobs/${JOB}`);
  await page.getByRole("link", { name: "See causes" }).press("Enter");
  await expect(page).toHaveURL(new RegExp(`/errors\\?.*job=${JOB}`, "u"));
});

test("every trial is a square that arrow keys reach and Enter opens", async ({ page, assay }) => {
  const trials = readRecordedTrials(assay.jobsFolder, JOB);
  await page.goto(`/jobs/${JOB}`);
  const section = page.getByRole("region", { name: "Every trial" });
  await expect(section.locator(".waffle-columns i")).toHaveCount(trials.length);
  const nPassed = trials.filter(({ reward }) => reward === 1).length;
  await expect(section.getByRole("link", { name: `${nPassed} passed` })).toBeVisible();
  const square = section.getByRole("link", { name: /attempt \d+ /u });
  await square.focus();
  const first = await square.getAttribute("aria-label");
  await expect(section.locator(".section-head")).toContainText(first ?? "nothing");
  await page.keyboard.press("End");
  await expect(square).toHaveAccessibleName(/passed, (\d+) of \1 passed$/u);
  await page.keyboard.press("Home");
  await expect(square).toHaveAccessibleName(first ?? "nothing");
  await page.keyboard.press("ArrowDown");
  await expect(square).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/trials\//u);
  const name = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  expect(trials.find((trial) => trial.name === name)?.reward).not.toBe(1);
});

test("trials that ended with an exception can be run again, and wrong answers cannot", async ({
  page,
  assay,
}) => {
  const trials = readRecordedTrials(assay.jobsFolder, JOB);
  const count = (type: string) => trials.filter(({ exception }) => exception === type).length;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/jobs/${JOB}`);
  const button = page.getByText("Re-run failed", { exact: true });
  await button.focus();
  await page.keyboard.press("Enter");
  const types = page.getByRole("group", { name: "Re-run trials with these exceptions" });
  await expect(types.getByRole("checkbox")).toHaveCount(
    new Set(trials.flatMap(({ exception }) => exception ?? [])).size,
  );
  const timeouts = types.getByRole("checkbox", { name: /AgentTimeoutError.*against the agent/u });
  await expect(timeouts).not.toBeChecked();
  await expect(types.getByRole("checkbox", { name: /EnvironmentStartTimeoutError/u })).toBeChecked();
  await timeouts.press("Space");
  const nChosen = count("EnvironmentStartTimeoutError") + count("AgentTimeoutError");
  await page.getByRole("button", { name: `Copy for ${nChosen} trials` }).press("Enter");
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split(" \\\n  ");
  expect(lines).toEqual([
    "harbor jobs resume",
    `-p ${join(assay.jobsFolder, JOB)}`,
    "-f EnvironmentStartTimeoutError",
    "-f AgentTimeoutError",
  ]);
});
