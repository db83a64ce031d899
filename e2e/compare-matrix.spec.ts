import type { Page } from "@playwright/test";

import { storeLabelledQueue } from "@/lib/testing/labelled-queue";

import { expect, test, withFewJobs } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const NEXT = "tb2-orca-next";
const TWO =
  "/compare?g=tb2-orca-next:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix&order=chosen";

const matrixOf = (page: Page) => page.getByRole("table", { name: "Tasks by group, every attempt as a mark" });
const marksOf = (page: Page) => matrixOf(page).getByRole("link", { name: /^attempt \d/ });

test("marks are coloured by cost with a title per attempt, and a legend shows the scale @long", async ({
  page,
}) => {
  await page.goto(`${TWO}&ties=shown`);
  const choice = page.getByRole("combobox", { name: "Colour of marks" });
  await expect(marksOf(page).first()).toBeVisible();
  const shapes = await marksOf(page)
    .locator("use")
    .evaluateAll((uses) => uses.map((use) => use.outerHTML));
  expect(shapes.length).toBeGreaterThan(20);
  await page.locator("summary", { hasText: "View" }).press("Enter");
  await choice.selectOption("Cost in US dollars");
  await expect(page).toHaveURL(/[?&]colour=cost/);
  const first = marksOf(page).first();
  await expect(first).toHaveAttribute("title", /\$\d|cost unknown/);
  // Shapes do not depend on the colours.
  await expect
    .poll(() =>
      marksOf(page)
        .locator("use")
        .evaluateAll((uses) => uses.map((use) => use.outerHTML)),
    )
    .toEqual(shapes);
  const titles = await marksOf(page).evaluateAll((marks) =>
    marks.map((mark) => mark.getAttribute("title") ?? ""),
  );
  const legend = page.getByRole("group", { name: "What marks show" });
  const nUnknown = titles.filter((title) => title.includes("cost unknown")).length;
  expect(titles.filter((title) => title.includes("$"))).toHaveLength(titles.length - nUnknown);
  if (nUnknown > 0) await expect(legend).toContainText(`unknown, ${String(nUnknown)}`);
  await expect(legend).toContainText(`${String(titles.length - nUnknown)} attempts`);
  await expect(legend).toContainText(/up to \$.*over \$/);
  // Each step of the scale has its own colour.
  const colours = await marksOf(page).evaluateAll((marks) =>
    marks.map((mark) => [mark.getAttribute("class"), getComputedStyle(mark).backgroundImage] as const),
  );
  const bySteps = new Map(colours);
  expect(new Set(bySteps.values()).size).toBe(bySteps.size);
  expect(bySteps.size).toBeGreaterThan(2);
  await page.reload();
  await page.locator("summary", { hasText: "View" }).press("Enter");
  await expect(choice).toHaveValue("cost");
});

test("a phone has a line per task, under the markers of the named groups @long", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(TWO);
  await expect(marksOf(page).first()).toBeVisible();
  const rows = matrixOf(page).locator("tbody tr:not(.group-row)");
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(10);
  expect(Math.max(...heights)).toBeLessThan(40);
  const region = page.getByRole("region", { name: "Tasks and attempts" });
  const { width: screen } = page.viewportSize() ?? { width: 0 };
  for (const group of await matrixOf(page).getByRole("columnheader").locator(".agent-name").all()) {
    // The heading's name is for screen readers; the visible one is above.
    const name = (await group.textContent()) ?? "";
    const shown = region.locator(".matrix-key").getByText(name, { exact: true });
    expect((await shown.boundingBox())?.x ?? screen).toBeLessThan(screen);
  }
});

test("two attempts are picked by keyboard and by clicks, and open side by side", async ({ page }) => {
  await page.goto(TWO);
  const bar = page.getByRole("group", { name: "Picked attempts" });
  const marks = marksOf(page);
  const pathOf = async (at: number) =>
    new URL((await marks.nth(at).getAttribute("href")) ?? "", page.url()).pathname;
  const paths = [await pathOf(0), await pathOf(6)];
  await marks.nth(0).press("c");
  await expect(bar).toContainText("pick another attempt");
  await marks.nth(0).press("c");
  await expect(bar).toHaveCount(0);
  await marks.nth(0).press("c");
  await page.getByRole("button", { name: "Pick two" }).click();
  await marks.nth(6).click();
  await expect(bar.getByRole("link", { name: /^Side by side/ })).toBeVisible();
  await page.keyboard.press("s");
  await expect(page).toHaveURL(/\/diff\?a=/);
  const query = new URL(page.url()).searchParams;
  const opened = ["a", "b"].map((side) => (query.get(side) ?? "").split("/"));
  expect(opened.map(([job, trial]) => `/jobs/${String(job)}/trials/${String(trial)}`)).toEqual(paths);
});

test("changed tasks are counted in a choice that filters the matrix, and a chip removes the filter @long", async ({
  page,
}) => {
  const [newer = "", older = ""] = TWO.split("?").at(1)?.split("&") ?? [];
  await page.goto(`/compare?${older}&${newer}&ties=shown`);
  const matrix = matrixOf(page);
  const rows = matrix.getByRole("rowheader").filter({ has: page.getByRole("link") });
  const all = await rows.count();
  await page.locator("summary", { hasText: "View" }).press("Enter");
  const choice = page.getByRole("combobox", { name: "Changed" });
  const [option = ""] = await choice
    .getByRole("option")
    .filter({ hasText: /^better \(/u })
    .allTextContents();
  const nBetter = Number(/\d+/u.exec(option)?.[0]);
  expect(nBetter).toBeGreaterThan(0);
  expect(nBetter).toBeLessThan(all);
  await choice.selectOption(option);
  await expect(page).toHaveURL(/[?&]change=ahead(&|$)/);
  await expect(rows).toHaveCount(nBetter);
  await expect(matrix.getByRole("row", { name: /^Better \d+ tasks?/ })).toHaveCount(1);
  for (const text of await matrix
    .locator("tbody tr")
    .filter({ has: page.getByRole("rowheader") })
    .allInnerTexts())
    if (text.includes("/")) expect(text).toMatch(/\+\d/);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: /: better$/ }).press("Enter");
  await expect(rows).toHaveCount(all);
  await expect(page).not.toHaveURL(/change=/);

  await page.goto(`${TWO}&change=behind-unknown`);
  await expect(page.getByText("No tasks match")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Remove the chip above");
});

test("reviewers' verdicts are on the attempts they judged, and only there @long", async ({ page }) => {
  await page.goto(TWO);
  await page.locator("summary", { hasText: "View" }).press("Enter");
  await expect(page.getByRole("combobox", { name: "Verdicts" })).toHaveCount(0);
  let against = "";
  await withFewJobs(
    async ({ url }) => {
      await page.goto(
        `${url}/compare?g=${NEXT}:orca__meridian-5__terminal-mix&g=legacy-2025:orca__meridian-3__adhoc`,
      );
      await page.locator("summary", { hasText: "View" }).press("Enter");
      await page.getByRole("combobox", { name: "Verdicts" }).selectOption("Of reviewers too (2)");
      await expect(page).toHaveURL(/verdicts=shown/);
      const legend = page.getByRole("group", { name: "What marks show" });
      await expect(legend).toContainText("reviewers fail, verifier passes, 1");
      await expect(legend).toContainText("reviewers agree with the verifier, 1");
      await expect(legend).not.toContainText("undecided");
      const mark = matrixOf(page).locator(`.attempts a[href*="${against}"]`);
      await expect(mark).toHaveAttribute("title", /passed.*reviewers say fail/);
      await expect(mark).toHaveCSS("border-top-width", "2px");
    },
    async ({ jobsFolder, dataFolder }) => {
      const passed = readRecordedTrials(jobsFolder, NEXT).filter(({ reward }) => reward === 1);
      against = passed[0]?.name ?? "";
      const list = passed.slice(0, 2).map(({ name, task, agent, model }, at) => ({
        jobName: NEXT,
        trialName: name,
        taskName: task,
        agent,
        model,
        hasPassed: true,
        judgment: at === 0 ? ("fail" as const) : ("pass" as const),
        isDrawn: true,
      }));
      const source = { source: `Trials of ${NEXT}`, sourceHref: `/jobs/${NEXT}?tab=trials` };
      await storeLabelledQueue(dataFolder, list, { name: "Audit", method: "selection", ...source });
    },
  );
});
