import type { Route } from "next";
import type { ReactNode } from "react";

import { toggleValue } from "@/lib/addresses/address";
import { countPageBytes, takeFitting } from "@/lib/domain/page-bytes";

import { type FacetOption, FacetPanel } from "./facet-panel";

/** A facet as a menu of links: works without scripts, several values may be chosen, the address keeps them. */
export function FacetMenu({
  label,
  options,
  clearHref,
}: {
  label: string;
  /** All of them, the commonest first; the menu shows those that {@link fitOptions} keeps. */
  options: readonly FacetOption[];
  clearHref: Route;
}) {
  if (options.length === 0) return null;
  return (
    <FacetPanel label={label} options={fitOptions(options)} nOptions={options.length} clearHref={clearHref} />
  );
}

/** A facet over a filter that is a list of values: choosing one adds it to the list or takes it off. */
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

/** A longer menu helps nobody; the text filter finds the others. */
const MOST_OPTIONS = 200;
/** Of the options of one menu, and of an option beside its texts. */
const MOST_MENU_BYTES = 100_000;
const OPTION_BYTES = 200;

/** The options that a menu sends; where some are left out, the chosen ones first, so that they can be taken off. */
function fitOptions(options: readonly FacetOption[]): readonly FacetOption[] {
  // Only there: a menu must not reorder under the pointer.
  const sorted = options.toSorted((a, b) => Number(b.selected) - Number(a.selected)).slice(0, MOST_OPTIONS);
  const kept = takeFitting(sorted, MOST_MENU_BYTES, countOptionBytes);
  return kept.length === options.length ? options : kept;
}

/** A label that is drawn shows the value. */
function countOptionBytes({ value, label, href }: FacetOption): number {
  const words = typeof label === "string" ? label : value;
  return OPTION_BYTES + countPageBytes(value) + countPageBytes(words) + countPageBytes(href);
}
