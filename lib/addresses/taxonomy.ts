import type { Route } from "next";

import { type AddressValues, createAddress } from "./address";
import { names } from "./values";

/** The address of the page of tags. Empty lists mean no filter. */
export const taxonomyAddress = createAddress(
  {
    /** Job keys. */
    jobs: names,
    /** Agent-model names, see `nameAgent` of lib/queries/errors. */
    agents: names,
  },
  { jobs: "job", agents: "agent" },
);

/** What the address of the page of tags says. */
export type TaxonomyParams = AddressValues<typeof taxonomyAddress>;

/** The address of the page of tags with some values changed. */
export function taxonomyHref(params: Partial<TaxonomyParams>, change: Partial<TaxonomyParams> = {}): Route {
  return taxonomyAddress.href("/errors/taxonomy", { ...params, ...change });
}
