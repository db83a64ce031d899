import { expect, it } from "vitest";

import { type JobEntry } from "@/lib/domain/catalog";
import { jobFiles, makeFolder, readOnlyJob, trialResult, writeFiles } from "@/lib/testing/folder.fixture";

const A = "alpha__aaaaaaa";

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

it("a Harbor that records pass@k wrote no dashes, so the group is another", () => {
  const { report } = readJobWith("orca__lab-one__adhoc", { ...group, pass_at_k: {} });
  expect(report.groups).toHaveLength(2);
});
