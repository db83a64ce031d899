import { createAddress } from "../address/address";
import { name, names, wholeFrom } from "../address/values";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";

export const dimensionsAddress = createAddress(
  {
    ...FRAME,
    groups: names,
    family: name,
    /** Other source of dimensions: a job's key, or a run set as on the compare page. */
    beside: names,
    /** Run set that replaces this job, one of its runs. */
    pooled: names,
    partFrom: wholeFrom(0).withDefault(0),
  },
  {
    ...FRAME_NAMES,
    groups: "group",
    beside: "with",
    pooled: "pool",
    partFrom: "dims_from",
  },
);

export type DimensionsParams = JobTabParams<"dimensions", typeof dimensionsAddress>;
