import { expect, it } from "vitest";

import { describeFailure } from "./classified";

const place = { file: "result.json", line: null, step: null };
const verdict = {
  failureClass: "infrastructure",
  rule: "environment-exception",
  evidence: [{ kind: "exception", text: "x".repeat(2_000), place }],
} as const;

it("tells no failure from one that is not classified yet", () => {
  const rewards = new Map([["reward", 0]]);
  expect(describeFailure({ outcome: "passed", rewards }, verdict)).toEqual({ state: "none" });
  expect(describeFailure({ outcome: "running", rewards: null }, null)).toEqual({ state: "none" });
  expect(describeFailure({ outcome: "failed", rewards }, null)).toEqual({ state: "pending" });
  const known = describeFailure({ outcome: "failed", rewards }, verdict);
  expect(known).toMatchObject({ state: "known", owner: "environment", rule: "environment-exception" });
  expect(JSON.stringify(known).length).toBeLessThan(1_000);
});
