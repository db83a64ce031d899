import { once } from "node:events";
import { join } from "node:path";

import { expect, test, withFewJobs } from "./fixtures/app";

test("a taken port and a missing folder are one clear line, exit code 2", ({ assay }) => {
  const port = new URL(assay.url).port;
  const taken = assay.runCli("view", "--port", port, assay.jobsFolder);
  expect(taken.code).toBe(2);
  expect(taken.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
  expect(taken.stderr.trimEnd().split("\n")).toHaveLength(1);

  const missing = assay.runCli("view", "--port", "0", join(assay.jobsFolder, "no-such-folder"));
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("no-such-folder");
  expect(missing.stderr.trimEnd().split("\n")).toHaveLength(1);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} ends the server cleanly while a browser is connected`, async ({ page }) => {
    await withFewJobs(async (assay) => {
      await page.goto(assay.url);
      const exit = once(assay.process, "exit");
      assay.process.kill(signal);
      expect(await exit).toEqual([0, null]);
      await expect(page.request.get(assay.url)).rejects.toThrow();
    });
  });
}

test("answers to names of this machine only", async ({ page, assay }) => {
  const port = new URL(assay.url).port;
  const foreign = await page.request.get(assay.url, { headers: { host: `evil.example:${port}` } });
  expect(foreign.status()).toBe(403);
  const local = await page.request.get(assay.url, { headers: { host: `localhost:${port}` } });
  expect(local.status()).toBe(200);
});
