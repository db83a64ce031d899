import { describe, expect, it } from "vitest";

import { assignIdentities, nameAgentModel } from "./identity";

describe("assignIdentities", () => {
  it("numbers agent-model pairs in order of appearance, and keeps a repeated one", () => {
    const names = ["a", "b", "a", "c", "d", "e", "f", "g"];
    const identities = assignIdentities(names.map((agent) => ({ agent, model: "m" })));
    expect(
      ["a", "b", "c", "d", "e", "f", "g"].map((agent) => identities.get(nameAgentModel(agent, "m"))),
    ).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("tells models of one agent apart, and gives yardsticks the hollow marker without using up a number", () => {
    const identities = assignIdentities([
      { agent: "oracle", model: null },
      { agent: "nop", model: null },
      { agent: "a", model: "m1" },
      { agent: "a", model: "m2" },
    ]);
    expect([...identities.values()]).toEqual([0, 0, 1, 2]);
  });
});
