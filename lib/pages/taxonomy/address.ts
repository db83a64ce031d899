import type { Route } from "next";

import { type AddressValues, createAddress } from "../address/address";
import { names } from "../address/values";

export const taxonomyAddress = createAddress(
  {
    jobs: names,
    agents: names,
  },
  { jobs: "job", agents: "agent" },
);

export type TaxonomyParams = AddressValues<typeof taxonomyAddress>;

export function taxonomyHref(params: Partial<TaxonomyParams>, change: Partial<TaxonomyParams> = {}): Route {
  return taxonomyAddress.href("/errors/taxonomy", { ...params, ...change });
}
