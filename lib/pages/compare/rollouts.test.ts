import { expect, it } from "vitest";

import type { RolloutLink } from "@/lib/store/tables";

import type { FoundGroup } from "./groups";
import { findSharedRollouts } from "./page";

/** The trial at `position` of job `job` regrades the one at the same position of `source`; every job has the group `g`. */
function link(job: number, source: number, position: number, groupKey = "g"): RolloutLink {
  return {
    jobRowId: job,
    position,
    groupKey,
    sourceJobRowId: source,
    sourcePosition: position,
    sourceGroupKey: groupKey,
  };
}

function group(job: number, key = "g"): FoundGroup {
  return { id: `${job}:${key}`, runs: [{ job: { rowId: job }, group: { key } }] } as unknown as FoundGroup; // Only these are looked at.
}

function count(groups: readonly FoundGroup[], links: readonly RolloutLink[]) {
  return findSharedRollouts(groups, links).map(({ first, second, nRollouts }) => [
    first.id,
    second.id,
    nRollouts,
  ]);
}

it("finds a source with its regrade, in either order, and nothing for unrelated jobs", () => {
  const links = [link(2, 1, 0), link(2, 1, 1), link(9, 8, 0)];
  expect(count([group(1), group(2)], links)).toEqual([["1:g", "2:g", 2]]);
  expect(count([group(2), group(1)], links)).toEqual([["2:g", "1:g", 2]]);
  expect(count([group(1), group(9), group(7)], links)).toEqual([]);
});

it("tells the groups of one job apart", () => {
  const links = [link(2, 1, 0, "a"), link(2, 1, 1, "b")];
  expect(count([group(1, "a"), group(2, "b")], links)).toEqual([]);
  expect(count([group(1, "a"), group(2, "a")], links)).toEqual([["1:a", "2:a", 1]]);
});

it("follows a regrade of a regrade, two regrades of one source, and a circle of false claims", () => {
  expect(count([group(1), group(3)], [link(2, 1, 0), link(3, 2, 0)])).toEqual([["1:g", "3:g", 1]]);
  expect(count([group(2), group(3)], [link(2, 1, 0), link(3, 1, 0)])).toEqual([["2:g", "3:g", 1]]);
  expect(() => count([group(1), group(2)], [link(1, 2, 0), link(2, 1, 0)])).not.toThrow();
});
