import { get } from "node:http";

import { type Browser, type Page, request as playwrightRequest } from "@playwright/test";

import { addAccount, signIn } from "./fixtures/accounts";
import { readActions } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { expectAccessible } from "./fixtures/axe";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";

/** Presses Tab until an element of that name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = () =>
    page.evaluate(
      (wanted) =>
        (
          document.activeElement?.getAttribute("aria-label") ??
          document.activeElement?.textContent ??
          ""
        ).trim() === wanted,
      name,
    );
  for (let n = 0; n < 60; n++) {
    if (await isThere()) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${name}`);
}

/** Before scripts run, a password must not be sent, least of all in a URL. */
async function expectNotInAddress(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(address);
  await page.getByLabel("Name").fill("ada example");
  await page.getByLabel("Password").fill("correct-horse");
  await page.keyboard.press("Enter");
  // Fails if the form sends anything.
  await page.goto(address).catch(() => null);
  expect(asked.filter((one) => one.includes("correct-horse"))).toEqual([]);
  await context.close();
}

test("an admin signs in by keyboard and invites a reviewer, who judges under the account's name alone", async ({
  page,
  browser,
}) => {
  let password = "";
  await withFewJobs(
    async ({ url, jobsFolder, runCli }) => {
      const [trial] = readFailedTrials(jobsFolder, JOB);
      const trialUrl = `${url}/jobs/${JOB}/trials/${trial?.name ?? ""}`;
      const readJudgments = () =>
        runCli("annotations", "export", "--history")
          .stdout.split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as { readonly reviewer_id: string });

      await page.goto(`${url}/accounts`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Assay");
      // Without a session, nothing of the open folders is revealed.
      expect(await page.content()).not.toContain(JOB);
      await expectAccessible(page);
      await expectNotInAddress(browser, page.url());
      await signIn(page, "ada example", "not the password");
      await expect(page.getByText("Name or password is wrong.")).toBeVisible();
      await page.getByLabel("Password").fill(password);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Accounts");
      await expectAccessible(page);
      await page.getByLabel("Invitee").fill("Ben at the lab");
      await tabTo(page, "Make invitation link");
      await page.keyboard.press("Enter");
      await expect(
        page.getByRole("button", { name: "Revoke the invitation for Ben at the lab" }),
      ).toBeVisible();
      // As over plain HTTP, where browsers have no clipboard.
      await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
      await page.getByRole("button", { name: "Copy", exact: true }).press("Enter");
      await expect(page.getByRole("button", { name: "press Ctrl+C" })).toBeVisible();
      expect(await page.evaluate(() => getSelection()?.toString().trim())).toBe(
        (await page.locator(".notice-code").textContent())?.trim(),
      );
      const link = await page.locator(".notice-code").textContent();

      const context = await browser.newContext();
      const ben = await context.newPage();
      await ben.goto(link ?? "");
      await expect(ben.getByText("You were invited as reviewer by Ada Example.")).toBeVisible();
      await expect(ben.getByText("signed in as")).toHaveCount(0);
      await page.goto(link ?? "");
      await expect(page.getByRole("heading", { name: "You are signed in as Ada Example" })).toBeVisible();
      await expectAccessible(ben);
      await signIn(ben, "Ben Example", "correct horse");
      await expect(ben.getByRole("heading", { level: 1 })).toHaveText("Runs");
      await ben.goto(link ?? "");
      await expect(ben.getByText("This invitation cannot be used")).toBeVisible();

      await ben.goto(trialUrl);
      const panel = ben.getByRole("form", { name: "Review" });
      await panel.getByRole("button", { name: /^Pass/ }).click();
      await expect(panel).toContainText("You review as Ben Example");
      await panel.getByRole("button", { name: "Change", exact: true }).click();
      await expect(panel.getByLabel("Reviewer", { exact: true })).toHaveJSProperty("readOnly", true);
      const [sent] = await Promise.all([
        ben.waitForRequest((one) => one.method() === "POST" && (one.postData() ?? "").includes("saveId")),
        panel.getByRole("button", { name: "Save", exact: true }).click(),
      ]);
      await expect(panel.getByRole("status").first()).toHaveText(/^Saved/);
      expect(readJudgments()).toMatchObject([{ reviewer_id: "Ben Example" }]);

      // The same save under another name.
      const { "next-action": action = "", "content-type": type = "" } = sent.headers();
      const body = (sent.postData() ?? "").replace(/"saveId":"[^"]*"/, `"saveId":null`);
      const forged = await ben.request.post(trialUrl, {
        headers: { "next-action": action, "content-type": type },
        data: body.replaceAll("Ben Example", "Mallory"),
      });
      expect(await forged.text()).toContain("cannot use another name");
      expect(readJudgments()).toHaveLength(1);
      await context.close();
    },
    (folders) => {
      password = addAccount(folders, "Ada Example", "admin");
    },
  );
});

/** Returns the status for a raw target, without a browser's normalization. */
async function askAsWritten(url: string, path: string, cookie: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get({ hostname, port, path, headers: { cookie } }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  }).on("error", reject);
  return promise;
}

test("roles, tokens and blocking apply immediately, events are in the log, and sign-out ends the session", async ({
  page,
  browser,
}) => {
  let [password, bensPassword] = ["", ""];
  await withFewJobs(
    async ({ url, jobsFolder }) => {
      const rescan = (of: Page) =>
        of.request.post(url, {
          headers: { "next-action": readActions().get("rescanAction") ?? "", "content-type": "text/plain" },
          data: "[]",
        });
      const context = await browser.newContext();
      const ben = await context.newPage();
      await ben.goto(`${url}/account`);
      await signIn(ben, "Ben Example", bensPassword);
      await expect(ben.getByRole("heading", { level: 1 })).toHaveText("Ben Example");
      await expectAccessible(ben);
      expect((await rescan(ben)).status()).toBe(200);
      for (const path of ["/accounts", "/accounts/audit.csv"])
        expect((await ben.request.get(url + path)).status(), path).toBe(403);
      const cookies = await context.cookies();
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      // Browsers send none of these.
      for (const path of ["/accounts", "/accounts/audit", "/accounts/audit.csv"])
        for (const end of ["#", "#x", "%23", ";", "%00", "\\", "/./", "%2f", "//", "|"])
          expect([400, 403, 404], path + end).toContain(await askAsWritten(url, path + end, cookie));

      await ben.getByLabel("For what").fill("CI");
      await ben.getByRole("button", { name: "Make token" }).press("Enter");
      const token = (await ben.locator(".notice-code").textContent()) ?? "";
      const program = await browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${token}` } });
      const robot = await program.newPage();
      expect((await robot.request.get(`${url}/api/v1/jobs`)).status()).toBe(200);
      const refused = await rescan(robot);
      expect([refused.status(), await refused.text()]).toEqual([
        403,
        expect.stringContaining("requires the reviewer role"),
      ]);
      await ben.getByRole("button", { name: "Revoke CI" }).press("Enter");
      await expect(ben.getByText("No tokens yet")).toBeVisible();
      await expect(ben.getByText("Revoked: CI.")).toBeFocused();
      // An expired link has no copy button.
      await expect(ben.locator(".notice-code")).toHaveCount(0);
      expect((await robot.request.get(`${url}/api/v1/jobs`)).status()).toBe(401);
      await program.close();

      await page.goto(`${url}/accounts`);
      await signIn(page, "Ada Example", password);
      const role = page.getByLabel("Role of Ben Example", { exact: true });
      await role.selectOption("viewer");
      expect((await rescan(ben)).status()).toBe(200);
      await page.getByRole("button", { name: "Change role of Ben Example to viewer" }).press("Enter");
      await expect(
        page
          .getByRole("status")
          .filter({ hasText: "Changed the role of Ben Example from reviewer to viewer" }),
      ).toBeVisible();
      await expect(role).toBeFocused();
      expect((await rescan(ben)).status()).toBe(403);
      const [trial] = readFailedTrials(jobsFolder, JOB);
      const read = async (path: string) =>
        (await (await ben.request.get(url + path)).text()).replaceAll("<!-- -->", "");
      for (const path of [`/jobs/${JOB}/trials/${trial?.name ?? ""}`, "/annotations/queues/new"])
        expect(await read(path), path).toContain("requires the reviewer role");
      expect(await read("/load-report")).not.toContain("Rescan folders");
      // The page accepts no other change until the response arrives.
      await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
      await page.getByRole("button", { name: "Undo" }).press("Enter");
      await expect(role).toHaveValue("reviewer");
      await expect(role).toBeFocused();
      await expect(page.getByRole("button", { name: "Block Ben Example" })).toHaveAttribute(
        "aria-disabled",
        "false",
      );
      await page.getByRole("button", { name: "Block Ben Example" }).press("Enter");
      await expect(page.getByRole("button", { name: "Unblock Ben Example" })).toBeFocused();
      expect((await ben.request.get(`${url}/api/v1/jobs`)).status()).toBe(401);
      await context.close();
      await page.getByRole("link", { name: "Audit log" }).press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit log");
      await expectAccessible(page);
      await expect(page.getByText("Ben Example: reviewer → viewer")).toBeVisible();
      const log = await (await page.request.get(`${url}/accounts/audit.csv`)).text();
      for (const line of [
        /"Ben Example","127.0.0.1","allowed","rescanAction"/,
        /"Ben Example","127.0.0.1","refused","rescanAction"/,
        /"Ben Example","127.0.0.1","refused","GET \/accounts"/,
        /"Ada Example","127.0.0.1","allowed","block account","Ben Example"/,
        /"Ben Example","127.0.0.1","allowed","revoke token","CI: viewer"/,
        /"","command line","allowed","add account","Ben Example, reviewer"/,
      ])
        expect(log).toMatch(line);
      expect(log).not.toContain(token);

      await page.getByRole("link", { name: "Account of Ada Example" }).press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada Example");
      await tabTo(page, "Sign out");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Assay");
      await page.goto(url);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to Assay");
    },
    (folders) => {
      password = addAccount(folders, "Ada Example", "admin");
      bensPassword = addAccount(folders, "Ben Example", "reviewer");
    },
  );
});

test("below a base path, sign-in returns to the page, and file URLs work on every server until sign-out @long", async ({
  page,
}) => {
  let password = "";
  await withFewJobs(
    async ({ url, jobsFolder, startAnother }) => {
      const [trial] = readFailedTrials(jobsFolder, JOB);
      const asked = [
        `${url}/assay/api/artifacts/${JOB}/${trial?.name ?? ""}/result.json`,
        { headers: { "sec-fetch-dest": "image" }, maxRedirects: 0 },
      ] as const;
      const stranger = await playwrightRequest.newContext({ maxRedirects: 0 });
      expect((await stranger.get(...asked)).status()).toBe(401);

      await page.goto(`${url}/assay/account`);
      await expect(page).toHaveURL(`${url}/assay/sign-in?to=%2Faccount`);
      await signIn(page, "Ada Example", password);
      await expect(page).toHaveURL(`${url}/assay/account`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada Example");
      const cookies = await page.context().cookies();
      expect(cookies.map(({ name }) => name).join()).toContain("session");
      for (const { name, path } of cookies) expect(path, name).toBe("/assay");

      const sent = await page.request.get(...asked);
      expect(sent.status()).toBe(303);
      const file = new URL(sent.headers()["location"] ?? "").pathname;
      const open = (server: string) =>
        stranger.get(server + file, { headers: { host: `files.localhost:${new URL(server).port}` } });
      for (const server of [url, await startAnother()]) {
        const answer = await open(server);
        expect(await answer.json()).toMatchObject({ trial_name: trial?.name });
        // That origin has no cookies.
        expect(answer.headers()["set-cookie"]).toBeUndefined();
      }
      await page.getByRole("button", { name: "Sign out" }).press("Enter");
      await expect(page).toHaveURL(`${url}/assay/sign-in`);
      expect((await open(url)).status()).toBe(404);
      await stranger.dispose();
    },
    (folders) => {
      password = addAccount(folders, "Ada Example", "admin");
    },
    { options: ["--base-path", "/assay"] },
  );
});

test("without accounts there is no sign-in, and account pages explain how to create the first", async ({
  page,
}) => {
  for (const path of ["/account", "/accounts", "/accounts/audit"]) {
    await page.goto(path);
    await expect(page.getByText("assay accounts add NAME --role admin")).toBeVisible();
  }
  await expect(page.getByRole("navigation", { name: "Pages" })).not.toContainText("Account");
});

test("a page offers what the role allows, and names the role required for a hidden form @long", async ({
  page,
  browser,
}) => {
  const passwords = new Map<string, string>();
  await withFewJobs(
    async ({ url, jobsFolder }) => {
      const [trial] = readFailedTrials(jobsFolder, JOB);
      const trialUrl = `${url}/jobs/${JOB}/trials/${trial?.name ?? ""}`;
      await page.goto(trialUrl);
      await signIn(page, "Vic", passwords.get("Vic") ?? "");
      const review = page.getByRole("complementary", { name: "Review" });
      await expect(review.getByRole("note")).toContainText("requires the reviewer role");
      await expect(review.getByRole("button")).toHaveCount(0);
      await expectAccessible(page);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("view");
      await expect(page.getByRole("option", { name: "Go to Saved views" })).toBeVisible();
      await expect(page.getByRole("option", { name: /^Save this view/ })).toHaveCount(0);
      await page.goto(`${url}/load-report`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Load report");
      await expect(page.getByRole("button", { name: "Rescan folders" })).toHaveCount(0);
      await page.goto(`${url}/annotations/queues/new`);
      await expect(page.getByRole("note")).toContainText("requires the reviewer role");
      await expect(page.getByRole("form", { name: "New queue" })).toHaveCount(0);

      const context = await browser.newContext();
      const ben = await context.newPage();
      await ben.goto(`${url}/annotations/queues/new`);
      await signIn(ben, "Ben", passwords.get("Ben") ?? "");
      await expect(ben.getByRole("form", { name: "New queue" })).toBeVisible();
      await ben.goto(`${url}/annotations/codebook`);
      await expect(ben.getByRole("note")).toContainText("requires the adjudicator role");
      await expect(ben.getByRole("link", { name: "Add category" })).toHaveCount(0);
      await ben.goto(`${url}/account`);
      await expect(ben.getByRole("heading", { level: 1 })).toHaveText("Ben");
      await expect(ben.getByRole("link", { name: "Manage accounts" })).toHaveCount(0);
      await context.close();
    },
    (folders) => {
      for (const [name, role] of [
        ["Vic", "viewer"],
        ["Ben", "reviewer"],
        ["Ada", "admin"],
      ] as const)
        passwords.set(name, addAccount(folders, name, role));
    },
  );
});

test("an account changes judgments that its browser saved before accounts existed @long", async ({
  page,
  browser,
}) => {
  await withFewJobs(async ({ url, jobsFolder, runCli, startAnother }) => {
    const [trial] = readFailedTrials(jobsFolder, JOB);
    const path = `/jobs/${JOB}/trials/${trial?.name ?? ""}`;
    const review = page.getByRole("form", { name: "Review" });
    await page.goto(url + path);
    await review.getByRole("button", { name: /^Pass/ }).click();
    await review.getByLabel("Reviewer", { exact: true }).fill("Ada Example");
    await review.getByRole("button", { name: "Save", exact: true }).click();
    await expect(review.getByRole("status").first()).toHaveText(/^Saved/);
    const password = addAccount({ runCli }, "Ada Example", "reviewer");
    const guarded = await startAnother();

    const context = await browser.newContext();
    const elsewhere = await context.newPage();
    const other = elsewhere.getByRole("form", { name: "Review" });
    await elsewhere.goto(guarded + path);
    await signIn(elsewhere, "Ada Example", password);
    await other.getByRole("button", { name: /^Fail/ }).click();
    await other.getByRole("button", { name: "Save", exact: true }).click();
    await expect(other.getByRole("alert")).toContainText("before there were accounts");

    await page.goto(guarded + path);
    await signIn(page, "Ada Example", password);
    await review.getByRole("button", { name: /^Fail/ }).click();
    await review.getByRole("button", { name: "Save", exact: true }).click();
    await expect
      .poll(() => runCli("annotations", "export").stdout)
      .toMatch(/"judgment":"fail".*"saved_by":null/);
    await context.close();
  });
});
