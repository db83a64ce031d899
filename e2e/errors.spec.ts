import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-baseline";

test("exceptions are counted as the files have them, and lead to their trials @long", async ({
  page,
  assay,
}) => {
  const failures = readRecordedTrials(assay.jobsFolder, JOB).filter(({ exception }) => exception !== null);
  const timeouts = failures.filter(({ exception }) => exception === "AgentTimeoutError");
  const types = new Set(failures.map(({ exception }) => exception));
  await page.goto(`/jobs/${JOB}?tab=errors`);
  await expect(page.getByRole("link", { name: `Errors ${types.size}`, exact: true })).toBeVisible();
  await page.goto(`/errors/exceptions?job=${JOB}`);
  await expect(page.getByRole("main")).toContainText(
    `${failures.length} of 360 finished trials in ${JOB} ended with an exception`,
  );

  const table = page.getByRole("table", { name: "Exceptions by cause and type" });
  const row = table.getByRole("row").filter({ has: page.getByRole("link", { name: "AgentTimeoutError" }) });
  await expect(row.getByRole("link", { name: String(timeouts.length), exact: true })).toBeVisible();
  for (const agent of ["orca", "lamp", "tern"]) {
    const count = timeouts.filter((trial) => trial.agent === agent).length;
    await expect(row.getByRole("cell", { name: String(count), exact: true }).first()).toBeVisible();
  }

  await row.getByRole("link", { name: "AgentTimeoutError" }).click();
  await expect(page).toHaveURL(/open=AgentTimeoutError/);
  await page.getByRole("link", { name: new RegExp(`^All ${timeouts.length} trials in ${JOB}`) }).click();
  await expect(page).toHaveURL(/tab=trials/);
  await expect(page.getByRole("main")).toContainText("AgentTimeoutError");
});

for (const job of [JOB, "kernel-steps"])
  test(`the exceptions of ${job} lead to the triage of all its trials that did not pass`, async ({
    page,
    assay,
  }) => {
    const trials = readRecordedTrials(assay.jobsFolder, job);
    const notPassed = trials.filter(({ reward }) => reward !== 1);
    await page.goto(`/jobs/${job}?tab=errors`);
    await expect(page.getByRole("main").getByText("No exception", { exact: true })).toHaveCount(
      trials.some(({ exception }) => exception !== null) ? 0 : 1,
    );
    await page.getByRole("link", { name: "Triage of this job" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Triage");
    await expect(page.getByRole("main")).toContainText(`${String(notPassed.length)} trials did not pass`);
  });
