import "server-only";
import type { FacetName, FacetValue, FacetValues } from "@/lib/store/tables";

export function pickKnown<T extends string>(
  facets: FacetValues,
  name: FacetName,
  known: readonly T[],
): readonly FacetValue<T>[] {
  return (facets.get(name) ?? []).flatMap(({ value, count }) => {
    const member = known.find((one) => one === value);
    return member === undefined ? [] : { value: member, count };
  });
}
