import "server-only";

import { cookies, headers } from "next/headers";

import { type Actor, hashBrowserKey } from "@/lib/annotations";
import { ADMIN_HEADER, REVIEWER_COOKIE } from "@/lib/domain/request-marks";

/** Returns who asks, by the key that the server gave the browser with its pages; without one where no guard stands, as in development. */
export async function getActor(): Promise<Actor> {
  const key = (await cookies()).get(REVIEWER_COOKIE)?.value ?? "";
  return {
    browserKeyHash: key === "" ? null : hashBrowserKey(key),
    isAdmin: (await headers()).has(ADMIN_HEADER),
  };
}
