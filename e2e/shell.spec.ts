import { expect, test } from "./fixtures/app";

test.describe("theme", () => {
  test("switches, survives a reload, and applies before the first paint", async ({ page }) => {
    await page.goto("/");
    const root = page.locator("html");
    await expect(root).toHaveAttribute("data-theme", "light");
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expect(root).toHaveAttribute("data-theme", "dark");

    // Records the first background of the body.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector("body") === null) return;
        document.documentElement.dataset["firstTheme"] = document.documentElement.dataset["theme"] ?? "none";
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await expect(root).toHaveAttribute("data-theme", "dark");
    await expect(root).toHaveAttribute("data-first-theme", "dark");
  });

  test("follows the system until one is chosen @long", async ({ browser, assay }) => {
    const context = await browser.newContext({ colorScheme: "dark" });
    const page = await context.newPage();
    await page.goto(assay.url);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await context.close();
  });
});

test.describe("keyboard", () => {
  test("the first Tab offers to skip to the content", async ({ page }) => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });

  test("/ filters, Enter goes to the first result, j and k walk the rows, Enter opens one", async ({
    page,
  }) => {
    await page.goto("/");
    const filter = page.getByRole("searchbox", { name: "Filter jobs and tasks" });
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(filter).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.type("swe-mini");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=swe-mini/);
    await expect(page.locator(":focus")).toHaveAttribute("href", /^\/jobs\/swe-mini/);
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await expect(filter).toHaveValue("");
    await expect(filter).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(filter).not.toBeFocused();
    // Escape clears the filter; wait until the URL changed and requests ended.
    await expect(page).not.toHaveURL(/q=/);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await page.keyboard.press("j");
    const first = page.locator(":focus");
    await expect(first).toHaveAttribute("href", /^\/jobs\//);
    const firstHref = await first.getAttribute("href");
    await page.keyboard.press("j");
    await expect(page.locator(":focus")).not.toHaveAttribute("href", firstHref ?? "");
    await page.keyboard.press("k");
    await expect(page.locator(":focus")).toHaveAttribute("href", firstHref ?? "");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`${firstHref ?? "never"}$`));
  });
});

test("an unknown URL says so and links back", async ({ page }) => {
  const trial = "/jobs/tb2-baseline/trials/no-such-trial";
  for (const address of ["/no-such-page", "/jobs/no-such-job", "/jobs/no-such-job/trials/none", trial]) {
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(404);
    await expect(page.getByRole("main")).toContainText(/no such|not found|not in the open folders/i);
  }
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("headings, menus, tabs and rows open without a new document, and keep the scroll position where required", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Mean", exact: true })).toBeVisible();
  // Lost if the document is replaced.
  await page.evaluate(() => (document.body.dataset["kept"] = ""));
  await expect(async () => {
    await page.getByRole("link", { name: "Mean", exact: true }).click({ timeout: 1000 });
    await expect(page).toHaveURL(/sort=mean/, { timeout: 1000 });
  }).toPass();
  await page.getByText("Agent", { exact: true }).first().click();
  await page.getByRole("link", { name: /^orca/ }).first().click();
  await expect(page).toHaveURL(/agent=orca/);
  await page.locator("tbody a[data-row-link]").first().click();
  await page.getByRole("link", { name: /^Score check/ }).click();
  await expect(page).toHaveURL(/tab=verification/);
  await page.locator("tbody a[data-row-link]").last().click();
  await expect(page).toHaveURL(/figure=/);
  await expect(page.locator("body[data-kept]")).toHaveCount(1);
  // Sorting replaces the history entry, a row adds one.
  await page.goBack();
  await expect(page).toHaveURL(/tab=verification/);
});

test("following a link by keyboard focuses the opened page", async ({ page }) => {
  await page.goto("/");
  // A link that stays keeps the focus.
  const rail = page.locator("a[href='/errors'][title]");
  await rail.press("Enter");
  await expect(page).toHaveURL(/\/errors(?:\?|$)/);
  await expect(rail).toBeFocused();
  await page.goto("/");
  await page.getByRole("link", { name: "tb2-baseline", exact: true }).first().press("Enter");
  await expect(page).toHaveURL(/\/jobs\/tb2-baseline$/);
  const main = page.getByRole("main");
  await expect(main).toBeFocused();
  // On a slow machine, the page replaces its skeleton after the focus arrived.
  await main.evaluate((skeleton) => skeleton.replaceWith(skeleton.cloneNode(true)));
  await expect(main).toBeFocused();
});
