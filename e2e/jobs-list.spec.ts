import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures/app";

const LIST = "Jobs, one row per evals group";

test("every job folder is a job in the list, with Harbor's own trial count", async ({ page, assay }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  const table = page.getByRole("table", { name: LIST });
  for (const name of ["tb2-baseline", "tb2-orca-next"]) {
    await expect(table.getByRole("link", { name, exact: true })).toBeVisible();
  }
  const folder = join(assay.jobsFolder, "tb2-baseline");
  const trials = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const orca = trials.filter(({ name }) =>
    readFileSync(join(folder, name, "result.json"), "utf8").includes('"agent_info": {\n    "name": "orca"'),
  );
  const row = table.getByRole("row", { name: /orca of tb2-baseline/ });
  await expect(row).toContainText(String(orca.length));
});

test("text typed before the page's scripts run is searched", async ({ page }) => {
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.route(/\/_next\/static\/.*\.js/u, async (route) => {
    if (isHeld) await new Promise<void>((settle) => held.push(settle));
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await page.getByRole("searchbox", { name: "Filter jobs and tasks" }).fill("orca");
  isHeld = false;
  for (const settle of held) settle();
  await expect(page).toHaveURL(/[?&]q=orca/u);
  await expect(page.getByRole("searchbox", { name: "Filter jobs and tasks" })).toHaveValue("orca");
  // A URL value that a field cannot hold was not typed, so the page's timers must not change the URL.
  await page.clock.install();
  await page.goto("/?q=orca%0Anext");
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.clock.runFor(5_000);
  await expect(page.getByRole("searchbox", { name: "Filter jobs and tasks" })).toHaveValue("orcanext");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expect(page).toHaveURL(/[?&]q=orca%0Anext$/u);
});

test("search, facet and sort are in the URL", async ({ page }) => {
  await page.goto("/");
  const rows = page.getByRole("checkbox", { name: /^Select / });
  const all = await rows.count();

  await page.getByRole("searchbox", { name: "Filter jobs and tasks" }).fill("orca-next");
  await expect(page).toHaveURL(/\?q=orca-next$/);
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole("link", { name: "tb2-orca-next", exact: true })).toBeVisible();

  await page.reload();
  await expect(page.getByRole("searchbox", { name: "Filter jobs and tasks" })).toHaveValue("orca-next");
  await expect(rows).toHaveCount(1);

  await page.goto("/");
  await page.locator("summary", { hasText: "Agent" }).click();
  await page.getByRole("link", { name: /^lamp/ }).click();
  await expect(page).toHaveURL(/agent=lamp/);
  await expect(rows.first()).toHaveAccessibleName(/lamp/);
  expect(await rows.count()).toBeLessThan(all);

  await page.goto("/?by=none&sort=job&dir=desc");
  const descending = await readJobs(page);
  expect(descending).toEqual([...descending].sort().reverse());
  await page.getByRole("columnheader", { name: "Job and dataset" }).getByRole("link").click();
  await expect.poll(() => readJobs(page)).toEqual([...descending].reverse());
});

test("the list fits a laptop, and a phone shows the score first", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  const region = page.getByRole("group", { name: LIST });
  expect(await region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  await expect(region.getByRole("columnheader", { name: "Cost" })).toBeInViewport({ ratio: 1 });
  const isCut = await region.locator("tbody [data-row-link]").evaluateAll((links) =>
    links.map((link) => {
      link.textContent = "x-".repeat(100);
      const cell = link.closest("td, th")?.getBoundingClientRect();
      const { right, bottom } = link.getBoundingClientRect();
      return (
        link.scrollWidth > link.clientWidth || right > (cell?.right ?? 0) || bottom > (cell?.bottom ?? 0)
      );
    }),
  );
  expect(isCut).not.toContain(true);
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
  const score = await region.getByText("0.742", { exact: true }).boundingBox();
  const agent = await region.getByText("meridian-4.5").first().boundingBox();
  if (score === null || agent === null) throw new Error("the row of orca is drawn");
  expect(score.x).toBeLessThan(agent.x);
  expect(Math.abs(score.y + score.height / 2 - agent.y - agent.height / 2)).toBeLessThan(6);
});

test("headings stay in view and never cover the focus @long", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto("/");
  const heading = page.getByRole("columnheader", { name: "Agent and model" });
  const boxes = page.getByRole("checkbox", { name: /^Select / });
  await boxes.last().focus();
  await expect(heading).toBeInViewport({ ratio: 1 });
  for (const box of (await boxes.all()).toReversed()) {
    await box.focus();
    const isCovered = await box.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) !== element;
    });
    expect(isCovered).toBe(false);
  }
});

test("the back button restores the list @long", async ({ page }) => {
  await page.goto("/?q=baseline");
  await page.getByRole("link", { name: "tb2-baseline", exact: true }).click();
  await expect(page).toHaveURL(/\/jobs\/tb2-baseline/);
  await expect(page.getByRole("heading", { level: 1, name: /tb2-baseline/ })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\?q=baseline$/);
  await expect(page.getByRole("searchbox", { name: "Filter jobs and tasks" })).toHaveValue("baseline");
});

test("a search without a match says so and links back", async ({ page }) => {
  await page.goto("/?q=no-such-job-anywhere");
  await expect(page.getByRole("main")).toContainText(/no .*match/i);
  await page
    .getByRole("main")
    .getByRole("link", { name: /clear|all jobs|remove/i })
    .first()
    .click();
  await expect(page.getByRole("link", { name: "tb2-baseline", exact: true })).toBeVisible();
});

test("hostile values in the address are ignored", async ({ page }) => {
  const response = await page.goto(
    "/?sort=%00&dir=up&columns=nothing&agent=%3Cscript%3Ealert(1)%3C%2Fscript%3E&q=%F0%9F%92%A9",
  );
  expect(response?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await expect(page.getByText("sort, dir, columns")).toBeVisible();
});

async function readJobs(page: Page): Promise<string[]> {
  const links = page.getByRole("table", { name: LIST }).locator("[data-row-link]");
  await expect(links.first()).toBeVisible();
  return links.allInnerTexts();
}
