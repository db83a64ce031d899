import "server-only";

import { cookies } from "next/headers";

import { type Actor, hashBrowserKey } from "@/lib/annotations";
import { hasRole } from "@/lib/domain/account";
import { REVIEWER_COOKIE } from "@/lib/domain/request-marks";

import { getAccount } from "../shell/request";

/**
 * Returns who asks: an account, wherever it is signed in. Where there are none, a browser by the key that the server gave it with
 * its pages; without one where no guard stands, as in development.
 */
export async function getActor(): Promise<Actor> {
  const account = await getAccount();
  if (account !== null && account !== undefined)
    return { browserKeyHash: hashBrowserKey(`account ${account.id}`), isAdmin: hasRole(account, "admin") };
  const key = (await cookies()).get(REVIEWER_COOKIE)?.value ?? "";
  return { browserKeyHash: key === "" ? null : hashBrowserKey(key), isAdmin: false };
}
