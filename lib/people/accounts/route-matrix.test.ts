import { expect, it } from "vitest";

import { ROLES } from "@/lib/core/domain/account";
import { parseTarget } from "@/lib/core/domain/request-target";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { findRouteRole, ROUTE_ROLES } from "./permissions";
import { findServed, listTargets, mayOpen } from "./served-route.fixture";

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
  const random = new Random("targets");
  const share = IS_LONG_RUN ? 1 : 0.1;
  for (const url of listTargets()) if (random.chance(share)) check(url);
  expect(wrong).toEqual([]);
  expect(count.targets).toBeGreaterThan(400_000 * share * 0.9);
  expect(count.served).toBeGreaterThan(5_000 * share * 0.9);
  expect(count.refused + count.served).toBeGreaterThan(0.9 * count.targets);
});

it("opens every route as it is written, and refuses what is none", () => {
  for (const [route, role] of Object.entries(ROUTE_ROLES))
    expect(findRouteRole(route.replaceAll(/\[[^\]]+\]/g, "a")), route).toBe(role);
  for (const path of ["/no-such-page", "/accounts;a", "/accounts.rsc", "/_next/data/a.json", "/jobs", "/api"])
    expect(findRouteRole(path), path).toBeNull();
});
