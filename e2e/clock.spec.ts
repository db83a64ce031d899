import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures/app";

/** A synthetic job whose clock was ten and a half hours ahead of UTC: its files have 09:11 for 22:41 of the day before. */
const JOB = "voltage-drop-aec";
const OFFSET_MS = 630 * 60_000;
const ZONE = "America/New_York";

test.use({ timezoneId: ZONE });

interface Times {
  readonly started_at: string;
  readonly finished_at: string;
}

function readTimes(...path: readonly string[]): Times {
  return JSON.parse(readFileSync(join(...path, "result.json"), "utf8")) as Times;
}

function readTrials(folder: string): readonly (Times & { readonly name: string })[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes("__"))
    .map(({ name }) => ({ name, ...readTimes(folder, name) }));
}

/** Returns the instant of a naive time in the job's files. */
function toInstant(naive: string): number {
  return Date.parse(`${naive.slice(0, 23)}Z`) - OFFSET_MS;
}

/** Formats `10 Nov 22:41` by the browser's own rules for the zone. */
function words(instant: number, timeZone: string): RegExp {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return new RegExp(`${part("day")} ${part("month")}( \\d{4})? ${part("hour")}:${part("minute")}`);
}

function findFact(page: Page, name: string) {
  return page.locator("dt", { hasText: new RegExp(`^${name}$`) }).locator("+ dd time");
}

async function readInstant(page: Page, name: string): Promise<number> {
  return Date.parse((await findFact(page, name).getAttribute("datetime")) ?? "");
}

test("a job in local time starts before its trials and ends after them, on every page in UTC @long", async ({
  page,
  assay,
}) => {
  const folder = join(assay.jobsFolder, JOB);
  const job = readTimes(folder);
  const trials = readTrials(folder);
  const first = Math.min(...trials.map((trial) => Date.parse(trial.started_at)));
  const last = Math.max(...trials.map((trial) => Date.parse(trial.finished_at)));
  expect(job.started_at).not.toMatch(/Z$/);

  await page.goto(`/jobs/${JOB}?tab=config`);
  const started = await readInstant(page, "Started");
  const finished = await readInstant(page, "Finished");
  expect(started).toBe(toInstant(job.started_at));
  expect(started).toBeLessThanOrEqual(first);
  expect(finished).toBeGreaterThanOrEqual(last);
  await expect(findFact(page, "Started")).toHaveText(words(started, "UTC"));
  await expect(findFact(page, "Started")).toHaveAttribute("title", new RegExp(job.started_at));
  const title = page.getByRole("main").locator(".job-head");
  await expect(title).toContainText(words(finished, "UTC"));
  await expect(page.getByText("Times in UTC").filter({ visible: true })).toHaveCount(1);

  const [trial] = trials;
  if (trial === undefined) throw new Error("the sample job has trials");
  await page.goto(`/jobs/${JOB}/trials/${trial.name}?tab=config`);
  const begun = findFact(page, "Started");
  await expect(begun).toHaveAttribute("title", trial.started_at);
  expect(await readInstant(page, "Started")).toBeGreaterThanOrEqual(started);
  expect(await begun.textContent()).toMatch(words(Date.parse(trial.started_at), "UTC"));
});

test("one key shows all times in the reader's zone, and the server renders the next page in it", async ({
  page,
  assay,
}) => {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  const finished = toInstant(readTimes(assay.jobsFolder, JOB).finished_at);
  const legacy = readTimes(assay.jobsFolder, "legacy-2025").finished_at;

  await page.goto("/");
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: JOB, exact: true }) });
  const unknown = page.getByRole("row").filter({ has: page.getByRole("link", { name: "legacy-2025" }) });
  await expect(row.locator("time")).toHaveText(words(finished, "UTC"));
  const asInFile = (await unknown.locator("time").textContent()) ?? "";
  expect(asInFile).toMatch(words(Date.parse(`${legacy.slice(0, 23)}Z`), "UTC"));
  expect(asInFile).toContain("no zone");

  await page.getByRole("button", { name: "Times in UTC" }).press("Enter");
  await expect(row.locator("time")).toHaveText(words(finished, ZONE));
  await expect(unknown.locator("time")).toHaveText(asInFile);

  const shown = await row.locator("time").textContent();
  const drawn = await (await page.request.get("/")).text();
  expect(drawn).toContain(`>${shown ?? "no time"}<`);
  await page.reload();
  await expect(page.getByRole("button", { name: "Times in America/New York" })).toBeVisible();
  await expect(row.locator("time")).toHaveText(words(finished, ZONE));

  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("Times in America/New York").filter({ visible: true })).toHaveCount(1);
  await page.emulateMedia({ media: "screen" });

  await page.getByRole("button", { name: "Times in America/New York" }).press("Enter");
  await expect(row.locator("time")).toHaveText(words(finished, "UTC"));
  expect(problems).toEqual([]);
});

function pick<Item>(items: readonly Item[], passes: (item: Item) => boolean): Item {
  const [item] = items.filter(passes);
  if (item === undefined) throw new Error("nothing matches");
  return item;
}

test("pages, downloads and the command line agree on instants @long", async ({ page, assay }) => {
  const folder = join(assay.jobsFolder, JOB);
  const job = readTimes(folder);
  const { jobs } = (await (await page.request.get("/jobs.json")).json()) as {
    jobs: (Times & { job_key: string })[];
  };
  const row = pick(jobs, (one) => one.job_key === JOB);
  expect(row.started_at).toMatch(/Z$/);
  expect(Date.parse(row.started_at)).toBe(toInstant(job.started_at));
  const csv = await (await page.request.get("/jobs.csv")).text();
  const line = pick(csv.split("\r\n"), (one) => one.startsWith(`${JOB},`));
  expect(line).toContain(row.started_at);
  expect(line).toContain(row.finished_at);
  const legacy = pick(jobs, (one) => one.job_key === "legacy-2025");
  expect(legacy.started_at).toBe(readTimes(assay.jobsFolder, "legacy-2025").started_at);

  await page.goto(`/jobs/${JOB}?tab=config`);
  await expect(findFact(page, "Started")).toHaveAttribute("datetime", row.started_at);
  await expect(findFact(page, "Finished")).toHaveAttribute("datetime", row.finished_at);

  const { stdout } = assay.runCli("trials", folder, "--format", "json");
  const { trials } = JSON.parse(stdout) as { trials: (Times & { job_key: string; key: string })[] };
  const trial = pick(trials.slice(0, 1), (one) => one.job_key === JOB);
  await page.goto(`/jobs/${JOB}/trials/${trial.key}?tab=config`);
  await expect(findFact(page, "Started")).toHaveAttribute("datetime", trial.started_at);
  expect(trial.started_at).toBe(readTimes(folder, trial.key).started_at);
});
