import { expect, it } from "vitest";

import { takeTurns } from "./insert-rows";

it.each([
  { list: [], nAtOnce: 2, parts: [] },
  { list: ["a"], nAtOnce: 2, parts: [["a"]] },
  {
    list: ["a", "b", "c", "d"],
    nAtOnce: 2,
    parts: [
      ["a", "b"],
      ["c", "d"],
    ],
  },
  { list: ["a", "b", "c", "d", "e"], nAtOnce: 2, parts: [["a", "b"], ["c", "d"], ["e"]] },
])("gives $list in parts of $nAtOnce", async ({ list, nAtOnce, parts }) => {
  const given: (readonly string[])[] = [];
  for await (const part of takeTurns<string>(list, nAtOnce)) given.push(part);
  expect(given).toEqual(parts);
});

it("lets others have their turn between two parts", async () => {
  const seen: string[] = [];
  setImmediate(() => seen.push("another"));
  for await (const [one] of takeTurns(["first", "second"], 1)) seen.push(one ?? "");
  expect(seen).toEqual(["first", "another", "second"]);
});
