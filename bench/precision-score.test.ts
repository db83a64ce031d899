import { expect, it } from "vitest";

import { parseLabels, scoreLabels } from "./precision-score";

it("scores each class by what the rules call so, without ambiguous labels and absent trials", () => {
  const labels = parseLabels(
    [
      { trial: "a", class: "wrong_answer" },
      { trial: "b", class: "wrong_answer" },
      { trial: "c", class: "provider" },
      { trial: "d", class: "provider", ambiguous: true },
      { trial: "e", class: "provider" },
    ]
      .map((label) => JSON.stringify(label))
      .join("\n"),
  );
  const rules = new Map([
    ["a", "wrong_answer"],
    ["b", "provider"],
    ["c", "provider"],
    ["d", "wrong_answer"],
  ] as const);
  const { all, classes, wrong, nAmbiguous, absent } = scoreLabels(labels, rules);
  expect(all.interval).toMatchObject({ kind: "computed", count: 2, n: 3, method: "wilson" });
  expect(classes.map(({ name, interval }) => [name, interval])).toMatchObject([
    ["wrong_answer", { count: 1, n: 1 }],
    ["provider", { count: 1, n: 2 }],
  ]);
  expect(wrong).toEqual([{ trial: "b", label: "wrong_answer", rules: "provider" }]);
  expect(nAmbiguous).toBe(1);
  expect(absent).toEqual(["e"]);
});

it("refuses a class that does not exist", () => {
  expect(() => parseLabels('{"trial":"a","class":"bad luck"}')).toThrow("Line 1");
});
