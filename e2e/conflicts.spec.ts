import type { Browser, Page } from "@playwright/test";

import { act } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** Judges a trial in a browser of its own. */
async function judge(
  browser: Browser,
  address: string,
  {
    name,
    verdict,
    note,
  }: { readonly name: string; readonly verdict: "Pass" | "Fail"; readonly note: string },
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  const panel = page.getByRole("form", { name: "Review" });
  await panel.getByRole("button", { name: new RegExp(`^${verdict}`) }).click();
  if (verdict === "Fail") {
    const field = panel.getByPlaceholder("Search or add a category");
    await field.fill("Half done");
    await field.press("Enter");
  }
  await panel.getByLabel("Note").fill(note);
  await panel.getByLabel("Reviewer", { exact: true }).fill(name);
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
  return page;
}

test("two reviewers differ, a third decides by keyboard alone, and every page says so @long", async ({
  page,
  browser,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [one, ...others] = readFailedTrials(jobsFolder, JOB);
    const two = others.find(({ task }) => task !== one?.task);
    if (one === undefined || two === undefined) throw new Error("the sample job has too few failed trials");
    const addressOf = (trial: typeof one) => `${url}/jobs/${JOB}/trials/${trial.name}`;
    const note = "Nothing stops it next time.";
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    const ana = await judge(browser, addressOf(one), { name: "Ana Example", verdict: "Fail", note });
    await judge(browser, addressOf(one), {
      name: "Ben Example",
      verdict: "Pass",
      note: "It works. <b>Bold?</b>",
    });
    for (const [reviewerId, judgment] of [
      ["Ana Example", "pass"],
      ["Ben Example", "fail"],
    ] as const)
      await act(page.request, url, "saveReview", {
        target: { kind: "trial", jobKey: JOB, trialKey: two.name, list: null },
        draft: {
          ...{ reviewerId, reviewerDiscipline: null, judgment, notes: note, confidence: null, evidence: [] },
          categories: judgment === "fail" ? ["Half done"] : [],
        },
        ...{ baseVersionId: null, saveId: null, thenNext: false },
        seen: { outcome: "failed", reward: "0.0" },
      });

    await page.goto(`${url}/jobs/${JOB}`);
    await expect(page.getByRole("main")).toContainText("there are too few judgments, 2 open conflicts");
    await page.getByRole("link", { name: "2 open conflicts" }).click();
    await expect(page).toHaveURL(/\/annotations\/conflicts\?job=/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Conflicts, ${JOB}`);
    await expect(page.getByRole("main")).toContainText("2 pairs, 2 tasks");
    await page.locator("summary", { hasText: "Agreement by category" }).click();
    await expect(page.getByRole("row", { name: /^Half done 2/ })).toContainText("fewer than five trials");
    const place = await page
      .getByRole("navigation", { name: "Conflicts" })
      .getByRole("link", { name: new RegExp(one.task) })
      .getAttribute("href");
    await page.goto(`${url}${place ?? ""}`);
    const first = page.getByRole("article", { name: "Reviewer A, Ana Example" });
    await expect(first).toContainText("Fail");
    await expect(page.getByRole("article", { name: "Reviewer B, Ben Example" })).toContainText(
      "It works. <b>Bold?</b>",
    );

    // Nothing is saved without a reason, and what is typed outlives leaving the page.
    const form = page.getByRole("form", { name: "Decision" });
    await expect(form.getByRole("status").first()).toHaveText("Not decided");
    await page.keyboard.press("2");
    await expect(form.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.press("e");
    await expect(form.getByRole("button", { name: "A", exact: true })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await page.keyboard.press("Control+Enter");
    await expect(form).toContainText("Say why: the reviewers will read it.");
    await expect(form.getByLabel("Reason, required")).toBeFocused();
    await page.keyboard.type("Only half of the task is done. 1 2 3");
    await page.keyboard.press("Escape");
    await page.keyboard.press("p");
    await page.keyboard.type("Is a skipped part stopped early?");
    await page.keyboard.press("Tab");
    await expect(form.getByLabel("Decider")).toBeFocused();
    await page.keyboard.type("Cleo Example");
    await page.keyboard.press("Escape");
    await page.reload();
    await expect(form.getByRole("status").first()).toHaveText("Draft, not saved");
    await expect(form.getByLabel("Reason, required")).toHaveValue("Only half of the task is done. 1 2 3");
    await expect(form.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");

    // Cleo goes on to the other conflict, which is the only one left. While it is fetched, keys are no text of the one before.
    let isFetched = (): void => undefined;
    const fetched = new Promise<void>((resolve) => (isFetched = resolve));
    await page.route(/\/annotations\/conflicts.*_rsc=/, async (route) => {
      await fetched;
      await route.continue();
    });
    await form.getByLabel("Reason, required").focus();
    await page.keyboard.press("Control+Enter");
    await expect(form.getByRole("button", { name: /^Save and next/ })).toBeFocused();
    isFetched();
    await expect(page.getByRole("heading", { level: 2, name: two.task })).toBeFocused();
    await page.unrouteAll();
    await expect(form).toContainText(`Saved: your decision on ${one.task}.`);
    await expect(form.getByRole("button", { name: /^Undo last/ })).toBeEnabled();
    await page.keyboard.press("u");
    await expect(page.getByRole("heading", { level: 2, name: one.task })).toBeVisible();
    await expect(page.getByText(`Undone: your decision on ${one.task}.`)).toHaveCount(1);
    await expect(page.getByRole("main")).toContainText("2 not decided");
    await expect(form.getByRole("button", { name: /^Undo/ })).toBeDisabled();
    await page.keyboard.press("2");
    await form.getByLabel("Reason, required").fill("Only half of the task is done. 1 2 3");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("heading", { level: 2, name: two.task })).toBeFocused();
    await expect(page.getByRole("main")).toContainText(
      "2 of 2 trials reviewed twice are in conflict. 1 not decided.",
    );
    await expect(form.getByLabel("Reason, required")).toHaveValue("");

    // The reviewers read it, and neither of them can decide.
    await ana.goto(`${url}${place ?? ""}`);
    await expect(ana.getByRole("form", { name: "Decision" })).toContainText("Only half of the task is done.");
    await ana.goto(page.url());
    const own = ana.getByRole("form", { name: "Decision" });
    await expect(own).toContainText("You judged this trial yourself. Somebody else has to decide.");
    await expect(own.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
    await ana.goto(addressOf(one));
    await ana.locator("summary", { hasText: "History" }).click();
    await expect(ana.getByRole("form", { name: "Review" })).toContainText("Decided: fail by Cleo Example");

    // On the list of judgments and on the job's page too.
    await page.goto(`${url}/annotations?standing=decided`);
    await expect(page.getByRole("row", { name: new RegExp(one.task) })).toHaveCount(2);
    await expect(page.getByRole("row", { name: new RegExp(two.task) })).toHaveCount(0);
    await page.goto(`${url}/jobs/${JOB}`);
    await expect(page.getByRole("link", { name: "1 open conflict" })).toBeVisible();

    // Undone by whom made it, it waits again.
    await page.goto(`${url}${place ?? ""}`, { waitUntil: "networkidle" });
    await page.keyboard.press("u");
    await expect(form.getByRole("status").first()).toHaveText("Undone");
    await expect(page.getByRole("main")).toContainText("2 not decided");

    expect(errors).toEqual([]);
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
});

test("what somebody else decided meanwhile is shown, and nothing that was typed is lost @long", async ({
  page,
  browser,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [one] = readFailedTrials(jobsFolder, JOB);
    const address = `${url}/jobs/${JOB}/trials/${one?.name ?? ""}`;
    await judge(browser, address, { name: "Ana Example", verdict: "Fail", note: "No." });
    await judge(browser, address, { name: "Ben Example", verdict: "Pass", note: "Yes." });
    const other = await (await browser.newContext()).newPage();
    const decide = async (who: Page, name: string, key: string, reason: string) => {
      const form = who.getByRole("form", { name: "Decision" });
      await expect(form.getByRole("status").first()).toHaveText(/Not decided|Draft/);
      await who.keyboard.press(key);
      await form.getByLabel("Reason, required").fill(reason);
      await form.getByLabel("Decider").fill(name);
      return form;
    };
    await page.goto(`${url}/annotations/conflicts`);
    await other.goto(`${url}/annotations/conflicts`);
    const mine = await decide(page, "Cleo Example", "4", "Nobody can tell.");
    const theirs = await decide(other, "Dora Example", "1", "It does what was asked.");
    await theirs.getByRole("button", { name: "Save", exact: true }).click();
    await expect(theirs.getByRole("status").first()).toHaveText(/^Saved/);

    await mine.getByRole("button", { name: "Save", exact: true }).click();
    await expect(mine.getByRole("alert")).toContainText("Dora Example decided meanwhile");
    await expect(mine.getByRole("alert")).toContainText("It does what was asked.");
    await expect(mine.getByLabel("Reason, required")).toHaveValue("Nobody can tell.");
    await mine.getByRole("button", { name: "Keep mine" }).click();
    await expect(mine.getByRole("status").first()).toHaveText(/^Saved/);
    await expect(mine).toContainText("Left open");
    await other.reload();
    await expect(theirs).toContainText("Nobody can tell.");
    await expect(theirs.getByRole("button", { name: /^Undo/ })).toBeDisabled();
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
});
