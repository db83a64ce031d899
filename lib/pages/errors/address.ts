import type { Route } from "next";

import { EXCEPTION_CAUSES } from "@/lib/core/domain/exception-cause";

import { type AddressValues, createAddress } from "../address/address";
import { name, names, someOf, text } from "../address/values";

/** Empty lists mean no filter; no job means every job. */
export const errorsAddress = createAddress(
  {
    jobs: names,
    agents: names,
    causes: someOf(EXCEPTION_CAUSES),
    text,
    open: name,
  },
  { jobs: "job", agents: "agent", causes: "cause", text: "q" },
);

export type ErrorsParams = AddressValues<typeof errorsAddress>;

export type ErrorsFilter = Omit<ErrorsParams, "open">;

export function errorsHref(params: Partial<ErrorsParams>, change: Partial<ErrorsParams> = {}): Route {
  return errorsAddress.href("/errors/exceptions", { ...params, ...change });
}

export const scannersAddress = createAddress({ open: name });

export function scannersHref(open: string | null = null): Route {
  return scannersAddress.href("/errors/scanners", { open });
}
