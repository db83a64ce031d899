import { type APIRequestContext, type Page, request as playwrightRequest } from "@playwright/test";

import { act, draftOf } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

function findPanel(page: Page) {
  const panel = page.getByRole("form", { name: "Review" });
  return {
    panel,
    name: panel.getByLabel("Reviewer", { exact: true }),
    note: panel.getByLabel("Note"),
    status: panel.getByRole("status").first(),
    alert: panel.getByRole("alert"),
    unfold: () => panel.getByRole("button", { name: "Whole form" }).click(),
    judge: (verdict: "Pass" | "Fail") =>
      panel.getByRole("button", { name: new RegExp(`^${verdict}`) }).click(),
    save: () => panel.getByRole("button", { name: "Save", exact: true }).click(),
    undo: () => panel.getByRole("button", { name: /^Undo/ }).click(),
  };
}

test("a judgment is changed and undone only by requests of its own browser, not by name", async () => {
  await withFewJobs(async ({ url, jobsFolder, runCli }) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    const [ada, mallory] = [await playwrightRequest.newContext(), await playwrightRequest.newContext()];
    for (const one of [ada, mallory]) await one.get(`${url}/views`, { headers: { accept: "text/html" } });
    const readJudgments = () => {
      const lines = runCli("annotations", "export").stdout.trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as { readonly version_id: string });
    };
    const save = (request: APIRequestContext, notes: string, base: string | null = null) => {
      const fields = { reviewerId: "Ada Example", judgment: "pass", notes } as const;
      return act(request, url, "saveReview", draftOf(JOB, trial?.name ?? "", fields, base));
    };
    expect(await save(ada, "mine")).toContain('"status":"saved"');
    const [{ version_id: base } = { version_id: "" }] = readJudgments();
    expect(await save(mallory, "not mine", base)).toContain("saved in another browser");
    const target = { kind: "trial", jobKey: JOB, trialKey: trial?.name ?? "", list: null };
    const undone = { target, reviewerId: "Ada Example", versionId: base };
    expect(await act(mallory, url, "undoReview", undone)).toContain("saved in another browser");
    expect(readJudgments()).toMatchObject([{ judgment: "pass", notes: "mine" }]);
    expect(await save(ada, "mine, changed", base)).toContain('"status":"saved"');
    expect(readJudgments()).toMatchObject([{ judgment: "pass", notes: "mine, changed" }]);
    await Promise.all([ada, mallory].map((one) => one.dispose()));
  });
});

test("a judgment is changed only in its own browser, not by typing the name @long", async ({
  page,
  browser,
}) => {
  await withFewJobs(async ({ url, jobsFolder, runCli }) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    const address = `${url}/jobs/${JOB}/trials/${trial?.name ?? ""}`;
    const readJudgments = () =>
      runCli("annotations", "export")
        .stdout.split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { readonly judgment: string; readonly notes: string | null });

    const ada = findPanel(page);
    await page.goto(address);
    await ada.unfold();
    await ada.name.fill("Ada Example");
    await ada.judge("Pass");
    await ada.note.fill("mine");
    await ada.save();
    await expect(ada.status).toHaveText(/^Saved/);

    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    const mallory = findPanel(other);
    await other.goto(address);
    await mallory.unfold();
    await mallory.name.fill("ada example");
    await expect(mallory.note).toHaveValue("mine");
    await mallory.judge("Fail");
    await mallory.note.fill("not mine");
    await mallory.save();
    await expect(mallory.alert).toContainText("saved in another browser");
    await expect(mallory.note).toHaveValue("not mine");
    await other.reload();
    await expect(mallory.note).toHaveValue("not mine");
    await expect(mallory.alert).toContainText("saved in another browser");
    await mallory.panel.getByRole("button", { name: /^Discard/ }).click();
    await other.reload();
    await mallory.undo();
    await expect(mallory.alert).toContainText("saved in another browser");
    expect(readJudgments()).toMatchObject([{ judgment: "pass", notes: "mine" }]);

    await ada.note.fill("mine, changed");
    await ada.save();
    await expect.poll(readJudgments).toMatchObject([{ judgment: "pass", notes: "mine, changed" }]);
    await elsewhere.close();
  });
});
