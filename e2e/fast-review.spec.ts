import type { Page } from "@playwright/test";
import { z } from "zod";

import { planRuns } from "../lib/testing/plan-runs";
import { type Assay, expect, test, withFewJobs } from "./fixtures/app";

const JOB = "tb2-orca-next";
const { numRuns: TRIALS } = planRuns({ short: 12, long: 60 });

const exportLine = z.object({ judgment: z.string(), notes: z.string().nullable() });

/** Opens the first trial of the job in a browser that knows the reviewer's name. */
async function openFirst(page: Page, url: string): Promise<void> {
  await page.context().addCookies([{ name: "assay-name", value: "Ada/", url }]);
  await page.goto(`${url}/trials?job=${JOB}`);
  await page.getByRole("table").locator("a[data-row-link]").first().click();
  await expect(page.locator("fieldset.review-fields:enabled")).toBeVisible();
}

/** Judges by keyboard without waiting for pages. */
async function judge(page: Page, verdict: string, note: string): Promise<void> {
  await page.keyboard.press(verdict);
  await page.keyboard.press("n");
  await page.keyboard.type(note);
  await page.keyboard.press("Control+Enter");
}

function readJudgments(runCli: Assay["runCli"]) {
  return runCli("annotations", "export")
    .stdout.trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => exportLine.parse(JSON.parse(line)));
}

/** Holds all saves until the returned function is called, which continues or aborts them. */
async function holdSaves(page: Page) {
  const decided = Promise.withResolvers<"continue" | "refuse">();
  await page.route("**/*", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    return (await decided.promise) === "refuse" ? route.fulfill({ status: 403 }) : route.continue();
  });
  return decided.resolve;
}

test("many trials judged faster than the server answers keep every verdict and every note", async ({
  page,
}) => {
  await withFewJobs(async ({ url, runCli }) => {
    await openFirst(page, url);
    const session = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 150, downloadThroughput: 400_000, uploadThroughput: 100_000 };
    await session.send("Network.emulateNetworkConditions", slow);
    // Each letter is also a shortcut of the page.
    const expected = Array.from({ length: TRIALS }, (_, at) => ({
      judgment: at % 2 === 0 ? "fail" : "pass",
      notes: `sum lucky jumps ${String(at)}`,
    }));
    for (const { judgment, notes } of expected) await judge(page, judgment === "fail" ? "2" : "1", notes);
    await expect(page.locator(".review-saved")).toBeVisible();
    await expect.poll(() => readJudgments(runCli), { timeout: 60_000 }).toEqual(expected);
  });
});

test("text typed after Save and next runs no shortcut, and goes into the note of the next trial", async ({
  page,
}) => {
  await withFewJobs(async ({ url, runCli }) => {
    await openFirst(page, url);
    const first = page.url();
    const note = page.getByLabel("Note");
    const open = await holdSaves(page);
    await judge(page, "2", "first");
    // Pressing again because nothing happened skips no trial.
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("lucky sum: 1");
    open("continue");
    await expect(page).not.toHaveURL(first);
    await expect(note).toHaveValue("lucky sum: 1");
    await page.keyboard.type("2 of 3");
    await expect(note).toHaveValue("lucky sum: 12 of 3");
    for (const verdict of ["Pass", "Fail", "Defer"])
      await expect(page.getByRole("button", { name: new RegExp(`^${verdict}`) })).toHaveAttribute(
        "aria-pressed",
        "false",
      );
    expect(readJudgments(runCli)).toEqual([{ judgment: "fail", notes: "first" }]);

    // An unsaved trial stays open with its text.
    await page.unrouteAll();
    const second = page.url();
    const answer = await holdSaves(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await page.keyboard.press("n");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type(" so");
    answer("refuse");
    await expect(note).toHaveValue("lucky sum: 12 of 3 so");
    expect(page.url()).toBe(second);
    expect(readJudgments(runCli)).toHaveLength(1);
  });
});
