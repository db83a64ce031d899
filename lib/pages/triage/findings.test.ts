import { describe, expect, it } from "vitest";

import { computeExpectedWin } from "@/lib/core/stats";

import { Attempts, listFindings, rankFindings } from "./findings";
import type { Cell, Failure } from "./parts";

let position = 0;

function fail(agentModel: string, task: string, more: Partial<Failure> = {}): Failure {
  position += 1;
  return {
    jobRowId: 1,
    position,
    key: `trial-${position}`,
    agentModel,
    task,
    taskName: task,
    dataset: "bench",
    taskDigest: null,
    groupKey: agentModel,
    failureClass: "wrong_answer",
    rule: "answer-wrong",
    clusterKey: `wrong ${task}`,
    lost: 1,
    isFinished: true,
    ...more,
  };
}

const cell = (agentModel: string, task: string, nTrials: number, reward: number): Cell => ({
  jobRowId: 1,
  agentModel,
  task,
  taskName: task,
  dataset: "bench",
  nTrials,
  reward,
});

const list = (
  failures: readonly Failure[],
  cells: readonly Cell[],
  judged: ReadonlyMap<string, "pass" | "fail" | "open"> = new Map(),
  headOf: ReadonlyMap<string, string> = new Map(),
) => rankFindings(listFindings(failures, new Attempts(cells), headOf, ({ key }) => judged.get(key) ?? null));

describe("findings", () => {
  it("gives no points of a mean over several datasets, and ranks these by count", () => {
    const timeout = { failureClass: "out_of_time", clusterKey: "time" } as const;
    const failures = [fail("orca", "a", timeout), ...Array.from({ length: 2 }, () => fail("orca", "b"))];
    const [own, other] = [cell("orca", "a", 6, 5), cell("orca", "b", 6, 0)];
    const [first] = list(failures, [own, other]);
    expect(first).toMatchObject({ failureClass: "out_of_time", win: { kind: "computed" } });
    const apart = list(failures, [own, { ...other, dataset: "other" }]);
    const several = { kind: "unavailable", reason: "several-datasets" };
    expect(apart.map(({ failures: trials, win }) => [trials.length, win])).toEqual([
      [2, several],
      [1, several],
    ]);
  });

  it("counts every failure once, and ranks by expected win, not by count", () => {
    const timeout = { failureClass: "out_of_time", clusterKey: "time" } as const;
    // Task a is solved unless time runs out; task b is never solved.
    const failures = [
      fail("orca", "a", timeout),
      fail("orca", "a", timeout),
      ...Array.from({ length: 6 }, () => fail("orca", "b")),
    ];
    const findings = list(failures, [
      cell("orca", "a", 6, 4),
      cell("orca", "b", 6, 0),
      cell("lamp", "b", 4, 0),
    ]);
    expect(findings.map(({ key, failures: own }) => [key, own.length])).toEqual([
      ["out_of_time time", 2],
      ["wrong_answer wrong b", 6],
    ]);
    // Four other attempts at a, all passed; of 16 trials two would.
    expect(findings[0]?.win).toEqual(computeExpectedWin([{ nTrials: 2, n: 4, reward: 4 }], 0, 16));
    expect(findings[0]?.bases).toEqual({ nSame: 2, nOthers: 0, nElsewhere: 0, nReviewed: 0 });
    // orca has no other attempt at b, lamp has four.
    expect(findings[1]?.win).toEqual(computeExpectedWin([{ nTrials: 6, n: 4, reward: 0 }], 0, 16));
  });

  it("uses the agent's other trials if no one tried the task without the failure", () => {
    const [finding] = list([fail("orca", "b")], [cell("orca", "a", 8, 6), cell("orca", "b", 1, 0)]);
    expect(finding?.bases.nElsewhere).toBe(1);
    expect(finding?.win).toEqual(computeExpectedWin([{ nTrials: 1, n: 8, reward: 6 }], 0, 9));
  });

  it("uses the reviewers' pass rate if they passed most judged trials", () => {
    const failures = Array.from({ length: 10 }, () => fail("orca", "a"));
    const judge = (said: readonly ("pass" | "fail" | "open")[]) =>
      new Map(said.map((one, at) => [failures[at]?.key ?? "", one] as const));
    const cells = [cell("orca", "a", 12, 0)];
    const [believed] = list(failures, cells, judge(["pass", "pass", "pass", "fail", "open"]));
    expect(believed?.reviews).toEqual({ nPassed: 3, nFailed: 1, nOpen: 1 });
    expect(believed?.win).toEqual(computeExpectedWin([{ nTrials: 10, n: 4, reward: 3 }], 0, 12));
    const [few] = list(failures, cells, judge(["pass", "pass"]));
    expect(few?.bases.nReviewed).toBe(0);
  });

  it("has no win for unexplained trials and for trials that never ended", () => {
    const findings = list(
      [
        fail("orca", "a", { failureClass: "unexplained", clusterKey: "x" }),
        fail("orca", "b", { failureClass: "unexplained", clusterKey: "y" }),
        fail("orca", "c", { failureClass: "missing", isFinished: false }),
      ],
      [cell("orca", "a", 4, 3), cell("orca", "b", 4, 3)],
    );
    expect(
      findings.map(({ failureClass, failures, win }) => [failureClass, failures.length, win.kind]),
    ).toEqual([
      ["unexplained", 2, "unavailable"],
      ["missing", 1, "unavailable"],
    ]);
  });

  it("joins near-duplicates, and names the only affected agent only if others tried as often", () => {
    const cells = [cell("orca", "a", 4, 2), cell("lamp", "a", 4, 4), cell("orca", "b", 9, 0)];
    const rate = { failureClass: "provider" } as const;
    const [joined, alone] = list(
      [
        fail("orca", "a", { ...rate, clusterKey: "429" }),
        fail("orca", "a", { ...rate, clusterKey: "429 again" }),
        fail("orca", "b"),
      ],
      cells,
      new Map(),
      new Map([["429 again", "429"]]),
    );
    expect(joined).toMatchObject({ key: "provider 429", only: "orca" });
    expect(joined?.failures).toHaveLength(2);
    // No other agent tried b.
    expect(alone?.only).toBeNull();
  });
});
