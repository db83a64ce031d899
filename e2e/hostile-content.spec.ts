import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Page } from "@playwright/test";

import { OTHER_TRACES } from "../lib/read/loader/trace/trace-files.fixture";
import { LINE_LOGS } from "../lib/read/loader/trace/trace-logs.fixture";
import { ANSWER } from "../lib/read/loader/trace/trace-sample.fixture";
import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { expect, test, withFewJobs } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

/** Runs if parsed as markup; without a slash, so that it is a valid file name. */
const PAYLOAD = "<img src=x onerror=window.pwned=1>";
const SCRIPT = `<script>window.pwned=1</script>`;
const JOB = `evil ${PAYLOAD}`;

async function expectHarmless(page: Page): Promise<void> {
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(await page.evaluate(() => "pwned" in window), page.url()).toBe(false);
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
}

test("markup in names, messages, logs and files is shown as text and never runs", async ({ page }) => {
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [trial] = copyJob(jobsFolder, "tb2-orca-next", "evil", {
      nTrials: 2,
      edit: (text, path) =>
        path.endsWith("trajectory.json")
          ? text.replaceAll(/"message": "/g, `"message": "${SCRIPT}${PAYLOAD}`)
          : path.endsWith("result.json") || path.endsWith("config.json")
            ? text.replaceAll("northsea", `north${PAYLOAD}`).replaceAll('"orca"', `"orca${PAYLOAD}"`)
            : path.endsWith(".json")
              ? text
              : `${SCRIPT}\n${PAYLOAD}\n\u001b]8;;javascript:window.pwned=1\u0007link\u001b]8;;\u0007\n${text}`,
    });
    if (trial === undefined) throw new Error("no trial was copied");
    // The folder's name is hostile too, without a slash.
    copyJob(jobsFolder, "tb2-orca-next", JOB, { nTrials: 1 });
    const artifacts = join(jobsFolder, "evil", trial, "artifacts");
    mkdirSync(artifacts, { recursive: true });
    writeFileSync(join(artifacts, `${PAYLOAD}.html`), `<html><body>${SCRIPT}</body></html>`);
    writeFileSync(join(artifacts, "page.svg"), `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`);

    await page.goto(url);
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("link", { name: JOB, exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    const trialAddress = `${url}/jobs/evil/trials/${trial}`;
    for (const address of [
      url,
      `${url}/?q=${encodeURIComponent(SCRIPT)}`,
      `${url}/jobs/evil`,
      `${url}/jobs/evil?tab=trials`,
      `${url}/jobs/${encodeURIComponent(JOB)}`,
      trialAddress,
      `${trialAddress}?tab=files`,
      `${trialAddress}?tab=files&file=${encodeURIComponent(`artifacts/${PAYLOAD}.html`)}`,
      `${trialAddress}?tab=files&file=trial.log`,
      `${url}/trials?q=${encodeURIComponent("script alert*")}`,
      `${url}/errors`,
      `${url}/load-report`,
    ]) {
      await page.goto(address);
      await expectHarmless(page);
    }
  });
});

test("markup in a trace of any format is text, and fetches nothing from another host", async ({
  page,
  few: { url, jobsFolder },
}) => {
  const [trial = ""] = copyJob(jobsFolder, "tb2-orca-next", "traces", { nTrials: 1 });
  const folder = join(jobsFolder, "traces", trial);
  rmSync(join(folder, "agent"), { recursive: true, force: true });
  const said = `![x](https://elsewhere.example/x.png) <a href='javascript:window.pwned=1'>${PAYLOAD}</a>`;
  for (const { files } of [...LINE_LOGS, ...OTHER_TRACES])
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text.replaceAll(ANSWER, `${ANSWER} ${said}`));
    }
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) foreign.push(request.url());
  });
  page.on("dialog", (dialog) => foreign.push(dialog.message()));
  const address = `${url}/jobs/traces/trials/${trial}`;
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
  const traces = page.getByRole("group", { name: "Traces of this trial" }).getByRole("link");
  // The server may have read the folder before all files were written.
  await expect(async () => {
    await page.goto(address);
    expect(await traces.count()).toBeGreaterThan(12);
  }).toPass();
  const addresses = await traces.evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  // Steps render alike, independent of their format.
  for (const one of addresses.filter((_, at) => IS_LONG_RUN || at % 6 === 0)) {
    await page.goto(`${url}${one}${one.includes("?") ? "&" : "?"}from=0`);
    await expect(page.locator(".steps"), one).toContainText(PAYLOAD);
    await expectHarmless(page);
  }
  expect(foreign).toEqual([]);
});

/** One pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a raw file is never a page of ours", async ({ page, assay }) => {
  const [trial] = copyJob(assay.jobsFolder, "tb2-orca-next", "raw-files", { nTrials: 1 });
  const folder = join(assay.jobsFolder, "raw-files", trial ?? "");
  writeFileSync(join(folder, "page.html"), `<html><body>${SCRIPT}</body></html>`);
  const address = `/api/artifacts/raw-files/${trial ?? ""}`;
  await expect.poll(async () => (await page.request.get(`${address}/page.html`)).status()).toBe(200);
  for (const path of ["page.html", "page.html?as=text"]) {
    const headers = (await page.request.get(`${address}/${path}`)).headers();
    expect(headers["content-type"]).not.toContain("html");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toContain("sandbox");
  }
  for (const [path, status] of [
    ["..%2f..%2fconfig.json", 400],
    ["..%2F..%2F..%2F..%2F..%2Fetc%2Fpasswd", 400],
    ["%2Fetc%2Fpasswd", 404],
    ["agent%00", 404],
  ] as const)
    expect((await page.request.get(`${address}/${path}`)).status(), path).toBe(status);
});

test("a browser gets raw files from an origin without pages or cookies", async ({ page, browser, assay }) => {
  const [trial] = copyJob(assay.jobsFolder, "tb2-orca-next", "other-origin", { nTrials: 1 });
  const folder = join(assay.jobsFolder, "other-origin", trial ?? "");
  writeFileSync(join(folder, "dot.png"), Buffer.from(DOT, "base64"));
  writeFileSync(join(folder, "page.html"), `<html><body>${SCRIPT}</body></html>`);
  const raw = `/api/artifacts/other-origin/${trial ?? ""}`;
  await expect.poll(async () => (await page.request.get(`${raw}/dot.png`)).status()).toBe(200);

  const [image] = await Promise.all([
    page.waitForResponse((one) => one.url().includes("/files/")),
    page.goto(`/jobs/other-origin/trials/${trial ?? ""}?tab=files&file=dot.png&view=preview`),
  ]);
  const picture = page.locator("img.file-image");
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1);
  expect(new URL(image.url()).origin).not.toBe(assay.url);
  expect((await image.request().allHeaders())["cookie"]).toBeUndefined();
  expect(await image.headerValue("cross-origin-resource-policy")).toBe("cross-origin");

  // The browser's own frame around a file uses styles, which the file's policy blocks.
  const tab = await browser.newPage();
  for (const file of ["dot.png", "page.html?as=text"]) {
    const shown = await tab.goto(`${assay.url}${raw}/${file}`);
    expect(shown?.status()).toBe(200);
    expect(new URL(tab.url()).origin).not.toBe(assay.url);
    expect(await shown?.headerValue("content-security-policy")).toContain("sandbox");
    expect(await shown?.headerValue("set-cookie")).toBeNull();
  }
  await tab.close();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.goto(`${raw}/dot.png?as=file`).catch(() => null),
  ]);
  expect(download.suggestedFilename()).toBe("dot.png");

  const other = new URL(image.url());
  for (const path of ["/", raw, `${other.pathname.slice(0, -2)}AA`]) {
    const answer = await page.request.get(assay.url + path, { headers: { host: other.host } });
    expect(answer.status(), path).toBe(404);
  }
});
