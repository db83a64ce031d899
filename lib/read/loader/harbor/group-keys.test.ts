import { rmSync } from "node:fs";

import { expect, it } from "vitest";

import { type JobEntry } from "@/lib/core/domain/catalog";
import { jobFiles, makeFolder, readOnlyJob, trialResult, writeFiles } from "@/lib/testing/folder.fixture";

const [A, B, C, D] = ["alpha__aaaaaaa", "beta__bbbbbbb", "gamma__ccccccc", "delta__ddddddd"];

/** A job of one trial whose model is `lab/one`, with these stats. */
function readJobWith(key: string, group: object): JobEntry {
  const folder = makeFolder(jobFiles("run", { [A]: 1 }));
  const info = { name: "orca", version: "1", model_info: { name: "lab/one", provider: "p" } };
  const stats = { n_trials: 1, n_errors: 0, evals: { [key]: group } };
  writeFiles(folder, {
    [`run/${A}/result.json`]: trialResult(A, 1, { agent_info: info, source: null }),
    "run/result.json": { ...baseResult, stats },
  });
  return readOnlyJob(folder);
}

const baseResult = {
  id: "11111111-1111-4111-8111-111111111111",
  started_at: "2026-05-01T10:00:00",
  finished_at: "2026-05-01T11:00:00",
  n_total_trials: 1,
};
const group = { n_trials: 1, n_errors: 0, metrics: [{ mean: 1 }], reward_stats: { reward: { "1.0": [A] } } };

it("a group that older Harbor wrote with dashes is one group, and exact", () => {
  const { report, trials } = readJobWith("orca__lab-one__adhoc", group);
  expect(report.groups.map(({ key }) => key)).toEqual(["orca__lab-one__adhoc"]);
  expect(report.counts.mismatch + report.counts.incomplete).toBe(0);
  expect(trials[0]?.groupKey).toBe("orca__lab-one__adhoc");
});

/** A job of two trials of each of two models, with the keys of these groups. */
function readTwoModels(keys: readonly [string, string], listed: readonly [string[], string[]]): JobEntry {
  const models = { [A]: "One", [B]: "One", [C]: "two", [D]: "two" };
  const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 1, [C]: 1, [D]: 1 }));
  const evals = keys.map((key, at) => [
    key,
    { n_trials: 2, n_errors: 0, metrics: [{ mean: 1 }], reward_stats: { reward: { "1.0": listed[at] } } },
  ]);
  writeFiles(folder, {
    ...Object.fromEntries(
      Object.entries(models).map(([name, model]) => {
        const info = { name: "orca", version: "1", model_info: { name: model, provider: "p" } };
        return [`run/${name}/result.json`, trialResult(name, 1, { agent_info: info, source: null })];
      }),
    ),
    "run/result.json": {
      ...baseResult,
      n_total_trials: 4,
      stats: { n_trials: 4, n_errors: 0, evals: Object.fromEntries(evals) as object },
    },
  });
  return readOnlyJob(folder);
}

it("a Harbor that records pass@k wrote no dashes, so the group is another", () => {
  const { report } = readJobWith("orca__lab-one__adhoc", { ...group, pass_at_k: {} });
  expect(report.groups).toHaveLength(2);
});

it("a key in another case matches the trials that it lists, and is a note", () => {
  const { report, trials, issues } = readTwoModels(
    ["orca__one__adhoc", "orca__two__adhoc"],
    [
      [A, B],
      [C, D],
    ],
  );
  expect(report.counts.mismatch + report.counts.incomplete).toBe(0);
  expect(report.groups).toMatchObject([
    { key: "orca__one__adhoc", model: "One" },
    { key: "orca__two__adhoc", model: "two" },
  ]);
  expect(trials.map(({ groupKey }) => groupKey.slice(6, 9))).toEqual(["one", "one", "two", "two"]);
  expect(issues.map(({ code }) => code)).toEqual(["group_key_differs"]);
});

it.each([
  ["trials of another group", [C, D]],
  ["trials of several groups", [A, C]],
  ["no trial that is here", ["stranger__0000000"]],
])("a changed key that lists %s is a mismatch", (_, listed) => {
  const { report, issues } = readTwoModels(["orca__one__adhoc", "orca__two__adhoc"], [listed, [C, D]]);
  expect(report.groups).toHaveLength(3);
  expect(report.verdict).toBe("mismatch");
  expect(issues.map(({ code }) => code)).not.toContain("group_key_differs");
});

it("a key that names another model is a mismatch, regardless of the trials it lists", () => {
  const { report } = readTwoModels(
    ["orca__best__adhoc", "orca__two__adhoc"],
    [
      [A, B],
      [C, D],
    ],
  );
  expect(report.verdict).toBe("mismatch");
});

it("two changed keys that list the trials of one group match neither", () => {
  const { report } = readTwoModels(["orca__one__adhoc", "orca__ONE__adhoc"], [[A], [B]]);
  expect(report.groups).toHaveLength(4);
});

it("a trial without a result has a guessed key, which matches no group", () => {
  const folder = makeFolder(jobFiles("run", { [A]: 1 }));
  rmSync(`${folder}/run/${A}/result.json`);
  expect(readOnlyJob(folder).issues.map(({ code }) => code)).toEqual(["trial_without_result"]);
});
