import { type Page } from "@playwright/test";

import { startOidcProvider } from "../lib/people/accounts/oidc-provider.fixture";
import { IS_LONG_RUN } from "../lib/testing/plan-runs";
import { addAccount, signIn } from "./fixtures/accounts";
import { expect, test, withFewJobs } from "./fixtures/app";
import { findViolations } from "./fixtures/axe";

const JOB = "tb2-orca-next";

const PEOPLE = {
  ada: { name: "Ada Example", email: "ada@example.org", email_verified: true, groups: ["bench"] },
  ben: { name: "Ben Example", email: "ben@example.org", email_verified: true },
  cleo: { name: "Cleo Example", email: "cleo@example.org", email_verified: false },
};

/** Signs in at the provider by keyboard; its only field has the focus. */
async function typeLogin(page: Page, login: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Example Login");
  await page.keyboard.type(login);
  await page.keyboard.press("Enter");
}

/** Presses a button by keyboard once the page's scripts run. */
async function pressButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name });
  await expect(button).toBeEnabled();
  await button.press("Enter");
}

async function expectProblem(page: Page, words: RegExp): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Assay");
  await expect(page.getByRole("alert").filter({ hasText: words })).toBeVisible();
}

test("below a base path, users sign in with a provider by keyboard, with the role of their groups or an invitation @long", async ({
  page,
  browser,
}) => {
  const provider = await startOidcProvider(PEOPLE);
  await withFewJobs(
    async ({ url }) => {
      await page.goto(`${url}/assay/jobs/${JOB}`);
      await expect(page.getByRole("button", { name: "Continue with Example Login" })).toBeFocused();
      await expect(page.getByLabel("Password")).toHaveCount(0);
      expect(await findViolations(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await typeLogin(page, "ada");
      await expect(page).toHaveURL(`${url}/assay/jobs/${JOB}`);
      for (const { name, path, domain } of await page.context().cookies())
        if (name.startsWith("assay") && domain === "127.0.0.1") expect(path, name).toBe("/assay");
      await page.goto(`${url}/assay/account`);
      await expect(page.getByText("Signed in as admin.")).toBeVisible();
      await expect(page.getByText("Connected: you sign in with Example Login.")).toBeVisible();

      await page.goto(`${url}/assay/accounts`);
      await page.getByRole("button", { name: "Make invitation link" }).press("Enter");
      const link = (await page.locator(".notice-code").textContent()) ?? "";
      const context = await browser.newContext();
      const ben = await context.newPage();
      await ben.goto(link);
      await expect(ben.getByRole("button", { name: "Continue with Example Login" })).toBeFocused();
      await ben.keyboard.press("Enter");
      await typeLogin(ben, "ben");
      await expect(ben.getByRole("heading", { level: 1 })).toHaveText("Runs");
      await ben.goto(`${url}/assay/account`);
      await expect(ben.getByText("Signed in as reviewer.")).toBeVisible();
      await context.close();

      const log = await (await page.request.get(`${url}/assay/accounts/audit.csv`)).text();
      expect(log).toMatch(
        /"Ben Example",.*"With Example Login: new account, reviewer, ben@example.org, invited by Ada Example"/,
      );
    },
    undefined,
    {
      options: ["--base-path", "/assay"],
      environment: {
        ...provider.environment,
        ASSAY_OIDC_ROLES: "admin=bench",
        ASSAY_PASSWORDS: "off",
      },
    },
  );
  await provider.close();
});

test("a rejected sign-in explains why and what to do, and a signed-in user connects an account @long", async ({
  page,
  browser,
}) => {
  const provider = await startOidcProvider({ ...PEOPLE, ada: { ...PEOPLE.ada, name: "Somebody Else" } });
  let password = "";
  await withFewJobs(
    async ({ url, readErrors }) => {
      const context = await browser.newContext();
      const ben = await context.newPage();
      const go = () => pressButton(ben, "Continue with Example Login");
      await ben.goto(url);
      await go();
      await ben.getByRole("button", { name: "Stop" }).press("Enter");
      await expectProblem(ben, /refused the sign-in/);
      provider.faults = { claims: { nonce: "another" } };
      await go();
      await typeLogin(ben, "ben");
      await expectProblem(ben, /Could not verify that the answer/);
      // The session at the provider is still open.
      const faulty = [
        [{ claims: { aud: "another" } }, /Could not verify that the answer/],
        [{ isForged: true }, /Could not verify that the answer/],
        [{ claims: { exp: 1_700_000_000 } }, /one of the two clocks is wrong/],
        [{ hasStaleCodes: true }, /took longer than 10 minutes/],
      ] as const;
      // `lib/people/accounts/oidc.test.ts` tests the reasons for refusals.
      for (const [faults, words] of IS_LONG_RUN ? faulty : faulty.slice(-1)) {
        provider.faults = faults;
        // Clears the last announcement, which may have the same text.
        await ben.goto(`${url}/sign-in`);
        await go();
        await expectProblem(ben, words);
      }
      provider.faults = {};
      await ben.goto(`${url}/api/auth/oidc/callback?code=a&state=b`);
      await expectProblem(ben, /began in another browser/);
      await go();
      await expect(ben.getByRole("heading", { level: 1 })).toHaveText("Runs");

      const other = await browser.newContext();
      const cleo = await other.newPage();
      await cleo.goto(url);
      await pressButton(cleo, "Continue with Example Login");
      await typeLogin(cleo, "cleo");
      await expectProblem(cleo, /does not confirm that your e-mail address is verified/);
      await other.close();

      await page.goto(`${url}/account`);
      await page.getByLabel("Name").focus();
      await signIn(page, "Ada Example", password);
      await pressButton(page, "Connect Example Login");
      await typeLogin(page, "ada");
      await expect(page.getByText("Connected: you sign in with Example Login.")).toBeVisible();
      await pressButton(page, "Disconnect Example Login");
      await expect(page.getByText("Disconnected from Example Login.")).toBeFocused();
      await pressButton(page, "Connect Example Login");
      await expect(page.getByText("Connected: you sign in with Example Login.")).toBeVisible();
      await page.getByRole("button", { name: "Sign out" }).press("Enter");
      await pressButton(page, "Continue with Example Login");
      await expect(page.getByRole("link", { name: "Account of Ada Example" })).toBeVisible();

      await page.goto(`${url}/accounts`);
      await page.getByRole("button", { name: "Block Ben Example" }).press("Enter");
      await expect(page.getByRole("button", { name: "Unblock Ben Example" })).toBeVisible();
      await ben.goto(url);
      await go();
      await expectProblem(ben, /account is blocked/);

      await provider.close();
      await go();
      await expectProblem(ben, /does not answer/);
      for (const text of [readErrors(), await ben.content()])
        expect(text).not.toContain(provider.environment["ASSAY_OIDC_CLIENT_SECRET"]);
      await context.close();
    },
    (folders) => {
      password = addAccount(folders, "Ada Example", "admin");
    },
    { environment: { ...provider.environment, ASSAY_OIDC_NEW_PEOPLE: "reviewer" } },
  );
  await provider.close();
});
