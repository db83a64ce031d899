import type { Page } from "@playwright/test";
import { z } from "zod";

import { act, draftOf } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** Other tests of the same server leave other statements. */
const exportLine = z.object({
  judgment: z.string().optional(),
  reviewer_id: z.string().optional(),
  notes: z.string().nullish(),
});

function reviewPanel(page: Page) {
  return page.getByRole("form", { name: "Review" });
}

test("a disagreeing judgment is on every list and in the export, and does not change the reward", async ({
  request,
  assay: { url, jobsFolder, runCli },
}) => {
  const trial = readFailedTrials(jobsFolder, JOB).at(-1);
  if (trial === undefined) throw new Error("the sample job has no failed trial");
  const notes = "The check looks at the wrong file. <b>Bold?</b>";
  const draft = draftOf(JOB, trial.name, { reviewerId: "Ada Example", judgment: "pass", notes });
  expect(await act(request, url, "saveReview", draft)).toContain('"status":"saved"');
  const read = async (address: string) => (await request.get(address)).text();
  const rowsOf = (html: string) => html.match(/<tr[^]*?<\/tr>/gu)?.filter((row) => row.includes(trial.name));

  const [judged = "", ...others] = rowsOf(await read("/annotations")) ?? [];
  expect(others).toEqual([]);
  expect(judged).toContain("disagrees");
  expect(judged).toContain("Ada Example");
  expect(judged).not.toContain("<b>Bold?</b>");
  const list = `/jobs/${JOB}?tab=trials&judgment=disagrees`;
  expect(await read(`/?q=${JOB}`)).toContain(`href="${list.replaceAll("&", "&amp;")}"`);
  expect(rowsOf(await read(list))).toHaveLength(1);
  expect(await read(`/jobs/${JOB}/trials/${trial.name}`)).toContain("0.0");

  const exported = runCli("annotations", "export").stdout;
  const lines = exported.trimEnd().split("\n");
  expect(lines.map((line) => exportLine.parse(JSON.parse(line)))).toContainEqual({
    judgment: "pass",
    reviewer_id: "Ada Example",
    notes,
  });
  expect(await read("/annotations/export")).toBe(exported);
});

test("a reviewer judges, corrects and undoes by keyboard, and earlier versions are kept", async ({
  page,
  assay,
}) => {
  const [, trial] = readFailedTrials(assay.jobsFolder, JOB);
  if (trial === undefined) throw new Error("the sample job has too few failed trials");
  await page.goto(`/jobs/${JOB}/trials/${trial.name}`);
  const panel = reviewPanel(page);
  const status = panel.getByRole("status").first();
  await expect(status).toHaveText("Not reviewed");

  await page.keyboard.press("2");
  await expect(panel.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");
  await expect(status).toHaveText("Draft, not saved");
  await page.keyboard.press("t");
  const field = panel.getByPlaceholder("Search or add a category");
  await page.keyboard.type("never meant");
  await page.keyboard.press("Escape");
  await expect(field).not.toBeFocused();
  await expect(field).toHaveValue("");
  await expect(panel.getByRole("button", { name: /never meant/ })).toHaveCount(0);
  // A prefix selects a category; its button adds a new one.
  await page.keyboard.press("t");
  await page.keyboard.type("stopped");
  await page.keyboard.press("Enter");
  const chosen = panel.getByRole("group", { name: "Why it failed" }).locator("[aria-pressed=true]");
  await expect(chosen).toHaveText([/^Stopped early/]);
  await page.keyboard.type("stopped");
  await page.keyboard.press("Tab");
  await expect(panel.getByRole("alert")).toContainText("“stopped” is not added. Enter adds “Stopped early”");
  await expect(panel.getByRole("button", { name: "New category “stopped”" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chosen).toHaveText([/^Stopped early/, /^stopped$/]);
  for (const label of [/^stopped$/, /^Stopped early/]) await chosen.filter({ hasText: label }).press("Enter");
  await expect(chosen).toHaveCount(0);
  await page.keyboard.press("t");
  await page.keyboard.type("wrong tool");
  // Text left in the field is neither saved silently nor lost.
  await page.keyboard.press("Control+s");
  await expect(panel.getByRole("alert")).toContainText("“wrong tool” is not added.");
  await expect(field).toBeFocused();
  await expect(status).toHaveText("Draft, not saved");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("button", { name: /wrong tool/ })).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.type("Never ran the tests. 1 2 3");
  await page.keyboard.press("Escape");
  await expect(panel.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");
  await panel.getByLabel("Reviewer", { exact: true }).focus();
  await page.keyboard.type("Grace Example");
  await page.keyboard.press("Control+s");
  await expect(status).toHaveText(/^Saved/);

  // The field loses the focus, so the next key is a command.
  await page.keyboard.press("3");
  await page.keyboard.press("Control+s");
  await expect(status).toHaveText(/^Saved/);
  await panel.locator("summary", { hasText: "History" }).click();
  await expect(panel.getByText("Replaced by a later version")).toBeVisible();

  await panel.getByRole("button", { name: /^Undo/ }).click();
  await expect(panel.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");
  // One key restores the undone judgment as an unsaved draft.
  await page.keyboard.press("Shift+U");
  await expect(panel.getByRole("button", { name: /^Defer/ })).toHaveAttribute("aria-pressed", "true");
  await expect(status).toHaveText("Changed, not saved");
  await page.keyboard.press("u");
  await expect(panel.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(panel.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");

  // An unanswered save is sent again once, when the page opens.
  const versions = panel.locator("ol > li", { has: page.locator("time") });
  await panel.locator("summary", { hasText: "History" }).click();
  const nBefore = await versions.count();
  await page.route("**/*", (route) =>
    route.request().method() === "GET" ? route.continue() : route.abort("connectionreset"),
  );
  await page.keyboard.press("1");
  await page.keyboard.press("Control+s");
  await expect(status).toContainText("Offline");
  for (const isAnswered of [false, true]) {
    await page.reload();
    if (!isAnswered) await page.unrouteAll();
    await expect(status).toHaveText(/^Saved/);
    await expect(panel.getByRole("button", { name: /^Pass/ })).toHaveAttribute("aria-pressed", "true");
    await panel.locator("summary", { hasText: "History" }).click();
    await expect(versions).toHaveCount(nBefore + 1);
  }
});

test("an unsaved draft survives leaving the page, counts nowhere, and is in the sheet on a phone", async ({
  page,
  assay,
}) => {
  const [, , trial] = readFailedTrials(assay.jobsFolder, JOB);
  if (trial === undefined) throw new Error("the sample job has too few failed trials");
  const address = `/jobs/${JOB}/trials/${trial.name}`;
  await page.goto(address);
  const panel = reviewPanel(page);
  await expect(panel.getByRole("status")).toHaveText("Not reviewed");
  await expect(panel.getByLabel("Note")).toBeHidden();
  await panel.getByRole("button", { name: "Whole form" }).click();
  await panel.getByLabel("Note").fill("half a thought");
  await expect(panel.getByRole("status").first()).toHaveText("Draft, not saved");
  await page.goto("/annotations");
  await expect(page.getByRole("main")).not.toContainText("half a thought");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address);
  await expect(panel.getByRole("button", { name: /^Defer/ })).toBeInViewport();
  await expect(panel.getByLabel("Note")).toBeHidden();
  await panel.getByRole("button", { name: "Whole form" }).click();
  await expect(panel.getByLabel("Note")).toHaveValue("half a thought");
});

test("typing a note continues while the opened step loads", async ({ page, assay }) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  if (trial === undefined) throw new Error("the sample job has no failed trial");
  const panel = reviewPanel(page);
  await page.goto(`/jobs/${JOB}/trials/${trial.name}`);
  await expect(panel.getByRole("status").first()).toHaveText("Not reviewed");
  const came = Promise.withResolvers<null>();
  await page.route(/[?&]step=.*_rsc=/, async (route) => {
    await came.promise;
    await route.continue();
  });
  const number = await page.locator("[data-step]").nth(1).getAttribute("data-step");
  const step = page.locator(`[data-step="${String(number)}"]`);
  await step.locator("a[data-row-link]").press("Enter");
  await page.keyboard.press("n");
  await page.keyboard.type("half a");
  came.resolve(null);
  await expect(step).toHaveClass(/step-current/);
  await expect(page).toHaveURL(/[?&]step=/);
  await page.keyboard.type(" thought");
  await expect(panel.getByLabel("Note")).toHaveValue("half a thought");
});

test("after Save and next, u undoes the judgment and returns to its trial, for its author only", async ({
  page,
}) => {
  await withFewJobs(async ({ url, runCli }) => {
    const panel = reviewPanel(page);
    const status = panel.getByRole("status").first();
    const undo = panel.getByRole("button", { name: /^Undo/ });
    const unfold = panel.getByRole("button", { name: "Whole form" });
    await page.goto(`${url}/trials?job=${JOB}`);
    await page.getByRole("table").locator("a[data-row-link]").first().click();
    await expect(status).toHaveText("Not reviewed");
    await expect(undo).toBeHidden();
    await unfold.click();
    await expect(undo).toBeDisabled();
    const first = new URL(page.url());
    await page.keyboard.press("1");
    await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
    await page.keyboard.press("Control+Enter");
    await expect(page).not.toHaveURL((at) => at.pathname === first.pathname);
    await expect(status).toHaveText("Not reviewed");
    await expect(undo).toContainText("Undo last");
    await expect(panel.getByText(`Saved: Pass, ${first.pathname.split("/").at(-1) ?? ""}.`)).toBeVisible();

    // Another name is another reviewer.
    await unfold.click();
    await panel.getByRole("button", { name: "Change", exact: true }).click();
    await panel.getByLabel("Reviewer", { exact: true }).fill("Ben Example");
    await expect(undo).toBeDisabled();
    await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
    await page.keyboard.press("Escape");

    await page.keyboard.press("u");
    await expect(page).toHaveURL((at) => at.pathname === first.pathname && at.search.includes("list="));
    await expect(page.getByText("Undone: your judgment of this trial.")).toHaveCount(1);
    await expect(status).toHaveText("Not reviewed");
    await expect(panel.getByRole("button", { name: /^Pass/ })).toHaveAttribute("aria-pressed", "false");
    expect(runCli("annotations", "export").stdout.trim()).toBe("");

    // Only one step; a trial opened otherwise undoes only its own judgment.
    await expect(undo).toBeDisabled();
    const again = panel.getByRole("button", { name: /^Use this text again/ });
    await expect(again).toBeInViewport();
    await again.click();
    await expect(panel.getByRole("button", { name: /^Pass/ })).toHaveAttribute("aria-pressed", "true");
    await expect(status).toHaveText("Draft, not saved");
    await page.keyboard.press("2");
    await page.keyboard.press("Shift+Digit1");
    await page.keyboard.press("Control+s");
    await expect(status).toHaveText(/^Saved/);
    await page.locator('[data-command="trial.next"]').click();
    await expect(page).not.toHaveURL((at) => at.pathname === first.pathname);
    await expect(status).toHaveText("Not reviewed");
    await unfold.click();
    await expect(undo).toBeDisabled();
  });
});
