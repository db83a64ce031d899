import type { Route } from "next";

import { readOwnPath } from "@/lib/core/domain/request-target";

import { createAddress } from "../address/address";
import { name, text, wholeFrom } from "../address/values";

export const signInAddress = createAddress({ to: name, problem: name }, {});

export const accountAddress = createAddress({ problem: name }, {});

export const invitationAddress = createAddress({ token: text }, {});

export const auditAddress = createAddress({ before: wholeFrom(1) }, {});

export function auditHref(before: number | null): Route {
  return auditAddress.href("/accounts/audit", { before });
}

/** Returns a path of this server to continue to, or `/` for any other text. */
export function readWayBack(to: string | null): Route {
  const path = readOwnPath(to);
  // Any path is allowed; an unknown one shows a page that says so.
  return (path === null || /^\/(?:sign-in|invitation)\b/.test(path) ? "/" : path) as Route;
}
