import type { Route } from "next";

import { withoutBasePath } from "@/lib/core/domain/base-path";

export function orderHref(groups: readonly (readonly string[])[]): Route {
  const search = new URLSearchParams(location.search);
  for (const name of ["g", "page"]) search.delete(name);
  for (const ref of groups.flat()) search.append("g", ref);
  search.set("order", "chosen");
  return `${withoutBasePath(location.pathname)}?${search.toString()}` as Route;
}
