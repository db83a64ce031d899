import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { expect, test, withAssay } from "./fixtures/app";
import { linkTree } from "./fixtures/job-folders";

const JOB = "voltage-drop-aec";
const TASK = "title-block-review";
const DIMENSION = "sheet_names";

const result = z.looseObject({
  agent_info: z.looseObject({ name: z.string() }),
  verifier_result: z.looseObject({ rewards: z.looseObject({ reward: z.number() }) }),
});
const details = z.record(
  z.string(),
  z.union([z.number(), z.looseObject({ score: z.number(), max_score: z.number() })]),
);

/** Reads agent, reward and dimension shares from the files of the task's trials. */
function readShares(jobsFolder: string) {
  const folder = join(jobsFolder, JOB);
  // One trial's verifier crashed without details, so it has no dimensions.
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(TASK) && existsSync(join(folder, name, "verifier/details.json")),
  );
  return names.map((name) => {
    const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, name, file), "utf8"));
    const { agent_info: agent, verifier_result: verifier } = result.parse(read("result.json"));
    const shares = Object.entries(details.parse(read("verifier/details.json"))).flatMap(([dimension, row]) =>
      typeof row === "number" ? [] : [[dimension, row.score / row.max_score] as const],
    );
    return { name, agent: agent.name, reward: verifier.rewards.reward, shares: new Map(shares) };
  });
}

test("a dimension's bar opens exactly its trials", async ({ page, assay }) => {
  const trials = readShares(assay.jobsFolder).filter(({ agent }) => agent === "lamp");
  await page.goto(`/jobs/${JOB}?tab=dimensions&family=${TASK}`);
  const table = page.getByRole("table", { name: `Dimensions of ${TASK} by agent` });
  const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: DIMENSION }) });
  const own = trials.map(({ shares }) => shares.get(DIMENSION) ?? Number.NaN);
  const mean = own.reduce((sum, share) => sum + share, 0) / own.length;
  await expect(row).toContainText(mean.toFixed(3));

  const tenth = Math.min(9, Math.floor(Math.min(...own) * 10 + 1e-9));
  const inBar = own.filter((share) => Math.min(9, Math.floor(share * 10 + 1e-9)) === tenth).length;
  // orca is in the first column, lamp in the second.
  await row
    .getByRole("cell")
    .nth(1)
    .locator(`.distribution-bin[title^="${tenth / 10} to"]`)
    .click();
  await expect(page).toHaveURL(/tab=trials/);
  await expect(page.getByRole("main")).toContainText(`${inBar} of 30 trials`);
  await expect(page.getByRole("link", { name: new RegExp(`${DIMENSION} of ${TASK}`) })).toBeVisible();
});

test("another rubric changes rewards, and reset restores them", async ({ page, assay }) => {
  const trials = readShares(assay.jobsFolder);
  await page.goto(`/jobs/${JOB}?tab=rubric&family=${TASK}`);
  const fits = page.getByRole("table", { name: "Rewards checked against their dimensions" });
  await expect(fits.getByRole("row", { name: /is the weighted mean/ })).toContainText(String(trials.length));

  await page.getByLabel("revisions").fill("0");
  await page.getByLabel("actionability").fill("0");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/weight\.revisions=0/);
  await expect(page).not.toHaveURL(/weight\.sheet_names/);
  const table = page.getByRole("table", { name: "Trials with their stored and recomputed reward" });
  // Only one dimension counts now, so each reward equals its share.
  for (const { name, reward, shares } of trials) {
    const row = table
      .getByRole("row")
      .filter({ has: page.locator(`a[href*="${encodeURIComponent(name)}"]`) });
    const share = shares.get(DIMENSION) ?? Number.NaN;
    await expect(row).toContainText(share.toFixed(4));
    const change = Math.round((share - reward) * 10_000) / 10_000;
    await expect(row).toContainText(change < 0 ? `−${Math.abs(change).toFixed(4)}` : change.toFixed(4));
  }
  const changes = trials.map(({ reward, shares }) => Math.abs((shares.get(DIMENSION) ?? 0) - reward));
  const largest = Math.max(...changes).toFixed(3);
  await expect(table.getByRole("row").nth(1)).toContainText(largest);

  await page.getByRole("link", { name: "Reset" }).click();
  await expect(page).not.toHaveURL(/weight/);
  await expect(page.getByLabel("revisions")).toHaveValue("1");
});

test("a trial's rubric can be tried next to its dimensions, and for all trials of its family @long", async ({
  page,
  assay,
}) => {
  const [trial] = readShares(assay.jobsFolder);
  await page.goto(`/jobs/${JOB}/trials/${trial?.name ?? ""}?tab=evaluation`);
  const section = page.getByRole("region", { name: "Rubric" });
  await expect(section).toContainText("is the weighted mean");
  await section.getByText("Try other weights").click();
  await section.getByRole("radio", { name: /Minimum/ }).check();
  await section.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/rollup=min/);
  await expect(section).toContainText(Math.min(...(trial?.shares.values() ?? [])).toFixed(4));
  await section.getByRole("link", { name: /all trials of the family/ }).click();
  await expect(page).toHaveURL(/tab=rubric.*rollup=min|rollup=min.*tab=rubric/);
  await expect(page.getByRole("radio", { name: /Minimum/ })).toBeChecked();
});

const CHANGED = "voltage-drop-changed";

/** Copies the job with half of one dimension in every trial, and no other change. */
function addChanged({ jobsFolder }: { readonly jobsFolder: string }): void {
  const to = join(jobsFolder, CHANGED);
  cpSync(join(jobsFolder, JOB), to, { recursive: true });
  const change = (file: string, make: (content: unknown) => unknown): void => {
    if (existsSync(file))
      writeFileSync(file, JSON.stringify(make(JSON.parse(readFileSync(file, "utf8")) as unknown)));
  };
  const rename = (id: string) => (content: unknown) => ({ ...z.looseObject({}).parse(content), id });
  change(join(to, "result.json"), rename("0c0c0c0c-0000-4000-8000-000000000000"));
  for (const name of readdirSync(to)) {
    change(join(to, name, "result.json"), rename(`changed-${name}`));
    change(join(to, name, "verifier/details.json"), (content) => {
      const rows = z
        .looseObject({ [DIMENSION]: z.looseObject({ score: z.number() }).optional() })
        .parse(content);
      const row = rows[DIMENSION];
      return row === undefined ? rows : { ...rows, [DIMENSION]: { ...row, score: row.score / 2 } };
    });
  }
}

/** A user ran a changed agent and looks for dimensions that got worse. */
test("the dimension that fell since another job comes first, and swapping reverses it @long", async ({
  page,
}) => {
  await withAssay(
    async ({ url }) => {
      await page.goto(`${url}/jobs/${CHANGED}?tab=dimensions`);
      const menu = page.locator("summary").filter({ hasText: "Compare with" });
      await menu.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: new RegExp(`^${JOB}`) }).click();
      await expect(page).toHaveURL(new RegExp(`with=${JOB}`));
      const table = page.getByRole("table", { name: "Dimensions side by side, worst change first" });
      // The reward is above all dimensions.
      const row = table.getByRole("row").nth(2);
      await expect(row.getByRole("rowheader")).toHaveText(DIMENSION);
      await expect(row).toContainText("−");
      await page.getByRole("link", { name: "Swap" }).click();
      await expect(page).toHaveURL(new RegExp(`/jobs/${JOB}\\?.*with=${CHANGED}`));
      await expect(table.getByRole("row").last().getByRole("rowheader")).toHaveText(DIMENSION);
      await expect(table.getByRole("row").last()).not.toContainText("−0.");
    },
    addChanged,
    [JOB],
  );
});

test("runs of one agent are compared with a job as a run set, each rollout once, and swapping keeps them together @long", async ({
  page,
}) => {
  await withAssay(
    async ({ url, jobsFolder }) => {
      const own = readShares(jobsFolder).filter(({ agent }) => agent === "orca");
      const shares = own.map(({ shares: all }) => all.get(DIMENSION) ?? Number.NaN);
      const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      const nTrials = readdirSync(join(jobsFolder, JOB)).filter((name) => {
        const file = join(jobsFolder, JOB, name, "result.json");
        return (
          existsSync(file) && result.parse(JSON.parse(readFileSync(file, "utf8"))).agent_info.name === "orca"
        );
      }).length;
      await page.goto(`${url}/jobs/${CHANGED}?tab=dimensions`);
      const menu = page.locator("summary").filter({ hasText: "Compare with" });
      await menu.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: `${JOB} ×2 orca` }).press("Enter");
      await expect(page).toHaveURL(/with=.*&with=%2B/);
      const main = page.getByRole("main");
      await expect(main).toContainText(`${JOB} ×2 orca counts 2 runs together`);
      await expect(main).toContainText(`${String(nTrials)} trials grade rollouts that an earlier run has`);
      const table = page.getByRole("table", { name: "Dimensions side by side, worst change first" });
      const row = table.getByRole("row").filter({ has: page.getByRole("rowheader", { name: DIMENSION }) });
      await expect(row).toContainText(mean.toFixed(2));
      await expect(row).toContainText((mean / 2).toFixed(2));

      await page.getByRole("link", { name: "Swap" }).press("Enter");
      await expect(page).toHaveURL(new RegExp(`/jobs/${JOB}\\?.*with=${CHANGED}&pool=.*&pool=%2B`));
      const overview = page.getByRole("table", { name: "Dimensions, worst first" });
      await expect(overview.getByRole("columnheader", { name: `${JOB} ×2 orca` })).toBeVisible();
      await expect(main).toContainText(`${JOB} ×2 orca minus ${CHANGED}`);
    },
    (folders) => {
      addChanged(folders);
      linkTree(join(folders.jobsFolder, JOB), join(folders.jobsFolder, `${JOB}-2`));
    },
    [JOB],
  );
});
