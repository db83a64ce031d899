import { expect, it } from "vitest";

import { unmarkModel } from "@/lib/core/domain/model-name";
import {
  jobFiles,
  jobResult,
  makeFolder,
  readOnlyJob,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";

const [ONE, TWO] = ["alpha__aaaaaaa", "beta__bbbbbbb"];

function nameModel(trial: string, reward: number, model: string) {
  return trialResult(trial, reward, {
    agent_info: { name: "orca", version: "1.0", model_info: null },
    config: {
      task: { path: `tasks/${trial}` },
      trial_name: trial,
      agent: { name: "orca", model_name: model },
    },
  });
}

/** A job whose agent records no model, which its config names. */
function readJobOf(models: readonly [string, string]) {
  const folder = makeFolder(jobFiles("run", { [ONE]: 1, [TWO]: 0 }));
  const result = JSON.stringify(jobResult({ [ONE]: 1, [TWO]: 0 })).replaceAll(
    "orca__m1__bench",
    "orca__bench",
  );
  writeFiles(folder, {
    [`run/${ONE}/result.json`]: nameModel(ONE, 1, models[0]),
    [`run/${TWO}/result.json`]: nameModel(TWO, 0, models[1]),
    "run/result.json": JSON.parse(result) as object,
  });
  return readOnlyJob(folder);
}

it("uses the configured model where none is recorded, marked, and checks figures by Harbor's key", () => {
  const { trials, report } = readJobOf(["lab/m1", "lab/m1"]);
  expect(trials.map(({ model, provider, groupKey }) => [model, provider, groupKey])).toEqual(
    Array.from({ length: 2 }, () => ["m1 (configured)", "lab", "orca__bench"]),
  );
  expect(trials.map(unmarkModel)).toEqual(["m1", "m1"]);
  expect(report.groups).toMatchObject([{ key: "orca__bench", model: "m1 (configured)" }]);
  expect(report.counts.mismatch + report.counts.incomplete).toBe(0);
});

it("names every model of a group for which Harbor knows none", () => {
  expect(readJobOf(["lab/m1", "lab/m2"]).report.groups).toMatchObject([
    { key: "orca__bench", model: "m1 (configured), m2 (configured)" },
  ]);
});
