import { expect, it } from "vitest";

import type { LostKind, LostPart } from "@/lib/core/domain/lost-part";
import { jobFiles, jobResult, makeFolder, readOnlyJob, trialResult } from "@/lib/testing/folder.fixture";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const C = "gamma__ccccccc";
const D = "delta__ddddddd";

function readLost(files: Parameters<typeof makeFolder>[0]): ReadonlyMap<LostKind, LostPart> {
  const { job } = readOnlyJob(makeFolder(files));
  return new Map(job.lostWork.map((part) => [part.kind, part]));
}

it("finds nothing lost where every trial is named, planned, finished and tried once", () => {
  expect(readLost(jobFiles("job", { [A]: 1, [B]: 0 })).size).toBe(0);
});

it("counts attempts that were retried, with the cost of those that are kept", () => {
  const result = jobResult({ [A]: 1 });
  const stats = { ...(result["stats"] as object), n_retries: 3, n_errored_trials: 0 };
  const lost = readLost({
    ...jobFiles("job", { [A]: 1 }, { stats }),
    [`job/_retries/${A}/retry-1/result.json`]: trialResult(A, null),
    [`job/_retries/${A}/retry-2/result.json`]: trialResult(A, null, { agent_result: null }),
  });
  expect([...lost.keys()]).toEqual(["retried"]);
  expect(lost.get("retried")).toMatchObject({
    n: 3,
    costUsd: 0.5,
    nWithCost: 1,
    counts: { recorded: 3, logged: 0, kept: 2 },
  });
});

it("tells trials that only result.json names, that it does not name, and that only the plan knows", () => {
  const files: Record<string, unknown> = jobFiles("job", { [A]: 1, [B]: 0 });
  const named = jobResult({ [A]: 1, [B]: 0 });
  const lost = readLost({
    ...Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(`job/${B}/`))),
    "job/result.json": {
      ...named,
      n_total_trials: 5,
      // The trial that is here records 0.5 of it.
      stats: { ...(named["stats"] as object), cost_usd: 2 },
    },
    [`job/${C}/result.json`]: trialResult(C, 1),
    [`job/${D}/config.json`]: { trial_name: D, task: { path: "tasks/delta" } },
  });
  expect([...lost.values()].map(({ kind, n, costUsd, example }) => [kind, n, costUsd, example])).toEqual([
    ["no-result", 1, null, D],
    ["named-only", 1, 1.5, B],
    ["never-begun", 1, null, null],
    ["unnamed", 1, 0.5, C],
  ]);
});

it("counts cancelled trials, and those that began before the start that the job states", () => {
  const cancelled = {
    exception_type: "CancelledError",
    exception_message: "",
    exception_traceback: "",
    occurred_at: "2026-05-01T17:05:00",
  };
  const lost = readLost({
    ...jobFiles("job", { [A]: 1, [B]: 1 }, { started_at: "2026-05-01T17:05:00Z" }),
    [`job/${B}/result.json`]: trialResult(B, 1, {
      exception_info: cancelled,
      verifier_result: null,
      started_at: "2026-05-01T17:06:00Z",
      agent_execution: null,
    }),
  });
  expect([...lost.values()].map(({ kind, n, costUsd, example }) => [kind, n, costUsd, example])).toEqual([
    ["cancelled", 1, 0.5, B],
    ["earlier", 1, 0.5, A],
  ]);
});
