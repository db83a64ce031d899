import { expect, test } from "vitest";

import { nameDataset } from "./dataset";

const tasks = ["b", "a"];

test("a dataset is the name that trials record, regardless of their tasks", () => {
  expect(nameDataset({ source: "tau3", tasks })).toEqual({ id: "tau3", label: "tau3", isNamed: true });
  expect(nameDataset({ source: "tau3", tasks: [] }).id).toBe("tau3");
});

test("groups without a name are one dataset only where their tasks are the same", () => {
  const ids = [["a", "b"], tasks, ["a", "b", "b"], ["a"], ["a", "c"], []].map(
    (own) => nameDataset({ source: null, tasks: own }).id,
  );
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(new Set(ids).size).toBe(4);
  expect(nameDataset({ source: null, tasks: ["c", "a", "b"] })).toMatchObject({
    label: "a and 2 more",
    isNamed: false,
  });
});

test("no name makes a dataset of one without a name, and no id grows with the number of tasks", () => {
  const alone = nameDataset({ source: null, tasks: ["a"] });
  expect(nameDataset({ source: alone.id, tasks: ["a"] }).id).not.toBe(alone.id);
  const many = Array.from({ length: 5_000 }, (_, at) => `task-${String(at)}`);
  const { id } = nameDataset({ source: null, tasks: many });
  expect(id.length).toBeLessThan(400);
  expect(nameDataset({ source: null, tasks: many.slice(1) }).id).not.toBe(id);
});
