import { getRouteMatcher } from "next/dist/shared/lib/router/utils/route-matcher";
import { getRouteRegex } from "next/dist/shared/lib/router/utils/route-regex";
import { sortPages } from "next/dist/shared/lib/router/utils/sortable-routes";

import { hasRole, type LeastRole, type Role, ROLES } from "@/lib/core/domain/account";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { ROUTE_ROLES } from "./permissions";

const isDynamic = (route: string) => route.includes("[");

/** Routes with names in them, in the order in which Next tries them. */
const MATCHERS = sortPages(Object.keys(ROUTE_ROLES).filter(isDynamic)).map((route) => ({
  route,
  match: getRouteMatcher(getRouteRegex(route)),
}));

/** Returns the route that Next finds at a path, after the redirects that repair slashes; null for none. */
export function findServed(path: string): string | null {
  const repaired = path.replaceAll(/[/\\]+/g, "/").replace(/(.)\/$/, "$1");
  for (const name of new Set([repaired, decodeURIComponent(repaired)])) {
    if (!isDynamic(name) && Object.hasOwn(ROUTE_ROLES, name)) return name;
    const found = MATCHERS.find(({ match }) => match(name) !== false);
    if (found !== undefined) return found.route;
  }
  return null;
}

/**
 * Who asks in every run: a role has the rights of those before it, so the last one without a right represents them. Routes require
 * a viewer or an admin.
 */
export const ASKERS: readonly (Role | null)[] = IS_LONG_RUN ? [null, ...ROLES] : [null, "adjudicator"];

export const mayOpen = (role: Role | null, least: LeastRole): boolean =>
  least === "anyone" || (role !== null && hasRole({ role }, least));

/** Lists every route with any byte inserted or put at any position, as a client may write it into its request. */
export function* listTargets(): Generator<string> {
  for (const route of Object.keys(ROUTE_ROLES)) {
    const plain = route.replaceAll(/\[[^\]]+\]/g, "a");
    for (let at = 0; at <= plain.length; at++)
      for (let byte = 0; byte < 256; byte++)
        for (const rest of [at, at + 1])
          yield plain.slice(0, at) + String.fromCodePoint(byte) + plain.slice(rest);
  }
}
