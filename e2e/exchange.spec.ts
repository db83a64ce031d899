import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";
import { parquetReadObjects } from "hyparquet";

import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** Chooses files by keyboard and waits for their preview. */
async function chooseByKeyboard(page: Page, ...paths: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByLabel("Files", { exact: true }).focus();
  await page.keyboard.press("Enter");
  await (await chooser).setFiles([...paths]);
}

test("judgments go from one server to another: exported, checked, then imported, by keyboard @long", async ({
  page,
}, testInfo) => {
  const outputPath = (name: string) => testInfo.outputPath(name);
  const file = outputPath("annotations.jsonl");
  let exported = "";
  await withFewJobs(async ({ url, jobsFolder }) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    await page.goto(`${url}/jobs/${JOB}/trials/${trial?.name ?? ""}`);
    const panel = page.getByRole("form", { name: "Review" });
    await panel.getByRole("button", { name: /^Pass/ }).click();
    await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
    await panel.getByLabel("Note").fill("<script>alert(1)</script> and “grün”");
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);

    await page.goto(`${url}/annotations`);
    const menu = page.getByText("Export", { exact: true });
    await menu.focus();
    await page.keyboard.press("Enter");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: /^JSON Lines with history/ }).focus();
    await page.keyboard.press("Enter");
    await (await download).saveAs(file);
    exported = readFileSync(file, "utf8");
    expect(exported).toContain("Ada Example");

    const rows = await parquetReadObjects({
      file: await (
        await page.request.get(`${url}/annotations/export?format=parquet`)
      )
        .body()
        .then(toArrayBuffer),
    });
    expect(rows).toMatchObject([{ reviewer_id: "Ada Example", judgment: "pass", categories: "[]" }]);
    const csv = await (await page.request.get(`${url}/annotations/export?format=csv`)).text();
    expect(csv.split("\r\n")).toHaveLength(3);
    const tasks: unknown = await (
      await page.request.get(`${url}/annotations/export?format=label-studio`)
    ).json();
    expect(tasks).toMatchObject([{ data: { page: `${url}/jobs/${JOB}/trials/${trial?.name ?? ""}` } }]);
    expect((await page.request.get(`${url}/annotations/export?format=odt`)).status()).toBe(400);
    expect((await page.request.get(`${url}/annotations/export?queue=none`)).status()).toBe(404);
  });

  await withFewJobs(async ({ url, runCli }) => {
    const readAll = () => runCli("annotations", "export", "--history").stdout;
    await page.goto(`${url}/annotations`);
    await page.getByRole("link", { name: "Import" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Import judgments" })).toBeVisible();

    const wrong = outputPath("wrong.jsonl");
    writeFileSync(wrong, `${exported}${exported.slice(0, 100)}`);
    await chooseByKeyboard(page, wrong);
    await expect(page.getByRole("status").first()).toContainText("Fix 1 invalid line");
    await expect(page.getByRole("table", { name: "Invalid lines" })).toContainText("wrong.jsonl:2");
    await expect(page.getByRole("button", { name: /^Import/ })).toHaveCount(0);

    const stranger = outputPath("stranger.jsonl");
    const [line] = exported.split("\n");
    const other: unknown = {
      ...(JSON.parse(line ?? "") as object),
      version_id: "other",
      trial_name: "nowhere",
      trial_id: null,
    };
    writeFileSync(stranger, `${JSON.stringify(other)}\n`);
    await chooseByKeyboard(page, file, stranger);
    await expect(page.getByRole("status").first()).toHaveText("Checked. Nothing is written yet.");
    await expect(page.getByRole("main")).toContainText("Trials not in any open folder");
    expect(readAll()).toBe("");
    const button = page.getByRole("button", { name: "Import 2 judgments" });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status").first()).toHaveText("Imported 2 judgments.");
    expect(readAll()).toBe(exported + `${JSON.stringify(other)}\n`);

    await page.getByRole("link", { name: "Open the annotations" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("table", { name: "Annotations" })).toContainText("<script>alert(1)</script>");
    const again = runCli("annotations", "import", file);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining("0 new judgments, 1 already here"),
    ]);
  });
});

test("the command line lists invalid lines, and writes nothing into job folders @long", async () => {
  await withFewJobs(({ jobsFolder, dataFolder, runCli }) => {
    const inside = join(jobsFolder, JOB);
    const before = readdirSync(inside, { recursive: true });
    for (const option of ["--output", "--per-reviewer"]) {
      const refused = runCli("annotations", "export", option, join(inside, "judgments"));
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("only read")]);
    }
    expect(readdirSync(inside, { recursive: true })).toEqual(before);
    const bad = join(dataFolder, "bad.jsonl");
    writeFileSync(bad, "{}\n");
    const wrong = runCli("annotations", "import", bad);
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining(`${bad}:1: It has no schema`)]);
    expect(runCli("annotations", "import").code).toBe(2);
    expect(runCli("annotations", "import", join(dataFolder, "none")).code).toBe(2);
    return Promise.resolve();
  });
});

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
