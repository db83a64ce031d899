import { expect, it } from "vitest";

import { type ConfiguredTrial, divideBySetup, listSettingDifferences, readSetup } from "./agent-settings";

const set = (values: Readonly<Record<string, string>> | null, over: Partial<ConfiguredTrial> = {}) => ({
  settings: values === null ? null : Object.entries(values).map(([name, value]) => ({ name, value })),
  model: null,
  provider: null,
  agentVersion: null,
  ...over,
});

it("says which settings differ, with values and counts", () => {
  const low = set({ "kwargs.effort": '"low"', "kwargs.seed": "1" });
  const high = set({ "kwargs.effort": '"high"', "kwargs.seed": "1" });
  expect(listSettingDifferences([high, low, low])).toEqual([
    {
      name: "kwargs.effort",
      values: [
        { value: '"low"', nTrials: 2 },
        { value: '"high"', nTrials: 1 },
      ],
      nUnknown: 0,
    },
  ]);
});

it("takes a setting that a readable config leaves out for one at its default", () => {
  expect(listSettingDifferences([set({ "kwargs.effort": '"high"' }), set({})])).toMatchObject([
    { name: "kwargs.effort", values: [{ value: '"high"' }, { value: null }] },
  ]);
});

it.each<[string, readonly ConfiguredTrial[]]>([
  ["a config that cannot be read", [set({ "kwargs.effort": '"high"' }), set(null)]],
  [
    "a version that an agent does not know",
    [set({}, { agentVersion: "1.2" }), set({}, { agentVersion: "unknown" })],
  ],
  ["a provider that is not stated", [set({}, { provider: "openai" }), set({})]],
  ["no trials", []],
])("claims no difference from %s", (_, trials) => {
  expect(listSettingDifferences(trials)).toEqual([]);
});

it("keeps what is unknown apart from what is not set", () => {
  const trials = [set({}, { agentVersion: "1" }), set(null, { agentVersion: "2" }), set({ "kwargs.a": "1" })];
  const differences = listSettingDifferences(trials);
  expect(differences).toMatchObject([
    { name: "agent version", nUnknown: 1 },
    { name: "kwargs.a", nUnknown: 1 },
  ]);
  expect(trials.map((trial) => readSetup(trial, ["kwargs.a"])[0]?.kind)).toEqual([
    "not set",
    "unknown",
    "set",
  ]);
});

it("divides trials of different models by the model alone", () => {
  const trials = [
    set({ "kwargs.effort": '"low"' }, { model: "m2" }),
    set({ "kwargs.effort": '"high"' }, { model: "m1" }),
    set({ "kwargs.effort": '"low"' }, { model: "m1" }),
  ];
  const parts = divideBySetup(trials, listSettingDifferences(trials));
  expect(parts.map(({ trials: own }) => own.map(({ model }) => model))).toEqual([["m1", "m1"], ["m2"]]);
});

it("divides trials of one model by its providers, and no others by an unknown one", () => {
  const by = (model: string, provider: string | null) => set({}, { model, provider });
  const trials = [by("m1", "x"), by("m1", "y"), by("m1", null), by("m2", "x"), by("m2", null)];
  const parts = divideBySetup(trials, listSettingDifferences(trials));
  expect(parts.map(({ trials: own }) => own.map((trial) => trials.indexOf(trial)))).toEqual(
    expect.arrayContaining([[0], [1], [2], [3, 4]]),
  );
  expect(parts).toHaveLength(4);
});
