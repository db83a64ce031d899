import { expect, it } from "vitest";

import { checkEnvironments, listDifferingFacts } from "./checks";

type Facts = Readonly<Record<string, readonly string[]>>;

const sides = (...all: readonly Facts[]) => all.map((facts) => new Map(Object.entries(facts)));

it("lists each fact that differs with the groups that record each value", () => {
  const provider = ['"docker"'];
  const groups = sides(
    { provider, CPUs: ["null"] },
    { provider, CPUs: ["2"] },
    { provider, CPUs: ["2", "4"] },
  );
  expect(checkEnvironments(groups, ["a", "b", "c"])).toEqual([
    { name: "CPUs", state: "differs", detail: "2: b, c; 4: c; not set: a." },
  ]);
  expect(checkEnvironments(groups)).toEqual([
    { name: "CPUs", state: "differs", detail: "2 or 4 or not set." },
  ]);
});

it("takes a fact that one run does not record for no difference", () => {
  const full = { provider: ['"docker"'], CPUs: ["2"], TPU: ["null"] };
  const states = (other: Facts) =>
    checkEnvironments(sides(full, other)).map(({ name, state }) => [name, state]);
  // A default that one of them leaves out says nothing.
  expect(states({ provider: ['"docker"'], CPUs: ["2"] })).toEqual([["environment", "same"]]);
  expect(states({ provider: ['"docker"'] })).toEqual([["environment", "unknown"]]);
  expect(states({})).toEqual([["environment", "unknown"]]);
});

it("finds no difference between groups that record the same values, unlike between runs of a set", () => {
  const both = sides({ CPUs: ["4", "2"] }, { CPUs: ["2", "4"] }, {});
  expect(checkEnvironments(both.slice(0, 2), ["a", "b"])).toEqual([
    { name: "environment", state: "same", detail: "CPUs 2 and 4." },
  ]);
  expect(listDifferingFacts(both)).toEqual([]);
  expect(checkEnvironments(both).map(({ name, state }) => [name, state])).toEqual([["CPUs", "differs"]]);
});
