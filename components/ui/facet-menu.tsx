import type { Route } from "next";
import type { ReactNode } from "react";

import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { toggleValue } from "@/lib/pages/address/address";

import { type FacetOption, FacetPanel } from "./facet-panel";

/** A menu of links: works without scripts, and the URL keeps several values. */
export function FacetMenu({
  label,
  options,
  clearHref,
}: {
  label: string;
  /** All options, most common first; {@link fitOptions} selects the shown ones. */
  options: readonly FacetOption[];
  clearHref?: Route;
}) {
  if (options.length === 0) return null;
  return (
    <FacetPanel label={label} options={fitOptions(options)} nOptions={options.length} clearHref={clearHref} />
  );
}

export function ListFacet<Value extends string>({
  label,
  values,
  chosen,
  hrefOf,
  wordFor = (value) => value,
}: {
  label: string;
  values: readonly { readonly value: Value; readonly count: number | null }[];
  chosen: readonly string[];
  hrefOf: (chosen: readonly string[]) => Route;
  wordFor?: ((value: Value) => ReactNode) | undefined;
}) {
  return (
    <FacetMenu
      label={label}
      clearHref={hrefOf([])}
      options={values.map(({ value, count }) => ({
        value,
        label: wordFor(value),
        count,
        selected: chosen.includes(value),
        href: hrefOf(toggleValue(chosen, value)),
      }))}
    />
  );
}

/** The text filter finds the others. */
const MOST_OPTIONS = 200;
const MOST_MENU_BYTES = 100_000;
const OPTION_BYTES = 200;

/** Returns the options to send; if some are left out, chosen ones come first, so that they can be removed. */
function fitOptions(options: readonly FacetOption[]): readonly FacetOption[] {
  // Only then: a menu must not reorder under the pointer.
  const sorted = options.toSorted((a, b) => Number(b.selected) - Number(a.selected)).slice(0, MOST_OPTIONS);
  const kept = takeFitting(sorted, MOST_MENU_BYTES, countOptionBytes);
  return kept.length === options.length ? options : kept;
}

/** A label that is an element renders the value. */
function countOptionBytes({ value, label, href }: FacetOption): number {
  const words = typeof label === "string" ? label : value;
  return OPTION_BYTES + countPageBytes(value) + countPageBytes(words) + countPageBytes(href);
}
