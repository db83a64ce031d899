import { expect, it } from "vitest";

import { groupByTask, labelPlanned, labelTasks, type TaskRun } from "./task-labels";

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

it("labels versions that one job ran by their digests", () => {
  const [a, b, c] = ["a".repeat(64), "b".repeat(64), `${"a".repeat(10)}c`];
  expect(listLabels([run("1", a), run("1", b)])).toEqual(["task (aaaaaaaaaa)", "task (bbbbbbbbbb)"]);
  expect(listLabels([run("x/1", a), run("x/1", b), run("x/2", b), run("y/1", "d")])).toEqual([
    "task (x, aaaaaaaaaa)",
    "task (x, bbbbbbbbbb)",
    "task (x, bbbbbbbbbb)",
    "task (y)",
  ]);
  expect(listLabels([run("1", a), run("1", c)])).toEqual([`task (${a})`, `task (${c})`]);
  expect(listLabels([run("a/1", "A"), run("a/1", "B"), run("b/1", "B")])).toEqual(["task (a)", null, null]);
});

it("divides the trials of a name by the digests of one dataset", () => {
  const trial = (taskName: string, taskDigest: string | null, source = "set") => ({
    taskName,
    taskDigest,
    source,
  });
  const divide = (trials: readonly ReturnType<typeof trial>[]) =>
    groupByTask(trials).map((task) => [task.taskName, task.trials.map(({ taskDigest }) => taskDigest)]);
  expect(divide([trial("b", "A"), trial("a-10", "A"), trial("a-2", null), trial("b", null)])).toEqual([
    ["a-2", [null]],
    ["a-10", ["A"]],
    ["b", ["A", null]],
  ]);
  expect(divide([trial("b", "A"), trial("b", null), trial("b", "B"), trial("b", "A")])).toEqual([
    ["b", ["A", "A"]],
    ["b", [null]],
    ["b", ["B"]],
  ]);
  expect(divide([trial("b", "A"), trial("b", "B", "other")])).toEqual([["b", ["A", "B"]]]);
});

it("names a planned task by its digest, and without one by the only label of its name", () => {
  const labels = ["A", "B"].map((taskDigest) => ({
    taskName: "task",
    taskDigest,
    label: `task (${taskDigest})`,
  }));
  const plan = (digest: string | null) => ({
    ...{ taskName: "task", lockName: "task", version: null, digest, nTrials: 1, nRegrades: 0 },
  });
  const name = (digest: string | null, known = labels) => labelPlanned(plan(digest), known).taskName;
  expect([name("B"), name(null), name("C")]).toEqual(["task (B)", "task", "task"]);
  expect([name(null, labels.slice(1)), name("A", labels.slice(1))]).toEqual(["task (B)", "task"]);
});

it.each([
  ["one version", [run("a/1", "A"), run("b/1", "A")]],
  ["versions in one folder", [run("a/1", "A"), run("a/2", "B")]],
  [
    "versions of jobs in several folders",
    [run("a/1", "A"), run("b/1", "A"), run("a/2", "B"), run("b/2", "B")],
  ],
  ["tasks of two datasets", [run("a/1", "A"), run("b/1", "B", { source: "other" })]],
  ["folders that were opened apart", [run("a/1", "A"), run("b/1", "B", { root: 1 })]],
])("labels nothing for %s", (_, runs) => {
  expect(listLabels(runs)).toEqual(runs.map(() => null));
});
