import type { Page } from "@playwright/test";

import { expect, test, withFewJobs } from "./fixtures/app";

const JOB = "tb2-baseline";

function rows(page: Page) {
  return page.getByRole("table", { name: "Trials of this job" }).locator("tbody [data-row-link]");
}

/** Opens a list and returns its trial names in order. */
async function openList(page: Page, address: string): Promise<readonly string[]> {
  await page.goto(address);
  await rows(page).first().waitFor();
  return rows(page).evaluateAll((links) => links.map((link) => link.getAttribute("title") ?? ""));
}

function position(page: Page) {
  return page.getByRole("navigation", { name: "Trials" }).locator('[data-command="trial.list"]');
}

async function expectTrial(page: Page, name: string | undefined): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/trials/${name ?? "none"}(?:\\?|$)`));
}

test("next and previous follow the list of the trial, and the back link returns to its row", async ({
  page,
}) => {
  const list = `/jobs/${JOB}?tab=trials&outcome=failed&sort=cost&dir=asc`;
  const names = await openList(page, list);
  const total = (await page.getByRole("main").textContent())?.match(/([\d,]+) of [\d,]+ trials/)?.[1] ?? "";
  await rows(page).nth(2).click();
  await expect(position(page)).toHaveText(`3 of ${total} failed trials`);
  await expect(position(page)).toHaveAttribute("title", /tb2-baseline, failed, by cost, lowest first$/);

  await page
    .getByRole("navigation", { name: "Parts of the trial" })
    .getByRole("link", { name: /^Tests/ })
    .click();
  await expect(page).toHaveURL(/tab=tests/);
  for (const at of [3, 4]) {
    await page.keyboard.press("ArrowRight");
    await expectTrial(page, names[at]);
    await expect(position(page)).toHaveText(`${at + 1} of ${total} failed trials`);
    await expect(page).toHaveURL(/tab=tests/);
  }

  await page.keyboard.press("l");
  await expect(rows(page).nth(4)).toBeFocused();
  await expect(rows(page).nth(4)).toHaveAttribute("title", names[4] ?? "none");
  await expect(rows(page).nth(4)).toBeInViewport();
  await expect(page).toHaveURL(/outcome=failed&sort=cost&dir=asc/);

  // The browser's back button, trial by trial.
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expectTrial(page, names[5]);
  await expect(position(page)).toHaveText(`6 of ${total} failed trials`);
  await page.keyboard.press("ArrowLeft");
  await expectTrial(page, names[4]);
  await page.goBack();
  await expectTrial(page, names[5]);
  await page.goBack();
  await expect(rows(page).nth(5)).toBeFocused();
});

test("next continues on the following page of a list, up to its end @long", async ({ page }) => {
  const list = `/jobs/${JOB}?tab=trials&sort=started`;
  const first = await openList(page, list);
  const second = await openList(page, `${list}&page=2`);
  await page.goto(list);
  await rows(page).last().click();
  await expectTrial(page, first.at(-1));
  await expect(position(page)).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expectTrial(page, second[0]);
  await position(page).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(rows(page).first()).toBeFocused();

  await page.goto(list);
  await rows(page).first().click();
  await expect(page.getByTitle("This is the first trial in the list")).toHaveAttribute(
    "aria-disabled",
    "true",
  );
});

test("save and next visits the list, from which judged trials drop out @long", async ({ page }) => {
  await withFewJobs(async ({ url }) => {
    const names = await openList(page, `${url}/jobs/tb2-orca-next?tab=trials&judgment=none&sort=duration`);
    await rows(page).first().click();
    const panel = page.getByRole("form", { name: "Review" });
    await panel.getByRole("button", { name: "Whole form" }).click();
    await panel.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
    for (const name of names.slice(0, 2)) {
      await expectTrial(page, name);
      await panel.getByRole("button", { name: /^Fail/ }).click();
      await panel.getByRole("button", { name: /^Save and next/ }).click();
    }
    await expectTrial(page, names[2]);
    await expect(position(page)).toHaveText(/^1 of \d+ filtered trials$/);
    await page.goBack();
    await expectTrial(page, names[1]);
    await expect(position(page)).toHaveText(/^not among \d+ filtered trials$/);
    await page.keyboard.press("ArrowRight");
    await expectTrial(page, names[2]);
  });
});

test("menus of a list open inside the window", async ({ page }) => {
  await page.goto("/trials");
  await page.getByText("More filters").click();
  const menus = page.getByRole("main").locator("details.facet");
  for (const width of [1440, 1024, 700]) {
    await page.setViewportSize({ width, height: 900 });
    for (const menu of await menus.all()) {
      const summary = menu.locator("summary");
      await summary.click();
      const panel = menu.locator(".facet-panel");
      await expect(panel, await summary.innerText()).toBeInViewport({ ratio: 1 });
      await summary.click();
    }
  }
});
