import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startPostgres } from "../lib/store/database/postgres-server.fixture";
import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { expect, test, withFewJobs } from "./fixtures/app";
import { listAddresses } from "./fixtures/pages";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const STRACE = "/usr/bin/strace";
/** Matches a call to a non-loopback address. */
const FAR = /sa_family=AF_INET6?,(?!.*(?:inet_addr\("127\.|"::1"|"::ffff:127\.))/;

test("the server and its processes connect only to this machine and their database", async ({ page }) => {
  test.skip(!IS_LONG_RUN, "a minute and more: only in npm run test:long");
  test.skip(!existsSync(STRACE), "needs strace (Debian: apt-get install strace)");
  test.setTimeout(600_000);
  const server = await startPostgres();
  const trace = join(tmpdir(), `calls-${String(process.pid)}.txt`);
  process.env["DATABASE_URL"] = server.url;
  try {
    await withFewJobs(
      async ({ url, jobsFolder }) => {
        const [trial] = readFailedTrials(jobsFolder, JOB);
        for (const address of listAddresses(JOB, trial?.name ?? "")) await page.goto(url + address);
        for (const file of ["/jobs.parquet", "/annotations/export", "/compare/report.html"])
          await page.request.get(url + file);
      },
      undefined,
      { isFirst: true, tracer: [STRACE, "-D", "-f", "-o", trace, "-e", "trace=connect,sendto,sendmsg"] },
    );
  } finally {
    delete process.env["DATABASE_URL"];
    await server.kill();
  }
  const calls = readFileSync(trace, "utf8").split("\n");
  // The trace is not empty.
  expect(calls.some((call) => call.includes("AF_UNIX") && call.includes("assay-pg-"))).toBe(true);
  expect(calls.filter((call) => FAR.test(call))).toEqual([]);
});
