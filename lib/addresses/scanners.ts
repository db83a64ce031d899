import type { Route } from "next";

import { createAddress } from "./address";
import { name } from "./values";

/** The address of the page of scanners: the id of the one that is unfolded, or null for none. */
export const scannersAddress = createAddress({ open: name });

export function scannersHref(open: string | null = null): Route {
  return scannersAddress.href("/errors/scanners", { open });
}
