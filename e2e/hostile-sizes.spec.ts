import { globSync } from "node:fs";
import { join } from "node:path";

import type { Page, Request } from "@playwright/test";

import { CROWDED_JOBS, HOSTILE_JOBS, HOSTILE_TRIAL, writeHostileJob } from "../lib/testing/hostile-folders";
import type { HostileSize } from "../lib/testing/hostile-grower";
import { IS_LONG_RUN, planRuns } from "../lib/testing/plan-runs";
import { Random } from "../lib/testing/random";
import { expect, test, withAssay } from "./fixtures/app";
import { listAddresses, PAGES } from "./fixtures/pages";

const MAX_BYTES = 2_000_000;
const PAGES_APART = 96;
/** In a short run, each page shows a different hostile job. */
const CROWDS_APART = IS_LONG_RUN ? 1 : CROWDED_JOBS.size;
/** No page shows as many of one text. */
const MAX_SHOWN_CHARS = 50_000;
const N_JUDGMENTS = IS_LONG_RUN ? 60 : 10;

/** Routes of downloads, streams and raw files, which may be as large as their source, and redirects. */
const FILES =
  /\.(?:csv|json|jsonl|parquet|svg)$|^compare\/report\.html$|^api\/v1\/|^annotations\/(?:.*\/)?export$|^api\/(?:events|artifacts\/.*)$|\/similar-names$|^api\/search$|^beside$/;

test("every route is tested with hostile folders", () => {
  const app = join(import.meta.dirname, "..", "app");
  const routes = globSync("**/{page.tsx,route.{ts,tsx}}", { cwd: app }).map((file) =>
    file.replace(/\/[^/]*$/, ""),
  );
  const unknown = routes.filter((route) => !(route in PAGES) && !FILES.test(route));
  expect(unknown, "give a new page its addresses in fixtures/pages.ts").toEqual([]);
});

test("any folder content gives pages below 2 MB", async ({ page }) => {
  test.setTimeout(IS_LONG_RUN ? 3_600_000 : 240_000);
  const worst = { bytes: 0, largest: "" };
  for (const { jobs, size } of planJobs()) {
    await withAssay(
      async ({ url }) => {
        const load = async (path: string): Promise<void> => {
          const answer = await fetch(url + path);
          const bytes = (await answer.arrayBuffer()).byteLength;
          const what = `${path} at ${size.chars} characters and ${size.items} entries`;
          expect.soft(answer.status, what).toBeLessThan(500);
          expect.soft(bytes, what).toBeLessThan(MAX_BYTES);
          if (bytes > worst.bytes) Object.assign(worst, { bytes, largest: what });
        };
        // Pages of all jobs are requested once.
        const seen = new Set<string>();
        for (const [nth, job] of jobs.entries()) {
          const paths = listAddresses(job, HOSTILE_TRIAL);
          // Most jobs are checked on a few pages, the next one on others.
          for (const [at, path] of paths.entries())
            if (jobs.length === 1 || (nth + at) % (isCrowded(job, path) ? CROWDS_APART : PAGES_APART) === 0) {
              if (!seen.has(path)) await load(path);
              seen.add(path);
            }
        }
        const isCut = size.chars > MAX_SHOWN_CHARS;
        if (isCut && jobs.includes("exception"))
          await expectWhole(page, `${url}/jobs/exception/trials/${HOSTILE_TRIAL}`, "result.json", size.chars);
        if (isCut && jobs.includes("job-names"))
          await expectWhole(page, `${url}/jobs/job-names`, "lock.json", size.chars);
        if (jobs.includes("calls")) {
          const trial = `/jobs/calls/trials/${HOSTILE_TRIAL}`;
          const save = await expectReview(page, url + trial);
          await judgeOften(save);
          await page.goto(`${url}/annotations`);
          const unfold = page.getByRole("link", { name: /versions of .*, unfold$/ }).first();
          await load((await unfold.getAttribute("href")) ?? "");
          for (const path of [trial, `${trial}?tab=evaluation`, "/annotations"]) await load(path);
          await expectCounted(page, url + trial);
        }
      },
      ({ jobsFolder, runCli }) => {
        const random = new Random(`hostile ${planRuns({ short: 1, long: 1 }).seed}`);
        for (const job of jobs) writeHostileJob(jobsFolder, job, size, random);
        const run = runCli("index", jobsFolder);
        expect(run.code, run.stderr).toBeLessThan(2);
      },
      [],
    );
  }
  console.log(`largest: ${worst.bytes} bytes, ${worst.largest}`);
});

test("a page with any number of URL values is below 2 MB and keeps the values shown @long", async ({
  page,
  assay,
}) => {
  const list = (name: string) =>
    Array.from({ length: 320 }, (_, nth) => `${name}=a-name-of-some-length-${String(nth)}`).join("&");
  for (const [path, names] of [
    ["/trials", ["agent", "task", "cluster", "group", "job", "scanner"]],
    ["/errors", ["task", "agent", "job"]],
  ] as const)
    for (const name of names) {
      const answer = await fetch(`${assay.url}${path}?${list(name)}`);
      expect.soft(answer.status, name).toBe(200);
      expect.soft((await answer.arrayBuffer()).byteLength, `${path} ${name}`).toBeLessThan(MAX_BYTES);
    }
  await page.goto(`/trials?${list("agent")}`);
  await expect(page.getByText(/^and \d+ more$/)).toBeVisible();
  await expect(page.getByTitle("Remove this filter").first()).toHaveText("a-name-of-some-length-0");
});

/** True if a page shows a job of many small trials. */
function isCrowded(job: string, path: string): boolean {
  return CROWDED_JOBS.has(job) && (job === "call-names" || !path.includes("/trials/"));
}

/**
 * Jobs written together, and their sizes: first all, then one after the other, enlarged in one direction. A short run writes
 * all once, each just large enough to reveal a missing limit.
 */
function planJobs(): readonly { readonly jobs: readonly string[]; readonly size: HostileSize }[] {
  if (!IS_LONG_RUN) return [{ jobs: HOSTILE_JOBS, size: { items: 45, chars: MAX_SHOWN_CHARS + 1 } }];
  const items = 100_000;
  // The largest file also exceeds the limits of some readers.
  const sizes = [
    { items, chars: 20 },
    { items: 10, chars: 4_000_000 },
    { items: 10, chars: 25_000_000 },
  ];
  return [
    { jobs: HOSTILE_JOBS, size: { items: 300, chars: 60_000 } },
    ...sizes.flatMap((size) => HOSTILE_JOBS.map((job) => ({ jobs: [job], size }))),
  ];
}

/** Truncated content is linked in full. */
async function expectWhole(page: Page, address: string, file: string, chars: number): Promise<void> {
  await page.goto(address);
  const link = page.getByRole("link", { name: `Show all: ${file}` }).first();
  const href = (await link.getAttribute("href")) ?? "";
  const answer = await page.request.get(new URL(href, address).href);
  expect(answer.headers()["content-disposition"]).toContain("attachment");
  expect((await answer.text()).length).toBeGreaterThan(chars);
}

/** One step exceeds a page; the rest of the page and its review still work. */
async function expectReview(page: Page, address: string): Promise<Request> {
  await page.goto(address);
  await expect(page.getByRole("figure", { name: "Timeline" })).toBeVisible();
  const panel = page.getByRole("complementary", { name: "Review" });
  await panel.getByRole("button", { name: /^Pass/ }).click();
  await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
  return await sent;
}

/** Resends the form's request under other names, at the maximum length. */
async function judgeOften(save: Request): Promise<void> {
  const { origin: _origin, "content-length": _length, ...headers } = await save.allHeaders();
  const [first] = JSON.parse(save.postData() ?? "") as [{ readonly draft: object }];
  const categories = Array.from({ length: 32 }, (_, n) => `${"<".repeat(78)}${n}`);
  for (let n = 0; n < N_JUDGMENTS; n++) {
    const draft = { ...first.draft, reviewerId: `<"${n}`, notes: "<".repeat(20_000), categories };
    const body = JSON.stringify([{ ...first, draft, saveId: null, baseVersionId: null }]);
    const answer = await fetch(save.url(), {
      method: "POST",
      body,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":"))),
    });
    expect(await answer.text()).toContain('"saved"');
  }
}

/** The page counts all, including those not shown. */
async function expectCounted(page: Page, address: string): Promise<void> {
  await page.goto(address);
  // The form is rendered again from browser storage, folded.
  await expect(page.locator("fieldset.review-fields:enabled")).toBeVisible();
  const all = `${N_JUDGMENTS + 1} versions by ${N_JUDGMENTS + 1} reviewers`;
  await page.getByRole("complementary", { name: "Review" }).getByText(all).click();
  await expect(page.getByRole("link", { name: "Export with history" })).toBeVisible();
}
