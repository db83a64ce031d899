import type { Route } from "next";

import { readOwnPath } from "@/lib/domain/own-path";

import { createAddress } from "./address";
import { name, text, wholeFrom } from "./values";

/** The address of the page where people sign in: where they go from there, and why they are not signed in yet. */
export const signInAddress = createAddress({ to: name, problem: name }, {});

export const accountAddress = createAddress({ problem: name }, {});

export const invitationAddress = createAddress({ token: text }, {});

export const auditAddress = createAddress({ before: wholeFrom(1) }, {});

/** The address of the part of the audit log below an event. @param before - its number; null for the newest */
export function auditHref(before: number | null): Route {
  return auditAddress.href("/accounts/audit", { before });
}

/** Returns a path of this server to go on to, and the first page for any text that is none. */
export function readWayBack(to: string | null): Route {
  const path = readOwnPath(to);
  // Any path may be one; a wrong one is a page that says so.
  return (path === null || /^\/(?:sign-in|invitation)\b/.test(path) ? "/" : path) as Route;
}
