import { expect, it } from "vitest";

import { qualifyModels } from "./model-name";

function qualify(
  ...groups: readonly (readonly [model: string | null, provider: string | null, agent?: string])[]
) {
  const runs = groups.map(([model, provider, agent = "orca"]) => ({ group: { agent, model, provider } }));
  return qualifyModels(runs).map(({ group }) => group.model);
}

it("adds the provider to a model that an agent has from several", () => {
  expect(qualify(["m", "x"], ["m", "y"], ["m", null], ["n", "x"], [null, "y"])).toEqual([
    "x/m",
    "y/m",
    "m",
    "n",
    null,
  ]);
});

it("takes an unknown provider for no other one, and adds none for another agent", () => {
  expect(qualify(["m", "x"], ["m", null], ["m", "x"], ["m", "y", "tern"])).toEqual(["m", "m", "m", "m"]);
});
