import { createAddress } from "../address/address";
import { wholeFrom } from "../address/values";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";

export const configAddress = createAddress(
  { ...FRAME, partFrom: wholeFrom(0).withDefault(0) },
  { ...FRAME_NAMES, partFrom: "issues_from" },
);

export type ConfigParams = JobTabParams<"config", typeof configAddress>;
