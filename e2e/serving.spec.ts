import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname, join } from "node:path";

import { type Assay, expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const GROUPS = `g=${JOB}:orca__meridian-5__terminal-mix&g=tb2-baseline:orca__meridian-4.5__terminal-mix`;

test("a port in use and a missing folder print one clear line, exit code 2", ({ assay }) => {
  const port = new URL(assay.url).port;
  const taken = assay.runCli("view", "--port", port, assay.jobsFolder);
  expect(taken.code).toBe(2);
  expect(taken.stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
  expect(taken.stderr.trimEnd().split("\n")).toHaveLength(1);

  const missing = assay.runCli("view", "--port", "0", join(assay.jobsFolder, "no-such-folder"));
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("no-such-folder");
  expect(missing.stderr.trimEnd().split("\n")).toHaveLength(1);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  const tag = signal === "SIGINT" ? "" : " @long";
  test(`${signal} ends the server cleanly while a browser is connected${tag}`, async ({ page }) => {
    await withFewJobs(async (assay) => {
      await page.goto(assay.url);
      const exit = once(assay.process, "exit");
      assay.process.kill(signal);
      expect(await exit).toEqual([0, null]);
      await expect(page.request.get(assay.url)).rejects.toThrow();
    });
  });
}

test("every URL and status forbids frames, sniffing and other sites, and no other site changes anything", async ({
  page,
  assay,
}) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  const artifact = `/api/artifacts/${JOB}/${trial?.name ?? ""}/result.json`;
  for (const [address, status] of [
    ["/", 200],
    ["/no-such-page", 404],
    ["/api/no-such-route", 404],
    // Next's own, which would expose job contents.
    [`/_next/image?url=${encodeURIComponent(artifact)}&w=640&q=75`, 404],
    ["/api/search?q=orca", 200],
    [`/compare/curves.svg?${GROUPS}`, 200],
    [`/compare/curves.svg?${GROUPS}&threshold=high`, 400],
    [`/compare/curves.csv?${GROUPS}&k=99`, 400],
    [`/compare/curves.csv?${GROUPS}&g=no-such-group`, 400],
    ["/compare/curves.csv", 404],
    [artifact, 200],
    ["/jobs/%E0%A4%A", 400],
  ] as const) {
    const response = await page.request.get(assay.url + address);
    expect(response.status(), address).toBe(status);
    const headers = response.headers();
    expect(headers["content-security-policy"], address).toContain("frame-ancestors 'none'");
    expect(headers["x-content-type-options"], address).toContain("nosniff");
    expect(headers["cross-origin-resource-policy"], address).toContain("same-origin");
  }
  const foreign = await page.request.post(assay.url, {
    headers: { origin: "http://evil.example" },
    data: "",
  });
  expect(foreign.status()).toBe(403);
});

test("an aborted download leaves no file open @long", async ({ request }) => {
  test.skip(!existsSync("/proc/self/fd"), "only Linux says how many files a program has open");
  const file = "artifacts/large.txt";
  const findTrial = (jobsFolder: string) => readFailedTrials(jobsFolder, JOB)[0]?.name ?? "";
  const prepare = ({ jobsFolder }: Pick<Assay, "jobsFolder">) => {
    const path = join(jobsFolder, JOB, findTrial(jobsFolder), file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "a".repeat(5_000_000));
    writeFileSync(join(dirname(path), "empty.txt"), "");
  };
  await withFewJobs(async ({ url, jobsFolder, process, readErrors }) => {
    const artifact = `${url}/api/artifacts/${JOB}/${findTrial(jobsFolder)}/${file}`;
    const countOpen = () => readdirSync(`/proc/${process.pid ?? 0}/fd`).length;
    expect((await request.head(artifact)).status()).toBe(200);
    const before = countOpen();
    for (let n = 0; n < 100; n++) await request.head(artifact);
    const empty = artifact.replace("large.txt", "empty.txt");
    for (let n = 0; n < 100; n++) expect(await (await request.get(empty)).text()).toBe("");
    const { hostname, port, pathname } = new URL(artifact);
    for (let n = 0; n < 100; n++) {
      const socket = createConnection({ host: hostname, port: Number(port) });
      socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`, () => socket.destroy());
      await once(socket, "close");
    }
    await expect.poll(() => countOpen() - before).toBeLessThan(20);
    // Nor by garbage collection, which Node warns about.
    expect(readErrors()).not.toContain("file descriptor");
  }, prepare);
});

test("accepts only names of this machine", async ({ page, assay }) => {
  const port = new URL(assay.url).port;
  const foreign = await page.request.get(assay.url, { headers: { host: `evil.example:${port}` } });
  expect(foreign.status()).toBe(403);
  const local = await page.request.get(assay.url, { headers: { host: `localhost:${port}` } });
  expect(local.status()).toBe(200);
});
