import { expect, it } from "vitest";

import { checkOrder } from "./checks";
import { listSides, listSidesByAgent, orderByStart } from "./sides";

/** A group of one run of a job that began at `start`. */
function group(job: string, start: number | null, agent = "a", model: string | null = "m", first = start) {
  const toTime = (epochMs: number | null) => (epochMs === null ? null : { text: "", epochMs, zoned: true });
  const startedAt = toTime(start);
  const firstTrialStart = toTime(first);
  const time = { startedAt, finishedAt: null } as never;
  return {
    name: `${job} ${agent}`,
    runs: [{ job: { key: job, time, firstTrialStart }, group: { agent, model } }],
  };
}

it("takes the oldest run for the baseline, undated ones last, in any order of the address", () => {
  const groups = [group("none", null), group("new", 3), group("old", 1), group("mid", 2)];
  const names = (all: typeof groups) => orderByStart(all).map(({ name }) => name);
  expect(names(groups)).toEqual(["old a", "mid a", "new a", "none a"]);
  expect(names(groups.toReversed())).toEqual(names(groups));
  const set = { name: "set", runs: [...group("x", 9).runs, ...group("y", 0).runs] };
  expect(names([...groups, set])[0]).toBe("set");
});

it("takes the start of the first trial where a job states none, and says where no start is known", () => {
  const before = group("before", null, "a", "m", 1);
  const groups = [group("after", 2), before];
  expect(orderByStart(groups)[0]).toBe(before);
  const check = (all: typeof groups) => checkOrder(all.map((one) => ({ ...one, label: one.name })));
  expect(check(groups)).toEqual([]);
  expect(check([group("one", null), group("two", null)])).toMatchObject([{ state: "unknown" }]);
});

it("sets each agent against its own oldest run", () => {
  const groups = [
    group("old", 1, "a"),
    group("old", 1, "b"),
    group("new", 2, "a"),
    group("new", 2, "b", "other"),
    group("new", 2, "c"),
  ];
  expect(listSidesByAgent(groups)).toEqual([
    { a: 2, b: 0 },
    { a: 3, b: 1 },
  ]);
  const twoModels = [
    group("old", 1, "a", "x"),
    group("old", 1, "a", "y"),
    group("new", 2, "a", "y"),
    group("old", 1, "b"),
  ];
  expect(listSidesByAgent(twoModels)).toEqual([{ a: 2, b: 1 }]);
});

it("sets all against the first where there is no older run of an agent, or one agent alone", () => {
  const sameJob = [group("one", 1, "a"), group("one", 1, "b")];
  expect(listSidesByAgent(sameJob)).toEqual(listSides(2));
  expect(listSidesByAgent([group("old", 1), group("new", 2), group("last", 3)])).toEqual(listSides(3));
});
