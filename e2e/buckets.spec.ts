import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { CREDENTIALS, startBucketServer } from "../lib/read/buckets/bucket-server.fixture";
import { expect, test, withAssay } from "./fixtures/app";

const JOB = "archive-damaged";
const CLI_FILE = join(import.meta.dirname, "..", "dist", "cli.js");

test("jobs in a bucket are read like those in a folder, and changes are seen @long", async ({ page }) => {
  const server = await startBucketServer("team");
  const samples = join(tmpdir(), "sample-jobs", JOB);
  const files = await server.putFolder(samples, `jobs/${JOB}/`);
  const environment = { ...CREDENTIALS, AWS_ENDPOINT_URL: server.url, AWS_REGION: "us-east-1" };
  try {
    await withAssay(
      async ({ url, dataFolder }) => {
        await page.goto(url);
        const link = page.getByRole("link", { name: JOB, exact: true });
        await expect(async () => {
          await page.reload();
          await expect(link).toBeVisible({ timeout: 2_000 });
        }).toPass();
        await page.goto(`${url}/jobs/${JOB}?tab=config`);
        await expect(page.getByText(`s3://team/jobs/${JOB}`, { exact: true }).first()).toBeVisible();
        expect(await page.content()).not.toContain(dataFolder);

        const env = { ...process.env, ...environment, ASSAY_DATA: join(dataFolder, "other") };
        const list = async (root: string) =>
          (await promisify(execFile)(process.execPath, [CLI_FILE, "trials", root], { env })).stdout;
        expect(await list(`s3://team/jobs/${JOB}`)).toBe(await list(samples));
        // Reports are shared, so they name the bucket and not its local folder.
        await server.putFolder(join(tmpdir(), "sample-jobs", "ledger"), "board/ledger/");
        const args = [CLI_FILE, "report", "s3://team/board/ledger"];
        const report = (await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 24 }))
          .stdout;
        expect(report).toContain("s3://team/board/ledger");
        expect(report).not.toContain("bucket-mirrors");

        for (const file of files) await server.remove(`jobs/${JOB}/${file}`);
        await page.goto(`${url}/load-report`);
        await page.getByRole("button", { name: "Rescan folders" }).click();
        await expect(async () => {
          await page.goto(url);
          await expect(link).toHaveCount(0, { timeout: 2_000 });
        }).toPass();
      },
      undefined,
      [],
      { options: ["s3://team/jobs"], environment },
    );
  } finally {
    await server.close();
  }
});
