import { expect, it } from "vitest";

import { nameFamilyColumn } from "@/lib/pages/datasets/address";
import type { LeaderboardLine } from "@/lib/pages/datasets/leaderboard";

import { orderLines } from "./order-lines";

/** In the order of ranks, as the page has them. */
const LINES = [
  line("b-10", "ranked", { score: 0.9, cost: null }),
  line("b-2", "ranked", { score: 0.5, cost: 2 }),
  line("a", "ranked", { score: 0.5, cost: 3 }),
  line("oracle", "reference", { score: 1, cost: 9 }),
];

function line(label: string, state: LeaderboardLine["state"], values: LeaderboardLine["values"]) {
  return { label, state, values } as LeaderboardLine;
}

function list(sort: string, descending: boolean): string {
  return orderLines(LINES, { sort, descending })
    .map(({ label }) => label)
    .join(" ");
}

it("sorts each section separately, with unknown values last in both directions", () => {
  expect(list("rank", false)).toBe("b-10 b-2 a oracle");
  expect(list("rank", true)).toBe("a b-2 b-10 oracle");
  expect(list("group", false)).toBe("a b-2 b-10 oracle");
  expect(list("cost", false)).toBe("b-2 a b-10 oracle");
  expect(list("cost", true)).toBe("a b-2 b-10 oracle");
  // Equal ones stay in the order of ranks.
  expect(list("score", false)).toBe("b-2 a b-10 oracle");
  expect(list("score", true)).toBe("b-10 b-2 a oracle");
  expect(list("none", true)).toBe("b-10 b-2 a oracle");
});

it("gives columns of families distinct names without the URL's separator", () => {
  const ids = ["a,b", "a b", "\uD800"].map(nameFamilyColumn);
  expect(new Set(ids).size).toBe(3);
  expect(ids.join("")).not.toContain(",");
});
