import type { Route } from "next";

import { createAddress } from "./address";
import { name } from "./values";

export const scannersAddress = createAddress({ open: name });

export function scannersHref(open: string | null = null): Route {
  return scannersAddress.href("/errors/scanners", { open });
}
