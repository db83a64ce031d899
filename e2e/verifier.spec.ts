import { type ListedTrial, storeLabelledQueue } from "@/lib/testing/labelled-queue";

import { type Assay, expect, test, withFewJobs } from "./fixtures/app";
import { findViolations } from "./fixtures/axe";
import { readRecordedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** The job's trials with a verdict; the first of each verdict are sampled and judged by `judge`. */
function listTrials(
  { jobsFolder }: Pick<Assay, "jobsFolder">,
  nOfEach: number,
  judge: (hasPassed: boolean, place: number) => ListedTrial["judgment"],
): readonly ListedTrial[] {
  const seen = new Map<boolean, number>();
  return readRecordedTrials(jobsFolder, JOB).flatMap(({ name, task, agent, model, reward, exception }) => {
    if (reward === null && exception === null) return [];
    const hasPassed = reward === 1;
    const place = seen.get(hasPassed) ?? 0;
    seen.set(hasPassed, place + 1);
    const isDrawn = place < nOfEach;
    const judgment = isDrawn ? judge(hasPassed, place) : null;
    return [{ jobName: JOB, trialName: name, taskName: task, agent, model, hasPassed, judgment, isDrawn }];
  });
}

const SETTINGS = {
  name: "Audit",
  source: `Trials of ${JOB}`,
  sourceHref: `/jobs/${JOB}?tab=trials`,
} as const;

test("labels of a random queue give a matrix, a corrected score next to the recorded one, and the next queue by one click @long", async ({
  page,
}) => {
  let list: readonly ListedTrial[] = [];
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/annotations/verifier`);
      const main = page.getByRole("main");
      // Humans fail one of 12 passes, and pass three of 12 others.
      await expect(main).toContainText("24 labels from 24 trials sampled at random in 1 queue");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const scope = { within: "main", isAgain: colorScheme === "dark" };
        expect(await findViolations(page, scope)).toEqual([]);
      }
      const matrix = page.getByRole("table", { name: "Labels by verifier and human" });
      await expect(matrix.getByRole("row", { name: /Human pass/ })).toContainText(/11 labels.*3 too strict/);
      await expect(matrix.getByRole("row", { name: /Human fail/ })).toContainText(/1 too lenient.*9 labels/);

      const nPassed = list.filter(({ hasPassed }) => hasPassed).length;
      const corrected = (nPassed * (11 / 12) + (list.length - nPassed) * (3 / 12)) / list.length;
      await expect(page.getByRole("region", { name: "Corrected score", exact: true })).toContainText(
        corrected.toFixed(3),
      );

      await page.goto(`${url}/jobs/${JOB}`);
      const score = page.getByRole("link", {
        name: new RegExp(`${corrected.toFixed(2)} (±0\\.\\d\\d|\\[0\\.\\d\\d, [01]\\.\\d\\d\\]), 24 labels`),
      });
      await score.click();
      await expect(page).toHaveURL(/\/annotations\/verifier\?job=/);
      // The list has only this job, so the filter excludes nothing.
      await expect(page.getByRole("button", { name: "Queue next 20 labels" })).toBeVisible();
      await expect(page.getByRole("img", { name: /^Half the 95 % interval/ })).toBeVisible();

      await page.goto(`${url}/annotations/verifier`);
      const file = await page.request.get(`${url}/annotations/verifier/export`);
      expect((await file.text()).split("\r\n")[1]).toMatch(/^all,All agents,\d+,\d+,11,1,3,9,/);
      await page.getByRole("button", { name: "Queue next 20 labels" }).click();
      await expect(page).toHaveURL(/\/annotations\/queues\/[\da-f-]{36}$/);
      await expect(page.getByRole("heading", { name: "Next labels: Audit" })).toBeVisible();
      const made = new URL(page.url()).pathname;
      await page.goto(`${url}/annotations/verifier`);
      await expect(page.getByRole("button", { name: /^Queue next/ })).toHaveCount(0);
      await expect(page.getByRole("link", { name: "Open next-labels queue" })).toHaveAttribute("href", made);
    },
    async (folders) => {
      list = listTrials(folders, 12, (hasPassed, place) =>
        hasPassed ? (place === 0 ? "fail" : "pass") : place < 3 ? "pass" : "fail",
      );
      await storeLabelledQueue(folders.dataFolder, list, { ...SETTINGS, method: "stratified" });
    },
  );
});

test("too few or hand-picked labels correct nothing, and pages say so @long", async ({ page }) => {
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/jobs/${JOB}`);
      await page.getByRole("link", { name: "6 of 10 labels needed" }).click();
      await expect(page.getByRole("main")).toContainText("needs 2 pass and 2 not pass");
    },
    (folders) => storeFew(folders, "random"),
  );
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/jobs/${JOB}`);
      await page.getByRole("link", { name: "6 labels were not randomly sampled" }).click();
      await expect(page.getByRole("heading", { name: "No labels from random samples" })).toBeVisible();
      await expect(page.getByRole("table", { name: /not from random samples/ })).toContainText("3 labels");
      await expect(page.getByRole("main")).not.toContainText("6 trials sampled at random");
    },
    (folders) => storeFew(folders, "selection"),
  );
});

test("labels of not passed trials only correct no score, in the same words on every page @long", async ({
  page,
}) => {
  const words = "sampled only from trials that did not pass";
  let queueId = "";
  await withFewJobs(
    async ({ url }) => {
      const main = page.getByRole("main");
      await page.goto(`${url}/jobs/${JOB}`);
      await page.getByRole("link", { name: `10 labels were ${words}` }).click();
      await expect(main).toContainText(
        "Drawn only from trials that did not pass: no score can be corrected.",
      );
      // Three of ten.
      await expect(main).toContainText("Of those that it did not pass humans pass 30.0 %");
      await expect(page.getByRole("button", { name: /^Queue next/ })).toHaveCount(0);
      await expect(main).not.toContainText("too strict:");

      await page.goto(`${url}/annotations/queues/${queueId}`);
      await expect(main).toContainText(`Its trials were ${words}, so they correct no score.`);
      await expect(main).not.toContainText("and the corrected score");
      await expect(main).not.toContainText("reviewed by you");
    },
    async (folders) => {
      const all = listTrials(folders, 10, (_, place) => (place < 3 ? "pass" : "fail"));
      const outcomes = ["partial", "failed", "errored", "timeout", "cancelled"].map(
        (one) => `&outcome=${one}`,
      );
      queueId = await storeLabelledQueue(
        folders.dataFolder,
        all.filter(({ hasPassed }) => !hasPassed),
        { ...SETTINGS, sourceHref: `/jobs/${JOB}?tab=trials${outcomes.join("")}`, method: "random" },
      );
    },
  );
});

async function storeFew(folders: Pick<Assay, "jobsFolder" | "dataFolder">, method: "random" | "selection") {
  const list = listTrials(folders, 3, (hasPassed) => (hasPassed ? "pass" : "fail"));
  await storeLabelledQueue(folders.dataFolder, list, { ...SETTINGS, method });
}
