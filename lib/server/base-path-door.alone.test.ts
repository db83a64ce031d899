import { expect, it, vi } from "vitest";

import type { Role } from "@/lib/core/domain/account";
import { ROUTE_ROLES } from "@/lib/people/accounts/permissions";
import { ASKERS, findServed, mayOpen } from "@/lib/people/accounts/served-route.fixture";

import { ask, PASSWORD, signIn, startDoor } from "./door.fixture";

const BASE = "/assay";
vi.stubEnv("ASSAY_BASE_PATH", BASE);

/** Ways to write a path that may lead below the base path, or out of it, or to another route. */
const SPELLINGS: readonly ((path: string) => string)[] = [
  (path) => BASE + path,
  (path) => path,
  (path) => BASE + BASE + path,
  (path) => `${BASE}x${path}`,
  (path) => `${BASE.toUpperCase()}${path}`,
  (path) => `${BASE}/..${path}`,
  (path) => `${BASE}/.${path}`,
  (path) => `${BASE}/%2e%2e${path}`,
  (path) => `${BASE}/x/..${path}`,
  (path) => `/x/..${BASE}${path}`,
  (path) => `/${BASE}${path}`,
  (path) => `//evil.example${BASE}${path}`,
  (path) => `${BASE}/${path}`,
  (path) => `${BASE}\\${path.slice(1)}`,
  (path) => `${BASE}%2f${path.slice(1)}`,
  (path) => `${BASE}%5c${path.slice(1)}`,
  (path) => `${BASE}${path.replaceAll("/", "%2f")}`,
  (path) => `%2f${BASE.slice(1)}${path}`,
  (path) => `${BASE}${path}/`,
  (path) => `${BASE}${path}#x`,
  (path) => `${BASE}?x=${path}`,
  (path) => `${BASE};x${path}`,
  (path) => `http://assay.example${BASE}${path}`,
];

it("no spelling of a route below the base path opens it for a role without access", async () => {
  const { port, reached, signInAs } = await startDoor(BASE);
  const askers = new Map<Role | null, Readonly<Record<string, string>>>();
  for (const role of ASKERS) askers.set(role, role === null ? {} : { cookie: await signInAs(role) });
  const wrong: string[] = [];
  const count = { asked: 0, reached: 0 };
  for (const route of Object.keys(ROUTE_ROLES)) {
    const path = route.replaceAll(/\[[^\]]+\]/g, "a");
    for (const spell of SPELLINGS)
      for (const [role, headers] of askers) {
        const from = reached.length;
        count.asked++;
        const { status } = await ask(port, spell(path), { headers });
        expect(status).toBeLessThan(500);
        for (const { url } of reached.slice(from)) {
          count.reached++;
          if (url !== BASE && !url.startsWith(`${BASE}/`) && !url.startsWith(`${BASE}?`))
            wrong.push(`outside ${url}`);
          const served = findServed(url.slice(BASE.length).split(/[?#]/, 1)[0] || "/");
          if (served !== null && !mayOpen(role, ROUTE_ROLES[served] ?? "anyone"))
            wrong.push(`${String(role)} ${url}`);
        }
      }
  }
  expect(wrong).toEqual([]);
  expect(count.asked).toBe(Object.keys(ROUTE_ROLES).length * SPELLINGS.length * ASKERS.length);
  expect(count.reached).toBeGreaterThan(Object.keys(ROUTE_ROLES).length);
});

it("redirects only to its own sign-in page, and back to its own pages", async () => {
  const { port } = await startDoor(BASE);
  for (const path of [
    "/",
    "/trials",
    "//evil.example",
    "/\\evil.example",
    "/%5cevil.example",
    "//evil.example/..",
    "/http://evil.example",
    "/.evil.example",
    "/@evil.example",
  ]) {
    for (const prefix of ["", BASE]) {
      const { status, headers } = await ask(port, prefix + path, { headers: { accept: "text/html" } });
      const { location = "" } = headers;
      expect([303, 400], prefix + path).toContain(status);
      if (status === 400) continue;
      const to = new URL(location, "http://assay.example");
      expect([to.origin, to.pathname], prefix + path).toEqual(["http://assay.example", `${BASE}/sign-in`]);
      expect(to.searchParams.get("to") ?? "/", prefix + path).toMatch(/^\//);
    }
  }
});

it("keeps each cookie below the base path", async () => {
  const { port } = await startDoor(BASE);
  const { status, cookies } = await signIn(port, "admin", PASSWORD, { base: BASE });
  expect(status).toBe(200);
  const session = cookies.map((one) => one.split(";")[0] ?? "").join("; ");
  const page = await ask(port, `${BASE}/`, { headers: { cookie: session } });
  const out = await ask(port, `${BASE}/api/auth/sign-out`, {
    method: "POST",
    headers: { cookie: session, "content-type": "application/json" },
    body: "{}",
  });
  const all = [...cookies, ...page.cookies, ...out.cookies];
  expect(all.length).toBeGreaterThan(2);
  for (const cookie of all) expect(cookie).toMatch(/; Path=\/assay(?:;|$)/i);
});
