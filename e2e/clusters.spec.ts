import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-baseline";

test("a cluster opens from a trial, gets a shared name, and links to the list and queue of its trials", async ({
  page,
  assay,
}) => {
  const timeouts = readRecordedTrials(assay.jobsFolder, JOB).filter(
    ({ exception, reward }) => exception === "AgentTimeoutError" && reward !== 1,
  );
  await page.goto(`/trials?job=${JOB}&exception=AgentTimeoutError`);
  await page
    .getByRole("table", { name: "Trials of all jobs" })
    .locator("tbody [data-row-link]")
    .first()
    .click();
  await page.getByRole("link", { name: "similar failures" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("AgentTimeoutError");
  const jobs = page.getByRole("table", { name: "By job" });
  await expect(jobs.getByRole("row").filter({ hasText: JOB })).toContainText(String(timeouts.length));

  await page.getByRole("button", { name: "Name this cluster" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Agents are too slow");
  await page.getByRole("textbox", { name: "Your name" }).fill("Ana");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents are too slow");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents are too slow");
  await page.getByText("Named by Ana").click();
  await expect(page.getByRole("listitem").filter({ hasText: "Agents are too slow" })).toContainText("Ana");

  await page.getByRole("link", { name: "New queue" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("queue", { ignoreCase: true });
  await page.goBack();
  await page.getByRole("link", { name: JOB, exact: true }).click();
  await expect(page.getByRole("main")).toContainText(`${String(timeouts.length)} of 360 trials`);
});

test("reports an unknown cluster", async ({ page }) => {
  const answer = await page.goto("/errors/clusters/0000000000000000");
  expect(answer?.status()).toBe(404);
});
