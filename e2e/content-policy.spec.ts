import { expect, test } from "./fixtures/app";
import { listEachPage } from "./fixtures/pages";
import { readFailedTrials } from "./fixtures/recorded-trials";

// `fixtures/app` asserts in every test that no page violates its policy.

const JOB = "tb2-orca-next";

test("every script of an answer has the nonce of that answer alone", async ({ request, assay }) => {
  const [trial] = readFailedTrials(assay.jobsFolder, JOB);
  const nonces = new Set<string>();
  const addresses = [...listEachPage(JOB, trial?.name ?? ""), "/no-such-page"];
  for (const address of addresses) {
    const response = await request.get(address);
    const policy = response.headers()["content-security-policy"] ?? "";
    const nonce = /script-src 'nonce-([^']{20,})'/.exec(policy)?.[1] ?? "none";
    nonces.add(nonce);
    expect(policy, address).toContain("default-src 'self'");
    // Only raw files come from another origin, never scripts or styles.
    const { port } = new URL(assay.url);
    for (const kind of ["img", "media"])
      expect(policy, address).toMatch(
        new RegExp(`${kind}-src [^;]* ?http://files\\.localhost:${port}(?:;|$)`),
      );
    expect(policy.replaceAll(` http://files.localhost:${port}`, ""), address).not.toMatch(
      /http:|script-src [^;]*unsafe|style-src [^;]*unsafe/,
    );
    const tags = (await response.text()).match(/<script[^>]*>/g) ?? [];
    expect(tags.length, address).toBeGreaterThan(2);
    for (const tag of tags) expect(tag, address).toContain(`nonce="${nonce}"`);
  }
  expect(nonces.size).toBe(addresses.length);
});

test("the theme applies before the first paint, and commands work @long", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.addInitScript(() => {
    requestAnimationFrame(() => (window.name = document.documentElement.dataset["theme"] ?? "none"));
  });
  await page.goto("/");
  expect(await page.evaluate(() => window.name)).toBe("dark");
  // Keys pressed before scripts run are lost.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test("an injected script is not run", async ({ browser, assay }) => {
  const page = await browser.newPage();
  const refusals: string[] = [];
  page.on("console", (message) => refusals.push(message.text()));
  await page.goto(assay.url);
  await page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", `<img src="data:," onerror="document.title = 'run'">`);
    document.body.insertAdjacentHTML(
      "beforeend",
      `<a href="javascript:document.title='run'" id="trap">x</a>`,
    );
    document.getElementById("trap")?.click();
  });
  await expect.poll(() => refusals.filter((text) => text.includes("Content Security Policy")).length).toBe(2);
  expect(await page.title()).not.toBe("run");
  await page.close();
});
