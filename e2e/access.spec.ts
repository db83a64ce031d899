import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";

import { request as playwrightRequest } from "@playwright/test";

import { addAccount, signIn } from "./fixtures/accounts";
import { act, draftOf, readActions } from "./fixtures/actions";
import { expect, test, withFewJobs } from "./fixtures/app";
import { readFailedTrials } from "./fixtures/recorded-trials";

const JOB = "tb2-orca-next";
const ADDRESSES = [
  "/",
  `/jobs/${JOB}`,
  "/no-such-page",
  "/api/events",
  "/api/search?q=orca",
  "/jobs.csv",
  "/icon.svg",
];

test("a reachable server requires accounts and allowed host names", async ({ page }) => {
  const options = ["--host", "0.0.0.0", "--allow-host", "build.example"];
  let password = "";
  await withFewJobs(
    async ({ url }) => {
      const stranger = await playwrightRequest.newContext({ maxRedirects: 0 });
      for (const address of ADDRESSES) {
        expect((await stranger.get(url + address)).status(), address).toBe(401);
        expect((await stranger.post(url + address, { data: "x" })).status(), address).toBe(401);
      }
      const authorization = "Bearer assay_0123456789012345678901234567890123456789012";
      const wrong = await stranger.get(url, { headers: { authorization } });
      expect(wrong.status()).toBe(401);
      expect(wrong.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
      const program = await stranger.get(`${url}/api/v1/jobs`);
      expect(program.status()).toBe(401);
      expect(await program.json()).toMatchObject({ error: { code: "unauthorized" } });
      const port = new URL(url).port;
      for (const [host, status] of [
        [`localhost:${port}`, 200],
        ["Build.example", 200],
        ["evil.example", 403],
        ["0.0.0.0", 403],
      ] as const)
        expect((await stranger.get(`${url}/sign-in`, { headers: { host } })).status(), host).toBe(status);
      // Only the server itself may mark a request as admitted.
      const forged = {
        "x-assay-account": "%7B%22id%22%3A%22x%22%2C%22name%22%3A%22x%22%2C%22role%22%3A%22admin%22%7D",
      };
      expect((await stranger.get(`${url}/accounts`, { headers: forged })).status()).toBe(401);
      await stranger.dispose();
      // Upgrade requests are answered, not passed to other listeners.
      const upgrade = get(url, { headers: { connection: "Upgrade", upgrade: "websocket" } });
      const [answer] = (await once(upgrade, "response")) as [IncomingMessage];
      expect(answer.statusCode).toBe(401);
      upgrade.destroy();

      await page.goto(`${url}/jobs/${JOB}`);
      await signIn(page, "Ada Example", password);
      await expect(page.getByRole("heading", { level: 1, name: JOB })).toBeVisible();
      expect(await page.evaluate(() => document.cookie)).not.toContain("session");
      await page.route("http://elsewhere.example/", (route) =>
        route.fulfill({ contentType: "text/html", body: `<a href="${url}/jobs/${JOB}">the job</a>` }),
      );
      await page.goto("http://elsewhere.example/");
      await page.getByRole("link", { name: "the job" }).click();
      await expect(page.getByRole("heading", { level: 1, name: JOB })).toBeVisible();
      // The server stops here, so pages must have loaded their code.
      await page.goto("about:blank");
    },
    (folders) => {
      password = addAccount(folders, "Ada Example", "admin");
    },
    { options },
  );
});

test("a judgment resent from another site is rejected, with any proxy headers", async ({ request }) => {
  await withFewJobs(async (assay) => {
    const [trial] = readFailedTrials(assay.jobsFolder, JOB);
    const judgment = draftOf(JOB, trial?.name ?? "", { reviewerId: "Ada Example", judgment: "pass" });
    expect(await act(request, assay.url, "saveReview", judgment)).toContain('"status":"saved"');
    const countSaves = () => assay.runCli("annotations", "export", "--history").stdout.split("\n").length;
    const nSaves = countSaves();
    const action = readActions().get("saveReview") ?? "";
    const body = JSON.stringify([judgment]);
    for (const forged of [
      { origin: "http://evil.example" },
      { origin: "http://evil.example", "x-forwarded-host": "evil.example" },
      { origin: "http://evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
      { "sec-fetch-site": "cross-site" },
      { host: "evil.example", origin: "http://evil.example" },
    ]) {
      const headers: Record<string, string> = {
        "next-action": action,
        "content-type": "text/plain",
        ...forged,
      };
      const answer = await fetch(`${assay.url}/views`, { method: "POST", headers, body });
      expect(answer.status, JSON.stringify(forged)).toBe(403);
    }
    expect(countSaves()).toBe(nSaves);
  });
});

test("one client gets at most a few dozen event streams, even with forged addresses, and pages work without @long", async ({
  page,
  assay,
}) => {
  const opened: AbortController[] = [];
  const open = async (n: number) => {
    const request = new AbortController();
    const answer = await fetch(`${assay.url}/api/events`, {
      signal: request.signal,
      headers: { "x-forwarded-for": `198.51.100.${n}` },
    });
    if (answer.ok) opened.push(request);
    return answer;
  };
  for (let n = 0; n < 40; n++) await fetch(`${assay.url}/api/events`, { method: "HEAD" });
  const answers: Response[] = [];
  for (let n = 0; n < 60; n++) answers.push(await open(n));
  expect(answers.filter(({ ok }) => ok).length).toBeGreaterThan(20);
  expect(answers.at(-1)?.status).toBe(429);
  expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);

  await page.goto("/");
  await page.getByRole("link", { name: JOB, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: JOB })).toBeVisible();

  for (const request of opened) request.abort();
  await expect.poll(async () => (await open(0)).status).toBe(200);
  for (const request of opened) request.abort();
});
