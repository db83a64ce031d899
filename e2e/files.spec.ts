import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "./fixtures/app";
import { copyJob } from "./fixtures/job-folders";

const LOG = Array.from({ length: 5_000 }, (_, n) => `row ${n + 1}${n === 4_320 ? " with a heron" : ""}`);
/** The smallest valid sound file. */
const SOUND = Buffer.concat([Buffer.from("RIFF\x24\x08\0\0WAVEfmt "), Buffer.alloc(2_048, 7)]);
const COLUMNS = Array.from({ length: 40 }, (_, n) => `column${n}`);
const PAYLOAD = "<img src=x onerror=window.pwned=1>";

test("files are found by name and content, opened at the line, and shown by type, all by keyboard", async ({
  page,
  few: { url, jobsFolder },
}) => {
  const [trial = ""] = copyJob(jobsFolder, "tb2-orca-next", "files", { nTrials: 1 });
  const contents = {
    [`${trial}/agent/long.log`]: LOG.join("\n"),
    [`${trial}/agent/data/birds.csv`]: `bird,"how, seen"\n"${PAYLOAD}",twice\n`,
    [`${trial}/agent/data/wide.csv`]: `${COLUMNS.join()}\n${COLUMNS.map(() => "observation").join()}\n`,
    [`${trial}/agent/cry.wav`]: SOUND,
    [`${trial}/steps/first/artifacts/manifest.json`]:
      '[{"source": "/app/nest", "destination": "artifacts/nest"}]',
    [`_retries/${trial}/retry-1/result.json`]: '{"exception_info": {"exception_type": "NestError"}}',
    [`_retries/${trial}/retry-1/agent/early.txt`]: "it flew away",
  };
  for (const [path, content] of Object.entries(contents)) {
    const file = join(jobsFolder, "files", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const address = `${url}/jobs/files/trials/${trial}?tab=files`;
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(200);
  await page.goto(address);
  const files = page.getByRole("search", { name: "Files" });
  const main = page.getByRole("main");
  await expect(main).toContainText("/app/nest");

  await expect(async () => {
    await page.keyboard.press("/");
    await expect(files.getByPlaceholder("Filter by name")).toBeFocused({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await page.keyboard.type("BIRDS");
  await expect(files.getByRole("list", { name: "Files with this name" }).getByRole("link")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(files.getByRole("link", { name: "agent/data/birds.csv" })).toBeFocused();
  await page.keyboard.press("Enter");
  const table = page.getByRole("table", { name: "Rows of the file" });
  await expect(table.getByRole("columnheader", { name: "how, seen" })).toBeVisible();
  await expect(table.getByRole("cell", { name: PAYLOAD })).toBeVisible();
  expect(await page.evaluate(() => "pwned" in window)).toBe(false);
  await expect(files.getByPlaceholder("Filter by name")).toHaveValue("BIRDS");

  await page.keyboard.press("Control+f");
  await page.keyboard.type("a HERON");
  await expect(files.getByRole("status")).toHaveText("1 line in 1 file");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/file=agent%2Flong\.log.*line=4321|file=agent\/long\.log.*line=4321/);
  await expect(page.locator(".file-line")).toHaveText(/row 4321 with a heron/);
  await expect(page.locator(".file-line")).toBeInViewport();
  // The field keeps the focus: Enter opens the next match, Escape returns to the text.
  await expect(page.getByPlaceholder("Search in all files")).toBeFocused();
  await page.keyboard.press("Escape");
  await page.keyboard.press("#");
  await page.keyboard.type("17");
  await page.keyboard.press("Enter");
  await expect(page.locator(".file-line")).toHaveText(/^row 17\s*$/);

  await page.getByRole("link", { name: "Hex", exact: true }).press("Enter");
  await expect(page.locator(".file-hex")).toContainText("72 6f 77 20 31 0a 72 6f  77 20 32 0a");
  await page.goto(`${address}&file=agent/data/wide.csv&view=preview`);
  const lines = await table.getByRole("cell", { name: "observation" }).evaluateAll((cells) =>
    cells.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }),
  );
  expect(new Set(lines)).toEqual(new Set([1]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.goto(`${address}&file=agent/cry.wav`);
  const player = page.locator("audio");
  const source = new URL((await player.getAttribute("src")) ?? "", url).href;
  expect(await player.getAttribute("preload")).toBe("none");
  const part = await page.request.get(source, { headers: { range: "bytes=8-11" } });
  expect([
    part.status(),
    await part.text(),
    part.headers()["content-range"],
    part.headers()["content-type"],
  ]).toEqual([206, "WAVE", `bytes 8-11/${SOUND.length}`, "audio/wav"]);
  expect((await page.request.get(source, { headers: { range: "bytes=9999-" } })).status()).toBe(416);

  await files.getByRole("link", { name: "retry-1 NestError" }).press("Enter");
  await files.getByRole("link", { name: "early.txt" }).press("Enter");
  await expect(main.locator(".file-text")).toContainText("it flew away");
});
