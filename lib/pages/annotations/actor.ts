import "server-only";
import { cookies } from "next/headers";

import { hasRole } from "@/lib/core/domain/account";
import { REVIEWER_COOKIE } from "@/lib/core/domain/request-marks";
import { type Actor, hashBrowserKey } from "@/lib/people/annotations";

import { getAccount } from "../shell/request";

/**
 * Returns the signed-in account with its browser's key, because that browser may have judged before accounts existed. Without
 * accounts, returns the browser by the key that the server set with its pages. Development sets no key.
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
