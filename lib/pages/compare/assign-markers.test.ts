import { expect, it } from "vitest";

import { type FoundGroup, assignMarkers } from "./page";

function group(id: string, identity: number, variant = 0): FoundGroup {
  return { id, identity, variant } as FoundGroup; // Only these are looked at.
}

const formsOf = (groups: readonly FoundGroup[]) =>
  new Map(assignMarkers(groups).map(({ id, identity, variant }) => [id, `${identity} ${variant ?? 0}`]));

it("gives groups of one agent a marker each, which no order of them changes", () => {
  const groups = [group("fix", 5), group("base", 5, 1), group("last", 5, 2)];
  const forms = formsOf(groups);
  expect(new Set(forms.values()).size).toBe(3);
  expect(formsOf(groups.toReversed())).toEqual(new Map([...forms].toReversed()));
});

it("leaves agents their own, and more groups than there are colours", () => {
  const two = [group("a", 5), group("b", 2)];
  expect(assignMarkers(two)).toEqual(two);
  const many = Array.from({ length: 7 }, (_, at) => group(String(at), 5, at));
  expect(assignMarkers(many)).toEqual(many);
});
