import type { Route } from "next";

import { createAddress } from "../address/address";
import { name, pageNumber } from "../address/values";

export const recordedAddress = createAddress({ job: name, page: pageNumber });

export function recordedHref(job: string | null, page = 1): Route {
  return recordedAddress.href("/annotations/recorded", { job, page });
}
