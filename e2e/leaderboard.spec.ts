import { expect, test } from "./fixtures/app";

test("the groups over a dataset are found, ranked, copied and compared", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Datasets" }).click();
  await page.getByRole("link", { name: "terminal-mix", exact: true }).click();
  await expect(page).toHaveURL(/\/datasets\/terminal-mix$/);

  const table = page.getByRole("table", { name: "Groups over this dataset, best first" });
  const bars = table.getByRole("img", { name: /^ranks? \d+( to \d+)? of \d+$/ });
  await expect(bars.first()).toBeVisible();
  const nRanked = await bars.count();
  expect(nRanked).toBeGreaterThan(1);
  // The first rank is a set that holds 1, and as wide as its bar says.
  const first = await bars.first().getAttribute("aria-label");
  expect(first).toMatch(new RegExp(`^(rank 1|ranks 1 to \\d+) of ${String(nRanked)}$`));

  await page.getByRole("group", { name: "Format" }).getByRole("link", { name: "LaTeX" }).click();
  const copy = page.getByLabel("Leaderboard as text");
  await expect(copy).toContainText("\\begin{tabular}");
  await expect(page).toHaveURL(/format=latex/);

  const boxes = table.getByRole("checkbox");
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page).toHaveURL(/\/compare\?g=[^&]+&g=[^&]+/);
});

test("a filter hides groups and leaves the ranks of the others alone", async ({ page }) => {
  await page.goto("/datasets/terminal-mix");
  const rows = page
    .getByRole("table", { name: "Groups over this dataset, best first" })
    .getByRole("row")
    .filter({ has: page.getByRole("checkbox") });
  const nAll = await rows.count();
  const bar = /^ranks? /;
  const last = rows.filter({ has: page.getByRole("img", { name: bar }) }).last();
  const name = await last.getByRole("rowheader").getByRole("link").innerText();
  const rank = await last.getByRole("img", { name: bar }).getAttribute("aria-label");
  await page.goto(`/datasets/terminal-mix?q=${encodeURIComponent(name)}`);
  await expect(page.getByText("ranks are among all of them")).toBeVisible();
  expect(await rows.count()).toBeLessThan(nAll);
  await expect(rows.filter({ hasText: name }).getByRole("img", { name: bar }).first()).toHaveAttribute(
    "aria-label",
    rank ?? "",
  );
});
