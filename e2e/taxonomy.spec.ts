import { expect, test, withFewJobs } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

test("a rule's suggestion is answered by keyboard, counted, disputed by somebody else, and undone", async ({
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
    const group = ada.getByRole("group", { name: "Is it right? out of time" });
    await expect(async () => {
      await ada.goto(address);
      await expect(group).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await group.getByRole("button", { name: "Right" }).focus();
    await ada.keyboard.press("Enter");
    await expect(group.getByLabel("Your name")).toBeFocused();
    await ada.keyboard.type("Ada");
    await ada.keyboard.press("Enter");
    const right = group.getByRole("button", { name: "Right" });
    await expect(right).toHaveAttribute("aria-pressed", "true");
    await expect(right).toBeFocused();

    const ben = await (await browser.newContext()).newPage();
    const counts = async () => {
      await ben.goto(`${url}/errors`);
      await ben.getByRole("link", { name: "Taxonomy", exact: true }).press("Enter");
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
    const asked = ben.getByRole("group", { name: "Is it right? out of time" });
    await expect(asked).toContainText("Ada: right");
    await asked.getByRole("button", { name: "Wrong" }).press("Enter");
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
