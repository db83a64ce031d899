import type { Route } from "next";

import { createAddress } from "./address";
import { name, pageNumber } from "./values";

/** The address of the list of recorded judgments: the key of the job to list, or null for all. */
export const recordedAddress = createAddress({ job: name, page: pageNumber });

export function recordedHref(job: string | null, page = 1): Route {
  return recordedAddress.href("/annotations/recorded", { job, page });
}
