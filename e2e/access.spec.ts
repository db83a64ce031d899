import { request as playwrightRequest } from "@playwright/test";

import { expect, test, withFewJobs } from "./fixtures/app";

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

test("a server that others may reach answers only with its token, and only to the names that it was told", async ({
  page,
}) => {
  const options = ["--host", "0.0.0.0", "--allow-host", "build.example"];
  await withFewJobs(
    async ({ url, entrance }) => {
      const token = new URL(entrance).searchParams.get("token") ?? "";
      expect(token.length).toBeGreaterThan(40);
      const stranger = await playwrightRequest.newContext({ maxRedirects: 0 });
      for (const address of ADDRESSES) {
        expect((await stranger.get(url + address)).status(), address).toBe(401);
        expect((await stranger.post(url + address, { data: "x" })).status(), address).toBe(401);
      }
      const wrong = await stranger.get(`${url}/?token=${token.slice(1)}`);
      expect(wrong.status()).toBe(401);
      expect(wrong.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");

      const authorization = `Bearer ${token}`;
      const port = new URL(url).port;
      for (const [host, status] of [
        [`localhost:${port}`, 200],
        ["Build.example", 200],
        ["evil.example", 403],
        ["0.0.0.0", 403],
      ] as const) {
        expect((await stranger.get(url, { headers: { authorization, host } })).status(), host).toBe(status);
      }
      const posted = await stranger.post(url, { headers: { authorization, host: "evil.example" }, data: "" });
      expect(posted.status()).toBe(403);
      await stranger.dispose();

      await page.goto(entrance);
      expect(page.url()).toBe(`${url}/`);
      await page.getByRole("link", { name: JOB, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: JOB })).toBeVisible();
      expect(await page.evaluate(() => document.cookie)).not.toContain("access");
      await page.route("http://elsewhere.example/", (route) =>
        route.fulfill({ contentType: "text/html", body: `<a href="${url}/jobs/${JOB}">the job</a>` }),
      );
      await page.goto("http://elsewhere.example/");
      await page.getByRole("link", { name: "the job" }).click();
      await expect(page.getByRole("heading", { level: 1, name: JOB })).toBeVisible();
    },
    undefined,
    options,
  );
});
