import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Page } from "@playwright/test";

import { startPostgres } from "../lib/store/database/postgres-server.fixture";
import { addAccount, signIn } from "./fixtures/accounts";
import { expect, test, withFewJobs } from "./fixtures/app";
import { listEachPage } from "./fixtures/pages";
import { readFailedTrials } from "./fixtures/recorded-trials";

const PROJECT = join(import.meta.dirname, "..");

/** A missing trial: all of its pages return 404. */
const NO_TRIAL = "any";

/** Status and banner of each page. */
async function readPages(page: Page, url: string): Promise<readonly (readonly [string, number, string])[]> {
  const answers: [string, number, string][] = [];
  for (const address of listEachPage("legacy-2025", NO_TRIAL)) {
    const answer = await page.request.get(url + address);
    answers.push([address, answer.status(), await answer.text()]);
  }
  return answers;
}

/** Pages that exist, without the list's trial and the queue. Without a store, queues are unknown. */
const isServed = (address: string, status: number): boolean =>
  /\/(?:queues|datasets|clusters)\/(?:none|bench|0{16})|^\/tasks\//.test(address)
    ? status === 404 || status === 200
    : status === (address.includes(`/${NO_TRIAL}?`) ? 404 : 200);

test("an unreadable judgment is reported on every page, and everything else works @long", async ({
  page,
}) => {
  await withFewJobs(
    async ({ url, runCli }) => {
      for (const [address, status, text] of await readPages(page, url)) {
        expect([address, isServed(address, status)]).toEqual([address, true]);
        expect(text).toContain("row 4");
      }
      await page.goto(`${url}/annotations`);
      await expect(page.getByRole("table", { name: "Annotations" }).getByRole("row")).toHaveCount(2);
      const exported = runCli("annotations", "export");
      expect(exported.code).toBe(1);
      expect(exported.stdout.trimEnd().split("\n")).toHaveLength(2);
      expect(await (await page.request.get(`${url}/annotations/export`)).text()).toBe(exported.stdout);
    },
    ({ dataFolder }) => {
      mkdirSync(dataFolder, { recursive: true });
      const file = new DatabaseSync(join(dataFolder, "annotations.sqlite"));
      file.exec(
        readFileSync(
          join(PROJECT, "lib", "people", "annotations", "first-release.sqlite.fixture.sql"),
          "utf8",
        ),
      );
      file.exec(`INSERT INTO annotation_version SELECT 4, 'by hand', kind, withdraws, trial_id, job_id, trial_name, job_name,
        root_label, task_name, agent, model, outcome_seen, reward_seen, reviewer_key, reviewer_id, reviewer_discipline,
        created_at, judgment, '{"not": "a list"}', notes, schema_version FROM annotation_version WHERE seq = 1`);
      file.close();
    },
  );
});

test("damaged stores are reported on every page, with an export of readable data", async ({ page }) => {
  await withFewJobs(
    async ({ url, dataFolder, jobsFolder, readErrors }) => {
      for (const name of ["annotations.sqlite", "views.sqlite"])
        await expect.poll(readErrors).toContain(join(dataFolder, name));
      for (const [address, status, text] of await readPages(page, url)) {
        expect([address, isServed(address, status)]).toEqual([address, true]);
        for (const name of ["annotations.sqlite", "views.sqlite"])
          expect(text).toContain(join(dataFolder, name));
      }
      for (const address of ["/errors", "/annotations"]) {
        await page.goto(url + address);
        const download = page.waitForEvent("download");
        await page.getByRole("link", { name: "Export what can still be read" }).first().click();
        expect(readFileSync(await (await download).path(), "utf8")).toContain("assay.annotations-damaged/1");
      }
      const [trial] = readFailedTrials(jobsFolder, "tb2-orca-next");
      await page.goto(`${url}/jobs/tb2-orca-next/trials/${trial?.name ?? ""}`);
      const panel = page.getByRole("form", { name: "Review" });
      await panel.getByRole("button", { name: "Whole form" }).click();
      await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
      await expect(panel.getByRole("alert")).toContainText(join(dataFolder, "annotations.sqlite"));
      await expect(panel).not.toContainText(/You reviewed|Not reviewed/);
    },
    ({ dataFolder }) => {
      for (const name of ["annotations.sqlite", "views.sqlite"]) writeFileSync(join(dataFolder, name), "");
    },
  );
});

test("a store emptied or removed while open rejects saves and says so @long", async ({ page }) => {
  for (const damage of [(file: string) => truncateSync(file, 0), (file: string) => rmSync(file)]) {
    await withFewJobs(async ({ url, dataFolder, jobsFolder }) => {
      const file = join(dataFolder, "annotations.sqlite");
      const [trial] = readFailedTrials(jobsFolder, "tb2-orca-next");
      // Cookies ignore ports: the second server would get the name given to the first.
      await page.context().clearCookies();
      await page.goto(`${url}/jobs/tb2-orca-next/trials/${trial?.name ?? ""}`);
      const panel = page.getByRole("form", { name: "Review" });
      await panel.getByRole("button", { name: /^Pass/ }).click();
      await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
      await panel.getByRole("button", { name: "Save", exact: true }).click();
      await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
      damage(file);
      await panel.getByRole("button", { name: /^Fail/ }).click();
      await panel.getByRole("button", { name: "Save", exact: true }).click();
      await expect(panel.getByRole("alert")).toContainText(file);
      await expect(panel.getByRole("status").first()).toHaveText("Not saved");
      // It may have changed elsewhere.
      await expect(panel.getByRole("button", { name: "Keep mine" })).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole("link", { name: "Export what can still be read" })).toBeVisible();
      await expect(panel.getByRole("button", { name: "Keep mine" })).toHaveCount(0);
      await expect(panel.getByRole("button", { name: /^Fail/ })).toHaveAttribute("aria-pressed", "true");
    });
  }
});

test("while PostgreSQL is not responding, every page says so, and then shows its data again", async ({
  page,
}) => {
  const server = await startPostgres();
  process.env["DATABASE_URL"] = server.url;
  try {
    await withFewJobs(async ({ url }) => {
      const jobs = page.getByRole("link", { name: /tb2-orca-next/ }).first();
      await page.goto(url);
      await expect(jobs).toBeVisible();

      await server.end();
      for (const [address, status, text] of await readPages(page, url)) {
        expect([address, status]).toEqual([address, 200]);
        expect(text).toContain("does not answer");
      }
      await page.goto(url);
      await expect(page.getByRole("main")).toContainText("does not answer");
      await page
        .getByRole("link", { name: "Load report" })
        .or(page.getByTitle("Open the load report"))
        .first()
        .click();
      await expect(page.getByRole("main")).toContainText("does not answer");

      await server.startAgain();
      await expect(page.getByRole("button", { name: /Rescan/ })).toBeVisible();
      await page.goto(url);
      await expect(jobs).toBeVisible();
    });
  } finally {
    delete process.env["DATABASE_URL"];
    await server.kill();
  }
});

test("typed text survives an outage of the account store, and pages recover automatically @long", async ({
  page,
}) => {
  const server = await startPostgres();
  process.env["DATABASE_URL"] = server.url;
  let password = "";
  try {
    await withFewJobs(
      async ({ url, jobsFolder }) => {
        const [trial] = readFailedTrials(jobsFolder, "tb2-orca-next");
        await page.goto(`${url}/jobs/tb2-orca-next/trials/${trial?.name ?? ""}`);
        await signIn(page, "Ada Example", password);
        const note = page.getByRole("form", { name: "Review" }).getByLabel("Note");
        await page.getByRole("button", { name: "Whole form" }).click();
        await note.fill("Half of it");
        await page.evaluate(() => Object.assign(window, { isSame: true }));

        await server.end();
        await expect(page.getByText("Not connected, retrying")).toBeVisible({ timeout: 60_000 });
        await note.press("End");
        await note.pressSequentially(" works");
        const other = await page.context().newPage();
        expect((await other.goto(url))?.status()).toBe(503);

        await server.startAgain();
        await expect(other.getByRole("link", { name: /tb2-orca-next/ }).first()).toBeVisible({
          timeout: 60_000,
        });
        await expect(page.getByText("Not connected, retrying")).toBeHidden({ timeout: 60_000 });
        await expect(note).toHaveValue("Half of it works");
        expect(await page.evaluate(() => "isSame" in window)).toBe(true);
      },
      (folders) => {
        password = addAccount(folders, "Ada Example", "admin");
      },
    );
  } finally {
    delete process.env["DATABASE_URL"];
    await server.kill();
  }
});
