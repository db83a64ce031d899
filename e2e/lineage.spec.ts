import { cpSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";

const CORPUS = join(import.meta.dirname, "..", "lib", "core", "verification", "corpus", "jobs", "0.24.0");

interface Result {
  readonly id: string;
  readonly verifier_result: { readonly rewards: { readonly reward: number } } | null;
  readonly config: { readonly source_trial?: { readonly trial_id: string } | null };
}

/** Regraded trials whose reward rose, with both folders, from Harbor's files. */
function readRisen(scenario: string): readonly { readonly source: string; readonly regrade: string }[] {
  const read = (job: string) =>
    globSync(join(CORPUS, scenario, job, "*", "result.json")).map((file) => ({
      name: basename(dirname(file)),
      result: JSON.parse(readFileSync(file, "utf8")) as Result,
    }));
  const sources = new Map(read("source").map((trial) => [trial.result.id, trial]));
  return read("regraded").flatMap(({ name, result }) => {
    const source = sources.get(result.config.source_trial?.trial_id ?? "");
    const [before, after] = [source, { result }].map((one) => one?.result.verifier_result?.rewards.reward);
    const hasRisen = before !== undefined && after !== undefined && after > before;
    return hasRisen && source !== undefined ? [{ source: source.name, regrade: name }] : [];
  });
}

test("a regrade counts its flips, and both verdicts of a rollout link to each other @long", async ({
  page,
}) => {
  const risen = readRisen("regrade");
  expect(risen.length).toBeGreaterThan(0);
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/jobs/regraded`);
      await page.getByRole("link", { name: "Regrades", exact: true }).click();
      const flips = page.getByRole("region", { name: "Regraded verdicts" });
      const total = flips.getByRole("row", { name: /^All \d+ tasks/ });
      await total
        .getByRole("link", { name: String(risen.length), exact: true })
        .first()
        .click();
      await expect(page).toHaveURL(/flip=up/);
      await expect(page.locator("a.job-attempt")).toHaveCount(risen.length);
      for (const { source, regrade } of risen) {
        await page.goto(`${url}/jobs/regraded/trials/${regrade}?tab=evaluation`);
        const note = page.getByRole("region", { name: "Regrade", exact: true });
        await expect(note).toContainText("up");
        await expect(page.getByRole("main")).toContainText("tokens and cost are the source's");
        await note.getByRole("link").click();
        await expect(page).toHaveURL(`${url}/jobs/source/trials/${source}`);
        await page.getByRole("link", { name: "Evidence", exact: true }).click();
        await note.getByRole("link", { name: regrade }).click();
        await expect(page).toHaveURL(`${url}/jobs/regraded/trials/${regrade}`);
      }

      await page.goto(url);
      const row = (name: string) => page.getByRole("row", { name: new RegExp(`^Select .* of ${name} `) });
      await row("regraded").getByRole("checkbox").check();
      await row("source").getByRole("checkbox").check();
      await page.getByRole("main").getByRole("button", { name: "Compare" }).click();
      await expect(page.getByRole("main").getByRole("alert")).toContainText("not independent samples");
    },
    ({ jobsFolder }) => {
      for (const job of ["source", "regraded"])
        cpSync(join(CORPUS, "regrade", job), join(jobsFolder, job), { recursive: true });
    },
  );
});

test("a diff lists reused tasks, and what is unknown once its source is closed @long", async ({ page }) => {
  const open = async (jobs: readonly string[], check: (url: string) => Promise<void>) =>
    withFewJobs(
      ({ url }) => check(url),
      ({ jobsFolder }) => {
        for (const job of jobs)
          cpSync(join(CORPUS, "diff", job), join(jobsFolder, `${job}-here`), { recursive: true });
      },
    );
  const panel = page.getByRole("region", { name: "Difference from the source" });
  await open(["source", "diff"], async (url) => {
    await page.goto(`${url}/jobs/diff-here?tab=lineage`);
    await expect(panel).toContainText("2 reused, 2 regraded, 4 rerun");
    await expect(panel.getByRole("row", { name: /alpha/ })).toContainText("1.0.0");
    await panel.getByRole("link", { name: "source-here" }).click();
    await expect(page).toHaveURL(`${url}/jobs/source-here`);
    await page.getByRole("link", { name: "Regrades", exact: true }).click();
    await expect(page.getByRole("main")).toContainText("regraded in diff-here (2 trials)");
  });
  await open(["diff"], async (url) => {
    await page.goto(`${url}/jobs/diff-here?tab=lineage`);
    await expect(panel).toContainText("not open");
    await expect(panel.getByRole("row", { name: /alpha/ })).toHaveCount(0);
    await expect(panel).toContainText("Open the source to see them");
  });
});
