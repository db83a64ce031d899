import { type Page, type Response } from "@playwright/test";

import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { expect, test, withFewJobs } from "./fixtures/app";
import { PAGES } from "./fixtures/pages";
import { startProxy } from "./fixtures/proxy";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const BASE = "/assay";

/** Requested URLs of the host outside the base path, and failed ones. */
function watch(page: Page): { readonly outside: string[]; readonly failed: string[] } {
  const found = { outside: [] as string[], failed: [] as string[] };
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && pathname !== BASE && !pathname.startsWith(`${BASE}/`))
      found.outside.push(request.url());
  });
  page.on("response", (response: Response) => {
    if (response.status() >= 400) found.failed.push(`${String(response.status())} ${response.url()}`);
  });
  return found;
}

/**
 * Returns links, forms, images, styles and scripts outside the base path: of the open page from the browser, of another page
 * from the server's HTML. Null if it has no heading yet.
 */
function listOutside(page: Page, other: string | null = null): Promise<readonly string[] | null> {
  return page.evaluate(
    async ([base, address]) => {
      const read = async (from: string): Promise<Document> =>
        new DOMParser().parseFromString(await (await fetch(from)).text(), "text/html");
      const shown = address === null ? document : await read(address);
      if (shown.querySelector("h1") === null) return null;
      return ["href", "src", "action", "formaction", "poster"]
        .flatMap((name) => [...shown.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name)))
        .filter((value) => value?.startsWith("/") === true)
        .map(String)
        .filter((value) => !value.startsWith(base) || !/^(?:[/?#]|$)/.test(value.slice(base.length)));
    },
    [BASE, other] as const,
  );
}

for (const way of ["passes on", "removes"] as const) {
  const tag = way === "removes" ? " @long" : "";
  test(`behind a proxy that ${way} the sub-path, nothing leads or asks out of it${tag}`, async ({ page }) => {
    test.setTimeout(300_000);
    await withFewJobs(
      async ({ url, jobsFolder }) => {
        const [trial] = readFailedTrials(jobsFolder, JOB);
        const proxy = await startProxy([new URL(url).origin], { below: BASE, removes: way === "removes" });
        const here = proxy.url + BASE;
        const found = watch(page);
        const addresses = Object.values(PAGES).map((list) => list(JOB, trial?.name ?? "")[0] ?? "/");
        for (const address of way === "removes" ? ["/"] : addresses) {
          // Opening each takes half a second of CPU time.
          let outside = IS_LONG_RUN || address === "/" ? null : await listOutside(page, here + address);
          if (outside === null) {
            await page.goto(here + address);
            await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
            outside = await listOutside(page);
          }
          expect(outside, address).toEqual([]);
        }

        await page.goto(here);
        await page.getByRole("link", { name: JOB, exact: true }).click();
        await expect(page).toHaveURL(`${here}/jobs/${JOB}`);
        await page.keyboard.press("Control+k");
        await page
          .getByRole("dialog")
          .getByRole("combobox")
          .fill(trial?.name ?? "");
        await page.getByRole("option").first().click();
        await expect(page).toHaveURL(new RegExp(`^${here}/(?:jobs|tasks|trials)`));
        await page.goto(`${here}/jobs/${JOB}/trials/${trial?.name ?? ""}`);
        const panel = page.getByRole("form", { name: "Review" });
        await panel.getByRole("button", { name: /^Pass/ }).click();
        await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
        await panel.getByRole("button", { name: "Save", exact: true }).click();
        await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
        // Cookies are scoped to the base path.
        await panel.getByRole("button", { name: /^Undo/ }).click();
        await expect(panel.getByRole("status").first()).not.toHaveText(/^Saved/);
        const cookies = await page.context().cookies();
        expect(cookies.length).toBeGreaterThan(1);
        for (const { name, path } of cookies) expect(path, name).toBe(BASE);

        // A view stores its URL without the base path.
        await page.goto(`${here}/jobs/${JOB}?tab=trials`);
        await page.keyboard.press("Control+k");
        await page.getByRole("option", { name: /Save (?:this )?view/i }).click();
        await page.getByRole("dialog").getByRole("textbox").fill("Mine");
        await page.keyboard.press("Enter");
        await page.goto(`${here}/views`);
        await page.getByRole("link", { name: "Mine", exact: true }).click();
        await expect(page).toHaveURL(`${here}/jobs/${JOB}?tab=trials`);

        // Downloads, a file of a trial, and the stream of events.
        for (const file of [
          "/jobs.csv",
          `/api/artifacts/${JOB}/${trial?.name ?? ""}/result.json`,
          "/api/v1/jobs",
        ]) {
          const answer = await page.request.get(here + file);
          expect(answer.status(), file).toBe(200);
        }
        expect(found.outside).toEqual([]);
        expect(found.failed.filter((one) => !one.startsWith("404"))).toEqual([]);
        proxy.close();
      },
      undefined,
      { options: ["--base-path", BASE] },
    );
  });
}
