import { expect, it } from "vitest";

import type { Evidence, TaskHealth } from "@/lib/pages/tasks/problems";

import { describeEvidence } from "./task-words";

const TASK = {} as TaskHealth;

it("calls no attempt without a reward that has one", () => {
  const crashes = { problem: "verifier-crashes", of: 3, trials: [], exceptions: [] } as const;
  const describe = (found: Pick<Evidence, "n" | "value">) =>
    describeEvidence({ ...crashes, ...found }, TASK, null);
  expect(describe({ n: 1, value: 1 })).not.toContain("without a");
  expect(describe({ n: 2, value: 0 })).toMatch(/^2 of 3 attempts .* without a reward$/);
  expect(describe({ n: 2, value: 1 })).toMatch(/^1 of 3 attempts .* without a reward; 1 of 3 attempts /);
});
