import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { expect, test, withAssay } from "./fixtures/app";
import { listAddresses } from "./fixtures/pages";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const COMPARED = [
  `g=${JOB}:orca__meridian-5__terminal-mix`,
  "g=tb2-baseline:orca__meridian-4.5__terminal-mix",
].join("&");

const PAGES: readonly (readonly [name: string, address: (trial: string) => string])[] = [
  ["jobs", () => "/"],
  ["job", () => "/jobs/tb2-baseline"],
  ["trials", () => "/jobs/tb2-baseline?tab=trials"],
  ["all trials", () => "/trials?q=the"],
  ["trial", (trial) => `/jobs/${JOB}/trials/${trial}`],
  ["evaluation", (trial) => `/jobs/${JOB}/trials/${trial}?tab=evaluation`],
  ["compare", () => `/compare?${COMPARED}`],
  ["datasets", () => "/datasets"],
  ["leaderboard", () => "/datasets/terminal-mix"],
  ["triage", () => "/errors"],
  ["exceptions", () => "/errors/exceptions"],
  ["annotations", () => "/annotations"],
  ["load report", () => "/load-report"],
  ["guide", () => "/help/figures"],
];

/** A page with tabs that updates automatically, and one with charts. */
const ONCE: ReadonlySet<string> = new Set(["trial", "compare"]);

/** Google considers up to 0.1 good; this allows rounding only. */
const MOST_SHIFT = 0.01;

for (const width of [1440, 1024]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });
    for (const [name, address] of PAGES) {
      const tag = width === 1024 && ONCE.has(name) ? "" : " @long";
      test(`${name}: nothing moves while it loads, and nothing leaves the page sideways${tag}`, async ({
        page,
        assay,
      }) => {
        await page.addInitScript(() => {
          const shifts = { sum: 0, moved: [""] };
          Object.assign(window, { shifts });
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              if (!("value" in entry) || typeof entry.value !== "number") continue;
              if ("hadRecentInput" in entry && entry.hadRecentInput === true) continue;
              shifts.sum += entry.value;
              const sources: unknown = Reflect.get(entry, "sources");
              for (const { node } of Array.isArray(sources) ? sources : []) {
                shifts.moved.push(node instanceof Element ? `${node.tagName}.${node.className}` : "text");
              }
            }
          }).observe({ type: "layout-shift", buffered: true });
        });
        // Excludes shifts of pages whose folders are still being read.
        await expect.poll(async () => (await page.request.get("/help")).text()).toContain("up to date");
        const [trial] = readFailedTrials(assay.jobsFolder, JOB);
        let scriptBytes = 0;
        page.on("response", (response) => {
          if (!response.url().endsWith(".js")) return;
          void response.body().then((body) => (scriptBytes += body.length));
        });
        await page.goto(address(trial?.name ?? ""), { waitUntil: "networkidle" });
        await expect(page.getByRole("main")).toBeVisible();
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        const { sum, moved } = await page.evaluate(
          () => Object.assign({ shifts: { sum: Number.NaN, moved: [""] } }, window).shifts,
        );
        test.info().annotations.push({ type: "script bytes", description: String(scriptBytes) });
        expect(sum, `what moved: ${moved.join(" ")}`).toBeLessThan(MOST_SHIFT);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
      });
    }
  });
}

const LONG = "x".repeat(400);
/** Pages and tabs of a short run: those with most names from files. */
const FULL =
  /^\/(?:trials|errors\/exceptions|load-report)?$|^\/(?:compare|tasks\/|datasets\/bench$)|tab=trajectory$|[?&]tab=(?:dimensions|trials|evaluation|errors|tasks)/u;

/** A job of one trial whose names are each one long word, with a hundred dimensions. */
function writeLongNames(jobsFolder: string): void {
  const folder = join(jobsFolder, "long", "alpha__AAAAAAA");
  mkdirSync(join(folder, "verifier"), { recursive: true });
  const exception = {
    exception_type: LONG,
    exception_message: LONG,
    exception_traceback: LONG,
    occurred_at: "2026-05-01T10:00:00",
  };
  const result = {
    id: "one",
    task_name: LONG,
    trial_name: "alpha__AAAAAAA",
    trial_uri: "file:///elsewhere",
    task_id: { path: LONG },
    source: LONG,
    task_checksum: LONG,
    config: { task: { path: LONG }, trial_name: "alpha__AAAAAAA" },
    agent_info: { name: LONG, version: LONG, model_info: { name: LONG, provider: LONG } },
    verifier_result: { rewards: { reward: 0, [LONG]: 1 } },
    exception_info: exception,
    step_results: [
      {
        step_name: LONG,
        verifier_result: null,
        exception_info: { ...exception, exception_type: `y${LONG}` },
      },
    ],
    started_at: "2026-05-01T17:00:00Z",
    finished_at: "2026-05-01T17:10:00Z",
  };
  const dimensions = Array.from({ length: 100 }, (_, n) => [`${n} ${LONG}`, { score: n / 100 }]);
  writeFileSync(join(jobsFolder, "long", "job.log"), "");
  writeFileSync(join(folder, "result.json"), JSON.stringify(result));
  writeFileSync(join(folder, "trial.log"), "");
  writeFileSync(
    join(folder, "verifier", "reward-details.json"),
    JSON.stringify(Object.fromEntries(dimensions)),
  );
}

test("long names never widen a page, and review and back link stay reachable", async ({ page }) => {
  await withAssay(
    async ({ url }) => {
      const pass = page.getByRole("form", { name: "Review" }).getByRole("button", { name: /^Pass/ });
      for (const address of listAddresses("long", "alpha__AAAAAAA")) {
        if (!IS_LONG_RUN && !FULL.test(address)) continue;
        await page.goto(url + address);
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        const hasReview = address.startsWith("/jobs/") && address.endsWith("tab=trajectory");
        if (hasReview) await expect(pass).toBeEnabled();
        for (const width of [1440, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 });
          const what = `${address} at ${width} px`;
          const { overflow, crumbs } = await page.evaluate(() => ({
            overflow: document.documentElement.scrollWidth - window.innerWidth,
            // A phone shows only the page and its parent.
            crumbs: [...document.querySelectorAll("nav[aria-label=Breadcrumb] a")]
              .filter((crumb) => crumb.checkVisibility())
              .map((crumb) => crumb.getBoundingClientRect().width),
          }));
          expect.soft(overflow, what).toBeLessThanOrEqual(0);
          expect.soft(Math.min(...crumbs, 99), what).toBeGreaterThan(15);
        }
        if (hasReview) await expect.soft(pass).toBeInViewport();
      }
    },
    ({ jobsFolder }) => writeLongNames(jobsFolder),
    [],
  );
});
