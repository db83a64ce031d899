import { expect, test } from "./fixtures/app";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-baseline";

for (const job of [JOB, "kernel-steps"])
  test(`the exceptions of ${job} lead to the causes of all its trials that did not pass`, async ({
    page,
    assay,
  }) => {
    const trials = readRecordedTrials(assay.jobsFolder, job);
    const notPassed = trials.filter(({ reward }) => reward !== 1);
    await page.goto(`/jobs/${job}?tab=errors`);
    await expect(page.getByRole("main").getByText("No exception", { exact: true })).toHaveCount(
      trials.some(({ exception }) => exception !== null) ? 0 : 1,
    );
    await page.getByRole("link", { name: "Failures of this job" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Failures");
    await expect(page.getByRole("main")).toContainText(`${String(notPassed.length)} trials`);
  });
