import type { Page } from "@playwright/test";

import { HOSTILE_TRIAL, writeHostileJob } from "../lib/testing/hostile-folders";
import { Random } from "../lib/testing/random";
import { expect, test, withAssay } from "./fixtures/app";

const N = 450;

test("every entry of a trial's long lists is on some page, reached by keyboard", async ({ page }) => {
  await withAssay(
    async ({ url }) => {
      const trial = `${url}/jobs/everything/trials/${HOSTILE_TRIAL}`;
      await page.goto(trial);
      const rewards = await walk(page, "Rewards", "li > .cut", "reward keys");
      expect(new Set(rewards).size).toBe(N);
      const tags = await walk(page, "Error tags", ".tag-head", "error tags");
      expect(tags.filter((text) => /^tag \d/.test(text))).toHaveLength(N);
      const criteria = await walk(page, "Dimensions", ".criteria > li", "dimensions and criteria");
      expect(criteria).toHaveLength(N);
      expect(criteria.at(-1)).toContain(`c${N - 1}`);
      expect(new Set(await walk(page, "Analysis", ".aside-list > li", "checks")).size).toBe(N);
      // One list at another page leaves the others where they are, and the form in reach.
      await expect(page).toHaveURL(/dimensions=.*checks=/);
      await expect(page.getByRole("complementary", { name: "Review" })).toBeVisible();

      await page.goto(`${trial}?tab=tests`);
      const tests = await walk(page, "verifier/ctrf.json", "td code", "tests");
      expect(new Set(tests).size).toBe(N);

      await page.goto(`${url}/jobs/dimensions?tab=dimensions`);
      const dimensions = await walk(page, /^(?:alpha|beta)/, ".dimension-table th.name", "dimensions");
      expect(new Set(dimensions).size).toBe(N);
    },
    ({ jobsFolder, runCli }) => {
      const random = new Random("long lists");
      for (const job of ["everything", "dimensions"])
        writeHostileJob(jobsFolder, job, { items: N, chars: 20 }, random);
      expect(runCli("index", jobsFolder).code).toBeLessThan(2);
    },
    [],
  );
});

/** What stands in the entries of a list, from its first page to its last. */
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
