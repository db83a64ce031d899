import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Locator, Page } from "@playwright/test";

import { act } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const CODEBOOK = "/annotations/codebook";

/** Presses Tab until an element has the focus, as somebody without a mouse gets there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let left = 150; left > 0; left--) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there");
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

async function judge(page: Page, address: string, category: string | null, note: string): Promise<void> {
  await page.goto(address);
  const panel = page.getByRole("form", { name: "Review" });
  await expect(panel.getByRole("status").first()).toHaveText("Not reviewed");
  await page.keyboard.press("2");
  if (category !== null) {
    await page.keyboard.press("t");
    await page.keyboard.type(category);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("n");
  await page.keyboard.type(note);
  await page.keyboard.press("Escape");
  const name = panel.getByLabel("Reviewer", { exact: true });
  // Asked once, then known in this browser.
  if (await name.isVisible()) {
    await tabTo(page, name);
    await page.keyboard.type("Ada Example");
  }
  await page.keyboard.press("Control+s");
  await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
}

test("somebody renames, splits, undoes and merges a category by keyboard alone, and judgments follow @long", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await withFewJobs(async ({ url, jobsFolder, runCli }) => {
    const failed = readFailedTrials(jobsFolder, JOB);
    const [first] = failed;
    const second = failed.find(({ task }) => task !== first?.task);
    if (first === undefined || second === undefined)
      throw new Error("the sample job has too few failed trials");
    await judge(page, `${url}/jobs/${JOB}/trials/${first.name}`, "wrong <b>tool</b>", "Called grep.");
    await judge(page, `${url}/jobs/${JOB}/trials/${second.name}`, null, "Stopped <i>half</i> way.");

    await page.goto(url + CODEBOOK);
    const status = page.getByRole("status").filter({ hasText: "“" });
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(page.getByRole("searchbox")).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type("wrong <b>");
    await expect(page.getByRole("link", { name: "Stopped early" })).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: "wrong <b>tool</b>" })).toBeFocused();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: /^Category/ });
    await expect(panel).toContainText("1 trial");

    await press(page, panel.getByRole("button", { name: "Edit" }));
    await expect(panel.getByLabel(/^Name/)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("alert")).toContainText("Nothing changed");
    await tabTo(page, panel.getByLabel(/^Name/));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Wrong tool chosen");
    await page.keyboard.press("Enter");
    await expect(status).toContainText("Saved “Wrong tool chosen”.");
    await expect(panel.getByRole("heading", { level: 2 })).toHaveText("Wrong tool chosen");
    await expect(panel).toContainText("1 trial");
    await expect(panel).toContainText("Renamed “wrong <b>tool</b>” to “Wrong tool chosen”.");

    await press(page, panel.getByRole("button", { name: "Split" }));
    await page.keyboard.type("Wrong program");
    await tabTo(page, panel.getByLabel("New category 2"));
    await page.keyboard.type("Wrong option");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("list", { name: "To be relabelled" })).toContainText(
      "“Wrong tool chosen” was split: 1 trial to choose again.",
    );
    const judgments = await page.request.get(`${url}/annotations?category=Wrong+tool+chosen`);
    expect(await judgments.text()).toContain("Wrong tool chosen (split, choose again)");

    // Whoever judged so is told on the trial, and one part takes the place of the whole.
    const other = await page.context().newPage();
    await other.goto(`${url}/jobs/${JOB}/trials/${first.name}`);
    const review = other.getByRole("form", { name: "Review" });
    await expect(review).toContainText("was split into “Wrong program” and “Wrong option”: choose again.");
    await review
      .getByRole("note")
      .getByRole("button", { name: /^Wrong option/ })
      .press("Enter");
    await expect(review.getByText("choose again")).toHaveCount(0);
    await expect(review.getByRole("button", { name: /^Wrong option/ })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(review.getByRole("button", { name: /wrong <b>tool/ })).toHaveCount(0);
    await other.close();

    await press(page, page.getByRole("button", { name: "Undo", exact: true }));
    await expect(page.getByRole("list", { name: "To be relabelled" })).toHaveCount(0);

    await press(page, panel.getByRole("button", { name: "Merge" }));
    await page.keyboard.type("no such thing");
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("alert")).toContainText("called “no such thing”");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("misread TASK");
    await page.keyboard.press("Enter");
    await expect(panel).toContainText("Merged into Misread task");
    // An address from before the category was renamed still finds its judgments, by the name of today.
    await page.goto(`${url}/annotations?category=wrong+%3Cb%3Etool%3C%2Fb%3E`);
    await expect(page.getByRole("row", { name: new RegExp(first.task) })).toContainText("Misread task");
    await expect(page.getByRole("row", { name: new RegExp(second.task) })).toHaveCount(0);

    await page.goto(`${url}${CODEBOOK}?tab=coding`);
    const notes = page.getByRole("form", { name: "Notes without a category" });
    await expect(notes).toContainText("Stopped <i>half</i> way.");
    await expect(notes).not.toContainText("Called grep.");
    await press(page, page.getByRole("button", { name: "Begin open coding" }));
    await expect(page.getByText("Open coding is on.", { exact: true })).toBeVisible();
    await tabTo(page, notes.getByRole("checkbox"));
    await page.keyboard.press("Space");
    await press(page, notes.getByRole("button", { name: "Queue these for coding" }));
    await expect(page).toHaveURL(/\/annotations\/queues\/new\?judgment=[\w-]{36}$/);

    await page.goto(`${url}${CODEBOOK}?tab=history`);
    await expect(page.getByRole("row")).toHaveText([
      /^Version/,
      /^6Began open coding\./,
      /^5Merged “Wrong tool chosen” into “Misread task”\./,
      /^4Restored “Wrong tool chosen”\./,
      /^3Split “Wrong tool chosen” into “Wrong program”, “Wrong option”\./,
      /^2Renamed “wrong <b>tool<\/b>” to “Wrong tool chosen”\.Ada Example/,
      /^1Added “wrong <b>tool<\/b>”\.Ada Example/,
    ]);
    const exported = runCli("codebook", "export");
    expect(exported.code).toBe(0);
    expect(await (await page.request.get(`${url}${CODEBOOK}/export`)).text()).toBe(exported.stdout);
  });
});

test("two people change the same category: the second sees it, and nothing typed is lost; judgments follow a new name and a merge @long", async ({
  browser,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const open = async (name: string) => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`${url}${CODEBOOK}?open=lucky`);
      await page.getByPlaceholder("Your name").fill(name);
      await page.getByRole("button", { name: "Edit" }).click();
      return page;
    };
    const [ada, grace] = [await open("Ada"), await open("Grace")];
    await ada.getByLabel(/^Definition/).fill("By chance alone.");
    await grace.getByLabel(/^Example/).fill("A race that ends well.");
    await ada.getByRole("button", { name: "Save" }).click();
    await expect(ada.getByRole("status").filter({ hasText: "Saved" })).toBeVisible();
    await grace.getByRole("button", { name: "Save" }).click();
    await expect(grace.getByRole("alert").filter({ hasText: "Ada changed this meanwhile" })).toBeVisible();
    await expect(grace.getByLabel(/^Example/)).toHaveValue("A race that ends well.");
    await grace.getByRole("button", { name: "Save over theirs" }).click();
    await expect(grace.getByText("A race that ends well.")).toBeVisible();
    await expect(grace.getByText("Version 2, Grace")).toBeVisible();
    await expect(grace.getByText("Version 1, Ada")).toBeVisible();

    const [trial] = readFailedTrials(jobsFolder, JOB);
    const said = await act(grace.request, url, "saveReview", {
      target: { kind: "trial", jobKey: JOB, trialKey: trial?.name ?? "", list: null },
      draft: {
        ...{ reviewerId: "Grace", reviewerDiscipline: null, judgment: "fail", categories: ["Wrong tool"] },
        ...{ notes: "", confidence: null, evidence: [] },
      },
      ...{ baseVersionId: null, saveId: null, thenNext: false },
      seen: { outcome: "failed", reward: "0.0" },
    });
    expect(said).toContain('"saved"');
    await grace.goto(`${url}${CODEBOOK}?q=wrong+tool`);
    await grace.getByRole("link", { name: "Wrong tool", exact: true }).click();
    const panel = grace.getByRole("region", { name: /^Category/ });
    await panel.getByRole("button", { name: "Edit" }).press("Enter");
    await panel.getByLabel(/^Name/).fill("Wrong program");
    await panel.getByLabel(/^Name/).press("Enter");
    await expect(panel).toContainText("Renamed “Wrong tool” to “Wrong program”.");
    await panel.getByRole("button", { name: "Merge" }).press("Enter");
    await grace.keyboard.type("misread TASK");
    await grace.keyboard.press("Enter");
    await expect(panel).toContainText("Merged into Misread task");
    await grace.goto(`${url}/annotations?category=Wrong+tool`);
    await expect(grace.getByRole("row", { name: new RegExp(trial?.task ?? "none") })).toContainText(
      "Misread task",
    );
    await Promise.all([ada.context().close(), grace.context().close()]);
  });
});

test("10,000 categories: a file is compared first, imported whole, and the page stays small @long", async ({
  page,
}) => {
  await withFewJobs(
    async ({ url, runCli, dataFolder }) => {
      const answer = await page.request.get(`${url}${CODEBOOK}`);
      expect((await answer.body()).length).toBeLessThan(400_000);
      await page.goto(`${url}${CODEBOOK}?q=number+9985`);
      await expect(page.getByRole("link", { name: "Number 9985" })).toBeVisible();
      await page.goto(`${url}${CODEBOOK}?tab=file`);
      await page.getByPlaceholder("Your name").fill("Ada");
      const readExport = async () => (await page.request.get(`${url}${CODEBOOK}/export`)).text();
      const choose = (content: string) =>
        page.getByLabel("Codebook file").setInputFiles({
          name: "codebook.json",
          mimeType: "application/json",
          buffer: Buffer.from(content),
        });
      const result = page.getByRole("status").filter({ hasText: /import|Dry run|JSON|page takes/i });
      await choose(await readExport());
      await expect(result).toContainText("assay codebook import FILE --dry-run");
      await choose("{ not JSON");
      await expect(result).toContainText("line 1");
      const one = (values: object) => JSON.stringify({ schema: "assay.codebook/1", categories: [values] });
      await choose(one({ label: "<img src=x>", contexts: [] }));
      await expect(result).toContainText("entry 1 (<img src=x>)");
      await expect(page.getByRole("button", { name: "Import" })).toHaveCount(0);
      // A name that is missing is asked for, and the file is not asked for again.
      await page.getByPlaceholder("Your name").fill("");
      await choose(one({ label: "number 1", definition: "The first.", contexts: ["fail"] }));
      await expect(page.getByText("Enter your name: it is shown")).toBeVisible();
      await expect(page.getByText("codebook.json", { exact: true })).toBeVisible();
      await page.getByPlaceholder("Your name").fill("Ada");
      await page.getByRole("button", { name: "Check again" }).press("Enter");
      await expect(result).toContainText("Dry run. 0 added, 1 changed, 0 unchanged");
      await page.getByRole("button", { name: "Import" }).click();
      await expect(result).toContainText("Imported as version 2.");
      writeFileSync(join(dataFolder, "after.json"), await readExport());
      expect(runCli("codebook", "import", join(dataFolder, "after.json")).stdout).toContain(
        "10000 unchanged",
      );
    },
    ({ dataFolder, runCli }) => {
      const categories = Array.from({ length: 9_986 }, (_, at) => ({
        id: `n${at}`,
        label: `Number ${at}`,
        definition: "Its definition. ".repeat(20),
        parent: at % 3 === 0 ? null : `n${at - 1}`,
        contexts: ["fail"],
      }));
      const file = join(dataFolder, "codebook.json");
      writeFileSync(file, JSON.stringify({ schema: "assay.codebook/1", categories }));
      const imported = runCli("codebook", "import", file, "--name", "Grace");
      expect(imported.stdout).toMatch(/^Imported as version 1: 9986 added/);
    },
  );
});
