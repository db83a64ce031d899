import type { Page } from "@playwright/test";

import { type ListedTrial, storeLabelledQueue } from "@/lib/testing/labelled-queue";

import { expect, test, withAssay } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const findTable = (page: Page) => page.getByRole("table", { name: "Groups over this dataset" });
/** Rows of groups, not of headings. */
const findRows = (page: Page) =>
  findTable(page)
    .getByRole("row")
    .filter({ has: page.getByRole("checkbox", { name: /^Select (?!all )/u }) });

test("the groups over a dataset are found, ranked, copied and compared", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Benchmarks" }).click();
  await page.getByRole("link", { name: "terminal-mix", exact: true }).click();
  await expect(page).toHaveURL(/\/datasets\/terminal-mix$/);

  // The first rank is a set that contains 1.
  const first = findRows(page).first();
  await expect(first.getByRole("cell").nth(1)).toHaveText(/^1(–\d+)?$/u);
  const best = await first.getByRole("rowheader").getByRole("link").innerText();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(best);

  await page.getByRole("group", { name: "Format" }).getByRole("link", { name: "LaTeX" }).click();
  const copy = page.getByLabel("Leaderboard as text");
  await expect(copy).toContainText("\\begin{tabular}");
  await expect(page).toHaveURL(/format=latex/);

  const boxes = findRows(page).getByRole("checkbox");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  const reference = await boxes.nth(0).inputValue();
  await page.getByRole("main").getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page).toHaveURL(/\/compare\?g=[^&]+&g=[^&]+.*&order=chosen/);
  expect(new URL(page.url()).searchParams.get("g")).toBe(reference);
});

const LABELLED = "tb2-orca-next";

test("randomly sampled labels correct the score of their group, next to its own @long", async ({ page }) => {
  let list: readonly ListedTrial[] = [];
  await withAssay(
    async ({ url }) => {
      await page.goto(`${url}/datasets/terminal-mix`);
      const corrected = findTable(page).getByRole("link", { name: /, 24 labels$/u });
      await expect(corrected).toHaveCount(1);
      // Humans fail two of 12 passes, and pass three of 12 others.
      const nPassed = list.filter(({ hasPassed }) => hasPassed).length;
      const expected = (nPassed * (10 / 12) + (list.length - nPassed) * (3 / 12)) / list.length;
      await expect(corrected).toContainText(expected.toFixed(2));
      const row = findRows(page).filter({ has: page.getByRole("link", { name: /, 24 labels$/u }) });
      await expect(row.getByRole("rowheader")).toContainText("orca");
      await expect(row.getByRole("img", { name: `corrected ${expected.toFixed(3)}` })).toBeVisible();
      // A group without labels has no corrected score and sorts last.
      await page.goto(`${url}/datasets/terminal-mix?sort=corrected`);
      await expect(findTable(page).getByRole("columnheader", { name: "Corrected" })).toHaveAttribute(
        "aria-sort",
        "descending",
      );
      await expect(
        findRows(page)
          .first()
          .getByRole("link", { name: /, 24 labels$/u }),
      ).toBeVisible();
      await page.getByRole("group", { name: "Format" }).getByRole("link", { name: "CSV" }).click();
      await expect(page.getByLabel("Leaderboard as text")).toContainText(/,corrected_score,.*,24/su);
      await page.setViewportSize({ width: 1024, height: 768 });
      const region = page.getByRole("group", { name: "Groups over this dataset" });
      expect(await region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await corrected.press("Enter");
      await expect(page).toHaveURL(/\/annotations\/verifier\?job=/u);
    },
    async ({ jobsFolder, dataFolder }) => {
      list = listJudged(jobsFolder);
      await storeLabelledQueue(dataFolder, list, {
        name: "Audit",
        method: "stratified",
        source: `Trials of ${LABELLED}`,
        sourceHref: `/jobs/${LABELLED}?tab=trials`,
      });
    },
    [LABELLED, "tb2-baseline"],
  );
});

/** The job's trials with a verdict; the first 12 of each are sampled and judged. */
function listJudged(jobsFolder: string): readonly ListedTrial[] {
  const trials = readRecordedTrials(jobsFolder, LABELLED).filter(
    ({ reward, exception }) => reward !== null || exception !== null,
  );
  return [true, false].flatMap((hasPassed) =>
    trials
      .filter(({ reward }) => (reward === 1) === hasPassed)
      .map(({ name, task, agent, model }, place): ListedTrial => {
        const isPass = hasPassed ? place > 1 : place < 3;
        return {
          ...{ jobName: LABELLED, trialName: name, taskName: task, agent, model, hasPassed },
          isDrawn: place < 12,
          judgment: place >= 12 ? null : isPass ? "pass" : "fail",
        };
      }),
  );
}
