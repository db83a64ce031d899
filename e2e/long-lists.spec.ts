import type { Page } from "@playwright/test";

import { HOSTILE_TRIAL, writeHostileJob } from "../lib/testing/hostile-folders";
import { Random } from "../lib/testing/random";
import { expect, test, withAssay } from "./fixtures/app";

const N = 210;

/** A list of a trial by the kind of hostile job: its region, its entries, and the noun of its pager. */
const LISTS = {
  "reward-keys": { region: "Result", entry: "li > .cut", rows: "reward keys" },
  tags: { region: "Error tags", entry: ".tag-head", rows: "error tags" },
  criteria: { region: "Dimensions", entry: ".criteria > li", rows: "dimensions and criteria" },
  analysis: { region: "Analysis", entry: ".aside-list > li", rows: "checks" },
} as const;

test("every entry of a trial's long lists is on a page reached by keyboard @long", async ({ page }) => {
  await withAssay(
    async ({ url }) => {
      for (const [job, { region, entry, rows }] of Object.entries(LISTS)) {
        await page.goto(`${url}/jobs/${job}/trials/${HOSTILE_TRIAL}?tab=evaluation`);
        const seen = await walk(page, region, entry, rows);
        expect(new Set(seen).size, job).toBeGreaterThanOrEqual(N);
        await expect(page.getByRole("complementary", { name: "Review" })).toBeVisible();
      }
      // Paging one list does not move the others.
      await page.goto(page.url().replace("checks=200", "tags=100&checks=200"));
      const pager = page.getByRole("navigation", { name: "Pages of the checks" });
      await pager.getByRole("link", { name: "Previous" }).click();
      await expect(page).toHaveURL(/[?&]tags=100&checks=100#checks$/);

      await page.goto(`${url}/jobs/dimensions?tab=dimensions`);
      const families = page.locator("details.dimension-families");
      await families.locator("summary").first().press("Enter");
      const dimensions = await walk(page, /^(?:alpha|beta)/, ".dimension-table th.name", "dimensions");
      expect(new Set(dimensions).size).toBe(N);
    },
    ({ jobsFolder, runCli }) => {
      const random = new Random("long lists");
      for (const job of [...Object.keys(LISTS), "dimensions"])
        writeHostileJob(jobsFolder, job, { items: N, chars: 20 }, random);
      expect(runCli("index", jobsFolder).code).toBeLessThan(2);
    },
    [],
  );
});

/** Texts of all entries of a list, over all pages. */
async function walk(
  page: Page,
  list: string | RegExp,
  entry: string,
  rows: string,
): Promise<readonly string[]> {
  const entries = page.getByRole("region", { name: list, exact: true }).first().locator(entry);
  const pager = page.getByRole("navigation", { name: `Pages of the ${rows}` }).first();
  const shown = pager.locator("span").first();
  const next = pager.getByRole("link", { name: "Next" });
  await entries.first().waitFor({ state: "attached" });
  const seen: string[] = [];
  for (;;) {
    seen.push(...(await entries.allTextContents()));
    if ((await next.count()) === 0) return seen;
    const before = (await shown.textContent()) ?? "";
    await next.focus();
    await page.keyboard.press("Enter");
    await expect(shown).not.toHaveText(before);
  }
}
