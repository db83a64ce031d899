import { expect, it } from "vitest";

import { labelTasks, type TaskRun } from "./task-labels";

const run = (folder: string, taskDigest: string, over: Partial<TaskRun> = {}): TaskRun => ({
  ...{ root: 0, folder, source: "set", taskName: "task", taskDigest },
  ...over,
});

const listLabels = (runs: readonly TaskRun[]) => {
  const labels = labelTasks(runs);
  return runs.map((one) => labels.get(one) ?? null);
};

it("labels tasks of one name by the first folders that differ", () => {
  expect(listLabels([run("x/a/jobs/1", "A"), run("x/a/jobs/2", "A"), run("x/b/jobs/1", "B")])).toEqual([
    "task (a)",
    "task (a)",
    "task (b)",
  ]);
  expect(listLabels([run("a/1/j", "A"), run("a/2/j", "B"), run("b/1/j", "C")])).toEqual([
    "task (a/1)",
    "task (a/2)",
    "task (b/1)",
  ]);
});

it("keeps an edited version in the folder of its task", () => {
  const edited = run("a/jobs/3", "A2");
  expect(listLabels([run("a/jobs/1", "A"), run("a-b/jobs/1", "B"), edited])).toEqual([
    "task (a)",
    "task (a-b)",
    "task (a)",
  ]);
});

it("labels a version in a folder below the others", () => {
  expect(listLabels([run("a/1", "A"), run("a/b/1", "B")])).toEqual([null, "task (b)"]);
  expect(listLabels([run("1", "A"), run("b/1", "B"), run("b/c/1", "C")])).toEqual([
    null,
    "task (b)",
    "task (b/c)",
  ]);
});

it.each([
  ["one version", [run("a/1", "A"), run("b/1", "A")]],
  ["versions in one folder", [run("a/1", "A"), run("a/2", "B")]],
  [
    "versions of jobs in several folders",
    [run("a/1", "A"), run("b/1", "A"), run("a/2", "B"), run("b/2", "B")],
  ],
  ["versions that jobs have in common", [run("a/1", "A"), run("a/1", "B"), run("b/1", "B")]],
  ["versions in one job", [run("a/1", "A"), run("a/1", "B")]],
  ["tasks of two datasets", [run("a/1", "A"), run("b/1", "B", { source: "other" })]],
  ["folders that were opened apart", [run("a/1", "A"), run("b/1", "B", { root: 1 })]],
])("labels nothing for %s", (_, runs) => {
  expect(listLabels(runs)).toEqual(runs.map(() => null));
});
