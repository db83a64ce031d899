import type { Page } from "@playwright/test";

import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const ADMIN_TOKEN = "an-admin-for-this-test-only";

function findPanel(page: Page) {
  const panel = page.getByRole("form", { name: "Review" });
  return {
    panel,
    name: panel.getByLabel("Reviewer", { exact: true }),
    note: panel.getByLabel("Note"),
    status: panel.getByRole("status").first(),
    alert: panel.getByRole("alert"),
    judge: (verdict: "Pass" | "Fail") =>
      panel.getByRole("button", { name: new RegExp(`^${verdict}`) }).click(),
    save: () => panel.getByRole("button", { name: "Save", exact: true }).click(),
    undo: () => panel.getByRole("button", { name: /^Undo/ }).click(),
  };
}

test("a judgment is changed in its own browser or by an admin, and by nobody who types the name", async ({
  page,
  browser,
}) => {
  await withFewJobs(
    async ({ url, jobsFolder, runCli }) => {
      const [trial] = readFailedTrials(jobsFolder, JOB);
      const address = `${url}/jobs/${JOB}/trials/${trial?.name ?? ""}`;
      const readJudgments = () =>
        runCli("annotations", "export")
          .stdout.split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as { readonly judgment: string; readonly notes: string | null });

      const ada = findPanel(page);
      await page.goto(address);
      await ada.name.fill("Ada Example");
      await ada.judge("Pass");
      await ada.note.fill("mine");
      await ada.save();
      await expect(ada.status).toHaveText(/^Saved/);

      const elsewhere = await browser.newContext();
      const other = await elsewhere.newPage();
      const mallory = findPanel(other);
      await other.goto(address);
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

      await other.goto(`${address}?token=${ADMIN_TOKEN}`);
      expect(other.url()).toBe(address);
      await expect(mallory.note).toHaveValue("mine, changed");
      await expect(mallory.panel).toContainText("Ada Example’s judgment as admin");
      await mallory.undo();
      await expect.poll(readJudgments).toMatchObject([{ judgment: "pass", notes: "mine", saved_by: null }]);
      await mallory.note.fill("by the admin");
      await mallory.save();
      await expect
        .poll(readJudgments)
        .toMatchObject([{ reviewer_id: "ada example", notes: "by the admin", saved_by: "admin" }]);
      await mallory.panel.getByText(/^History \d/).click();
      await expect(mallory.panel).toContainText("Saved by an admin");
      await expect(mallory.panel).toContainText("Undone by an admin");
      await page.reload();
      await expect(ada.panel).not.toContainText("as admin");
      await elsewhere.close();
    },
    undefined,
    { environment: { ASSAY_ADMIN_TOKEN: ADMIN_TOKEN } },
  );
});
