import type { Route } from "next";

import { createAddress } from "../address/address";
import { name } from "../address/values";

export const scannersAddress = createAddress({ open: name });

export function scannersHref(open: string | null = null): Route {
  return scannersAddress.href("/errors/scanners", { open });
}
