import type { Route } from "next";

import { FIRST_PAGE, type PagePlace } from "@/lib/domain/page-place";
import { createAddress } from "./address";
import { formatPlace } from "./place";
import { name } from "./values";

/** The address of the list of recorded judgments: the key of the job to list, or null for all. */
export const recordedAddress = createAddress({ job: name });

/** The address of the judgments that stand in files, of one job or of all. */
export function recordedHref(job: string | null, place: PagePlace = FIRST_PAGE): Route {
  return recordedAddress.href("/annotations/recorded", { job }, formatPlace(place));
}
