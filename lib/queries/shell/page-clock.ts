import "server-only";

import { cookies } from "next/headers";

import { type PageClock, preparePageClock, ZONE_COOKIE } from "@/lib/format/time";

/** In which zone this reader sees times: the one that was chosen, else UTC. */
export async function getPageClock(): Promise<PageClock> {
  return preparePageClock((await cookies()).get(ZONE_COOKIE)?.value, Date.now());
}
