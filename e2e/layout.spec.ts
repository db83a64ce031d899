import { expect, test } from "./fixtures/app";
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
  ["trial", (trial) => `/jobs/${JOB}/trials/${trial}`],
  ["evaluation", (trial) => `/jobs/${JOB}/trials/${trial}?tab=evaluation`],
  ["compare", () => `/compare?${COMPARED}`],
  ["errors", () => "/errors"],
  ["annotations", () => "/annotations"],
  ["load report", () => "/load-report"],
];

/** Google calls a page good up to 0.1; here nothing is meant to move at all, save for what rounding leaves. */
const MOST_SHIFT = 0.01;

for (const width of [1440, 1024]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });
    for (const [name, address] of PAGES) {
      test(`${name}: nothing moves while it loads, and nothing leaves the page sideways`, async ({
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
        // A page of folders that are still being read fills by itself, which is not meant here.
        await expect.poll(async () => (await page.request.get("/")).text()).toContain("up to date");
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
