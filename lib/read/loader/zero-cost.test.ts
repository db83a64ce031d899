import { expect, it } from "vitest";

import { readCost } from "@/lib/core/domain/spending";
import {
  type FolderFiles,
  jobFiles,
  jobResult,
  makeFolder,
  readOnlyJob,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";

const [TRACED, IDLE, BROKEN] = ["alpha__aaaaaaa", "beta__bbbbbbb", "gamma__ccccccc"];
const [COLLECTED, OTHER] = ["iota__ddddddd", "kappa__eeeeeee"];
const REWARDS = { [TRACED]: 1, [IDLE]: 1, [BROKEN]: 1, [COLLECTED]: 1, [OTHER]: 1 };
const FREE = { agent_result: { n_input_tokens: 0, n_cache_tokens: 0, n_output_tokens: 0, cost_usd: 0 } };

const trace = (tokens: number) => ({
  steps: [],
  final_metrics: { total_prompt_tokens: 0, total_completion_tokens: tokens },
});

it("reads the tokens of a trajectory where the result states a cost of 0 without tokens", () => {
  const result = jobResult(REWARDS);
  const folder = makeFolder(jobFiles("run", REWARDS));
  writeFiles(folder, {
    ...Object.fromEntries(
      Object.entries(REWARDS).map(([name, reward]) => [
        `run/${name}/result.json`,
        trialResult(name, reward, FREE),
      ]),
    ),
    [`run/${TRACED}/agent/trajectory.json`]: trace(10),
    [`run/${IDLE}/agent/trajectory.json`]: trace(0),
    [`run/${BROKEN}/agent/trajectory.json`]: "{",
    [`run/${COLLECTED}/artifacts/trajectory.json`]: { schema_version: "ATIF-v1.4", ...trace(10) },
    [`run/${OTHER}/artifacts/trajectory.json`]: trace(10),
    "run/result.json": {
      ...result,
      stats: { ...(result["stats"] as FolderFiles), cost_usd: 0 },
    },
  });
  const { trials, report, issues } = readOnlyJob(folder);
  expect(trials.map((trial) => [trial.traceTokens, readCost(trial)])).toEqual([
    [10, null],
    [0, 0],
    [null, 0],
    [10, null],
    [null, 0],
  ]);
  // The recorded sum is still checked with the recorded costs.
  expect(report.figures.find(({ path }) => path === "stats.cost_usd")?.verdict).toBe("exact");
  expect(issues).toEqual([]);
});
