import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex";
import { sortPages } from "next/dist/shared/lib/router/utils/sortable-routes";
import { expect, it } from "vitest";

import { hasRole, type LeastRole, ROLES } from "@/lib/domain/account";
import { parseTarget } from "@/lib/domain/request-target";

import { findRouteRole, ROUTE_ROLES } from "./permissions";

const isDynamic = (route: string) => route.includes("[");

/** Routes with names in them, in the order in which Next tries them. */
const MATCHERS = sortPages(Object.keys(ROUTE_ROLES).filter(isDynamic)).map((route) => ({
  route,
  match: getRouteMatcher(getRouteRegex(route)),
}));

/** Returns the route that Next finds at a path, after the redirects that repair slashes; null for none. */
function findServed(path: string): string | null {
  const repaired = path.replaceAll(/[/\\]+/g, "/").replace(/(.)\/$/, "$1");
  for (const name of new Set([repaired, decodeURIComponent(repaired)])) {
    if (!isDynamic(name) && Object.hasOwn(ROUTE_ROLES, name)) return name;
    const found = MATCHERS.find(({ match }) => match(name) !== false);
    if (found !== undefined) return found.route;
  }
  return null;
}

const mayOpen = (role: (typeof ROLES)[number] | null, least: LeastRole) =>
  least === "anyone" || (role !== null && hasRole({ role }, least));

/** Reads a target as lenient servers do: cut at the query or the fragment. */
const cut = (url: string) => url.split(/[?#]/, 1)[0] ?? "";

it("requires the role of the page that Next finds, with any byte at any position of a route", () => {
  const askers = [null, ...ROLES];
  const wrong: string[] = [];
  const count = { targets: 0, refused: 0, served: 0 };
  const check = (url: string) => {
    count.targets++;
    const target = parseTarget(url);
    const least = target && findRouteRole(target.path);
    if (least === null) count.refused++;
    const served = least === null ? null : findServed(cut(url));
    if (least === null || served === null) return;
    count.served++;
    const needed = ROUTE_ROLES[served] ?? "anyone";
    for (const role of askers)
      if (mayOpen(role, least) && !mayOpen(role, needed)) wrong.push(`${String(role)} ${url}`);
  };
  for (const route of Object.keys(ROUTE_ROLES)) {
    const plain = route.replaceAll(/\[[^\]]+\]/g, "a");
    for (let at = 0; at <= plain.length; at++)
      for (let byte = 0; byte < 256; byte++)
        for (const rest of [at, at + 1])
          check(plain.slice(0, at) + String.fromCodePoint(byte) + plain.slice(rest));
  }
  expect(wrong).toEqual([]);
  expect(count.targets).toBeGreaterThan(400_000);
  expect(count.served).toBeGreaterThan(5_000);
  expect(count.refused + count.served).toBeGreaterThan(0.9 * count.targets);
});

it("opens every route as it is written, and refuses what is none", () => {
  for (const [route, role] of Object.entries(ROUTE_ROLES))
    expect(findRouteRole(route.replaceAll(/\[[^\]]+\]/g, "a")), route).toBe(role);
  for (const path of ["/no-such-page", "/accounts;a", "/accounts.rsc", "/_next/data/a.json", "/jobs", "/api"])
    expect(findRouteRole(path), path).toBeNull();
});
