import { writeFileSync } from "node:fs";

import { expect, test, withFewJobs } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

test("a rule's suggestion is answered by keyboard, counted, disputed by another reviewer, and undone", async ({
  browser,
}) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const timeouts = readRecordedTrials(jobsFolder, JOB).filter(
      ({ exception, reward }) => exception === "AgentTimeoutError" && (reward ?? 0) < 1,
    );
    const [trial] = timeouts;
    if (trial === undefined) throw new Error("the samples have a timeout");
    const address = `${url}/jobs/${JOB}/trials/${trial.name}`;
    const ada = await browser.newPage();
    const group = ada.getByRole("group", { name: "Is it correct? out of time" });
    await expect(async () => {
      await ada.goto(address);
      await expect(group).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await group.getByRole("button", { name: "Yes" }).focus();
    await ada.keyboard.press("Enter");
    await expect(group.getByLabel("Your name")).toBeFocused();
    await ada.keyboard.type("Ada");
    await ada.keyboard.press("Enter");
    const right = group.getByRole("button", { name: "Yes" });
    await expect(right).toHaveAttribute("aria-pressed", "true");
    await expect(right).toBeFocused();

    const ben = await (await browser.newContext()).newPage();
    const counts = async () => {
      await ben.goto(`${url}/errors/taxonomy`);
      const row = ben
        .getByRole("table", { name: "Suggesters" })
        .getByRole("row")
        .filter({ hasText: "agent-timeout" });
      await expect(row).toHaveCount(1);
      return (await row.getByRole("cell").allInnerTexts()).slice(2, 6).map(Number);
    };
    // Trials, right, wrong, disputed.
    expect(await counts()).toEqual([timeouts.length, 1, 0, 0]);

    await ben.goto(address);
    const asked = ben.getByRole("group", { name: "Is it correct? out of time" });
    await expect(asked).toContainText("Ada: yes");
    await asked.getByRole("button", { name: "No" }).press("Enter");
    await asked.getByLabel("Your name").fill("Ben");
    await ben.keyboard.press("Enter");
    await expect(asked).toContainText("Reviewers disagree");
    expect(await counts()).toEqual([timeouts.length, 0, 0, 1]);

    await right.press("Enter");
    await expect(right).toHaveAttribute("aria-pressed", "false");
    await expect(right).toBeFocused();
    expect(await counts()).toEqual([timeouts.length, 0, 1, 0]);
  });
});

test("tags of another tool are imported, listed with the others, answered, and undone by their importer @long", async ({
  browser,
}, testInfo) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [trial, second] = readRecordedTrials(jobsFolder, JOB);
    const tag = (name: string | undefined) => ({
      trial: name,
      category: "gave up",
      description: "<script>alert(1)</script>",
      source: "my-judge",
      evidence: ["I cannot do this."],
    });
    const write = (name: string, ...lines: readonly object[]) => {
      const path = testInfo.outputPath(name);
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return path;
    };
    const ada = await browser.newPage();
    await ada.goto(`${url}/errors/taxonomy`);
    await ada.getByRole("link", { name: "Import tags" }).press("Enter");
    const files = ada.locator("input[type=file]");
    await files.setInputFiles(write("wrong.jsonl", tag(trial?.name), tag("nowhere")));
    const wrong = ada.getByRole("table", { name: "Invalid lines" });
    await expect(wrong).toContainText("wrong.jsonl:2");
    await expect(wrong).toContainText("No open folder has a trial");
    await files.setInputFiles(write("tags.jsonl", tag(trial?.name), tag(second?.name)));
    await ada.getByRole("button", { name: "Import 2 tags" }).press("Enter");
    await expect(ada.getByRole("status").first()).toHaveText("Imported 2 tags.");
    const imports = ada.getByRole("table", { name: "Imports of tags" });
    await expect(imports).toContainText("my-judge");

    const ben = await (await browser.newContext()).newPage();
    await ben.goto(`${url}/errors/taxonomy`);
    const row = ben
      .getByRole("table", { name: "Categories of all sources" })
      .getByRole("row", { name: /gave up/ });
    await expect(row).toContainText("import, my-judge");
    await row.getByRole("link", { name: "2" }).press("Enter");
    await expect(ben.getByRole("main")).toContainText("2 of ");
    await ben.goto(`${url}/jobs/${JOB}/trials/${trial?.name ?? ""}?tab=evaluation`);
    const section = ben.getByRole("region", { name: "Imported tags" });
    await expect(section).toContainText("<script>alert(1)</script>");
    await section.getByRole("button", { name: "No" }).press("Enter");
    await section.getByLabel("Your name").fill("Ben");
    await ben.keyboard.press("Enter");
    await expect(section.getByRole("button", { name: "No" })).toHaveAttribute("aria-pressed", "true");

    await ben.goto(`${url}/annotations/import`);
    await expect(ben.getByRole("table", { name: "Imports of tags" })).toContainText("my-judge");
    await expect(ben.getByRole("button", { name: /^Undo/ })).toHaveCount(0);
    await imports.getByRole("button", { name: "Undo the import of 2 tags" }).press("Enter");
    await expect(imports).toHaveCount(0);
    await ben.goto(`${url}/errors/taxonomy`);
    await expect(row).toHaveCount(0);
  });
});
