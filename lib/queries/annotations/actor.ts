import "server-only";

import { cookies } from "next/headers";

import { type Actor, hashBrowserKey } from "@/lib/annotations";
import { hasRole } from "@/lib/domain/account";
import { REVIEWER_COOKIE } from "@/lib/domain/request-marks";

import { getAccount } from "../shell/request";

/**
 * Returns who asks: an account, wherever it is signed in, also by the key of its browser, which may have judged before there were
 * accounts. Where there are none, a browser by that key, which the server gave it with its pages; without one where no guard
 * stands, as in development.
 */
export async function getActor(): Promise<Actor> {
  const [account, jar] = await Promise.all([getAccount(), cookies()]);
  const key = jar.get(REVIEWER_COOKIE)?.value ?? "";
  const keyHash = key === "" ? null : hashBrowserKey(key);
  if (!account) return { browserKeyHash: keyHash, isAdmin: false };
  return {
    browserKeyHash: hashBrowserKey(`account ${account.id}`),
    earlierKeyHash: keyHash,
    isAdmin: hasRole(account, "admin"),
  };
}
