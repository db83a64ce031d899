import type { JobTab } from "@/lib/core/domain/job-filter";

import type { AddressValues, SearchValues } from "../address/address";
import { flag, pageNumber, wholeFrom } from "../address/values";

/** Values of every tab of a job. A change of any other value starts at page 1 of its lists, and at their first part. */
export const FRAME = {
  isDivided: flag("split"),
  groupsFrom: wholeFrom(0).withDefault(0),
  page: pageNumber,
};

export const FRAME_NAMES = { isDivided: "settings", groupsFrom: "groups_from" } as const;

export type JobTabParams<
  Tab extends JobTab,
  A extends { read(search: SearchValues): unknown },
> = AddressValues<A> & { readonly tab: Tab };
