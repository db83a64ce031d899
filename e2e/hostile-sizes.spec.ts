import { globSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { HOSTILE_KINDS, writeHostileJobs } from "../lib/testing/hostile-folders";
import { IS_LONG_RUN, planRuns } from "../lib/testing/plan-runs";
import { Random } from "../lib/testing/random";
import { expect, test, withFewJobs } from "./fixtures/app";

const MAX_BYTES = 2_000_000;
const JOB_TABS = ["tasks", "trials", "dimensions", "rubric", "errors", "verification", "config"];
const TRIAL_TABS = ["trajectory", "steps", "tests", "evaluation", "files", "log", "config"];
const TRIAL = "alpha__AAAAAAA";

/** Addresses of every page, by its folder below `app/`, for one hostile job. A page that is missing here fails the test below. */
const PAGES: Readonly<Record<string, (job: string) => readonly string[]>> = {
  "(jobs)": () => ["/", "/?q=w"],
  annotations: () => ["/annotations"],
  "annotations/recorded": () => ["/annotations/recorded"],
  compare: () => ["/compare"],
  errors: (job) => ["/errors", `/errors?job=${job}`],
  "jobs/[job]": (job) => [`/jobs/${job}?keys=all`, ...JOB_TABS.map((tab) => `/jobs/${job}?tab=${tab}`)],
  "jobs/[job]/trials/[trial]": (job) => TRIAL_TABS.map((tab) => `/jobs/${job}/trials/${TRIAL}?tab=${tab}`),
  "load-report": () => ["/load-report"],
  views: () => ["/views"],
};

/** Routes whose answers are files to keep, streams or files as they are; they may be as large as what they are of. */
const FILES =
  /\.(?:csv|json|jsonl|parquet|svg)$|^annotations\/export$|^api\/(?:events|artifacts\/.*)$|\/(?:near|rows)$|^api\/search$/;

test("every route is among those that hostile folders are tried on", () => {
  const app = join(import.meta.dirname, "..", "app");
  const routes = globSync("**/{page.tsx,route.ts}", { cwd: app }).map((file) => file.replace(/\/[^/]*$/, ""));
  const unknown = routes.filter((route) => !(route in PAGES) && !FILES.test(route));
  expect(unknown, "give a new page its addresses in PAGES").toEqual([]);
});

test("whatever a folder holds, every page answers and is below 2 MB", async ({ page }) => {
  test.setTimeout(IS_LONG_RUN ? 3_600_000 : 240_000);
  const { numRuns: items, seed } = planRuns({ short: 300, long: 100_000 });
  const size = { items, chars: 200 * items };
  const kinds = Object.keys(HOSTILE_KINDS);
  // In the short run every kind is looked at on one page or two, another one of each.
  const isTried = (index: number) => IS_LONG_RUN || index % kinds.length < 2;
  await withFewJobs(
    async ({ url }) => {
      const load = async (path: string): Promise<string> => {
        const answer = await fetch(url + path);
        const text = await answer.text();
        expect(answer.status, path).toBeLessThan(500);
        expect(text.length, path).toBeLessThan(MAX_BYTES);
        return text;
      };
      await expect(async () => {
        const report = await load("/load-report");
        expect(report).toContain("cut to the first");
      }).toPass({ timeout: 120_000 });
      let index = 0;
      for (const [nth, kind] of kinds.entries()) {
        for (const list of Object.values(PAGES)) {
          for (const path of list(kind)) if (isTried(index++ + nth)) await load(path);
        }
      }
      await expectReview(page, `${url}/jobs/message/trials/${TRIAL}`);
    },
    ({ jobsFolder }) => {
      writeHostileJobs(jobsFolder, size, new Random(`hostile ${seed}`));
    },
  );
});

/** The form of a review can be used. */
async function expectReview(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(
    page.getByRole("form", { name: "Review" }).getByRole("button", { name: /^Pass/ }),
  ).toBeEnabled();
}
