import type { Route } from "next";

import { EXCEPTION_CAUSES } from "@/lib/domain/exception-cause";
import { type AddressValues, createAddress } from "./address";
import { name, names, someOf, text } from "./values";

/** The address of the page of exceptions. Empty lists mean no filter; no job means every job. */
export const errorsAddress = createAddress(
  {
    jobs: names,
    /** Agent-model names, see {@link AgentModel}. */
    agents: names,
    causes: someOf(EXCEPTION_CAUSES),
    /** Found in the exception's type or message. */
    text,
    /** Exception type whose row is unfolded; null for none. */
    open: name,
  },
  { jobs: "job", agents: "agent", causes: "cause", text: "q" },
);

export type ErrorsParams = AddressValues<typeof errorsAddress>;

/** What decides which exceptions are counted and shown. */
export type ErrorsFilter = Omit<ErrorsParams, "open">;

export function errorsHref(params: Partial<ErrorsParams>, change: Partial<ErrorsParams> = {}): Route {
  return errorsAddress.href("/errors/exceptions", { ...params, ...change });
}
