import { expect, it } from "vitest";

import { computeHistory } from "./history";
import { computeLeaderboard } from "./leaderboard";
import type { NamedRuns } from "./run";
import { computeSinceLast } from "./since-last";
import type { ComparedTrial } from "./trials";

interface Over {
  readonly version?: string | null;
  readonly harbor?: string | null;
  readonly digest?: string | null;
  readonly settings?: Readonly<Record<string, string>> | null;
  readonly agent?: string;
}

/** A group with the rewards of the attempts at each task, null for a missing one. */
function group(
  label: string,
  tasks: Readonly<Record<string, readonly (number | null)[]>>,
  { version = "1", harbor = "1", digest = "d", settings = {}, agent = "orca" }: Over = {},
): NamedRuns {
  const trials = Object.entries(tasks).flatMap(([taskName, rewards]) =>
    rewards.map((reward, at) => ({
      key: `${label} ${taskName} ${String(at)}`,
      taskName,
      taskDigest: digest,
      agentVersion: version,
      attempt: at + 1,
      state: "finished",
      exceptionType: null,
      exclusion: null,
      counts: true,
      rewards: new Map(reward === null ? [] : [["reward", reward]]),
      tokens: { costUsd: null },
      rollout: `${label} ${taskName} ${String(at)}`,
    })),
  ) as unknown as ComparedTrial[]; // Only these are looked at.
  const figures = { nFigures: 0, nExact: 0 };
  const environment = new Map([["provider", ['"docker"']]]);
  const named =
    settings && new Map(Object.entries(settings).map(([name, value]) => [name, new Set([value])]));
  return {
    label,
    givenName: null,
    trials,
    figures,
    contents: [{ trials, figures, settings: named, environment, counted: trials, nKnown: 0 }],
    runs: [
      {
        ref: label,
        path: "/jobs/a",
        job: {
          time: { startedAt: null, finishedAt: null },
          firstTrialStart: null,
          key: label,
          name: label,
          harborVersion: harbor,
          scoringRule: "harbor-0.25",
          maxRetries: 0,
        },
        group: { key: agent, agent, model: null, provider: null, source: "set" },
        setups: null,
        recordedPassAtK: null,
      },
    ],
  };
}

function history(groups: readonly NamedRuns[], starts: readonly (number | null)[]) {
  const board = computeLeaderboard(groups, {
    key: null,
    missing: "zero",
    rule: "recorded",
    tasks: "own",
    coverage: 0,
  });
  return computeHistory(groups, board, starts).map(({ row, startMs, change }) => [
    row.label,
    startMs,
    change && [change.since, change.differs.map(({ name, detail }) => `${name}: ${detail}`)],
  ]);
}

it("orders runs by time and marks what differs from the run before of the same agent", () => {
  const tasks = { a: [1], b: [0] };
  const groups = [
    group("newest", tasks, { version: "2", settings: { effort: '"high"' }, digest: "e" }),
    group("other", tasks, { agent: "gull", version: "9", harbor: "3" }),
    group("lost", tasks, { version: "7" }),
    group("first", tasks),
    group("second", tasks, { version: "1", settings: { effort: '"low"' }, harbor: null }),
  ];
  expect(history(groups, [400, 250, null, 100, 300])).toEqual([
    ["first", 100, null],
    ["other", 250, null],
    // Harbor's version is not stated there, which is no change.
    ["second", 300, ["first", ["effort: not set or low."]]],
    [
      "newest",
      400,
      [
        "second",
        ["task digests: 2 tasks changed between the runs.", "agent version: 1 or 2.", "effort: low or high."],
      ],
    ],
    // It is not the previous run of any other.
    ["lost", null, null],
  ]);
});

it("finds nothing to differ between equal runs, and no change in what both sets mix alike", () => {
  const [one, two] = [group("one", { a: [1] }), group("two", { a: [0] })];
  expect(history([one, two], [1, 2])[1]).toEqual(["two", 2, ["one", []]]);
  const mix = (label: string): NamedRuns => {
    const [x, y] = [group(`${label}1`, { a: [1] }), group(`${label}2`, { a: [0] }, { version: "2" })];
    return {
      ...x,
      label,
      trials: [...x.trials, ...y.trials],
      runs: [...x.runs, ...y.runs],
      contents: [...x.contents, ...y.contents],
    };
  };
  expect(history([mix("old"), mix("new")], [1, 2])[1]).toEqual(["new ×2", 2, ["old", []]]);
  expect(history([one, mix("new")], [1, 2])[1]).toEqual(["new ×2", 2, ["one", ["agent version: 1 or 2."]]]);
});

it("tells what is the same from what a run does not state", () => {
  const groups = [group("first", { a: [1] }), group("second", { a: [1] }, { harbor: null })];
  const board = computeLeaderboard(groups, {
    key: null,
    missing: "zero",
    rule: "recorded",
    tasks: "own",
    coverage: 0,
  });
  const change = computeHistory(groups, board, [1, 2])[1]?.change;
  expect([change?.differs, change?.unknown]).toEqual([[], ["Harbor version"]]);
  expect(change?.same).toEqual(expect.arrayContaining(["tasks", "task digests", "agent version", "retries"]));
  expect(change?.same).not.toContain("Harbor version");
});

it("counts tasks that newly pass and fail", () => {
  const before = group("before", { gone: [1], up: [0], up2: [null], down: [1], fails: [0], passes: [1] });
  const now = group("now", { up: [1], up2: [1], down: [0], fails: [0.5], passes: [1], fresh: [1] });
  const since = computeSinceLast(before, now);
  expect(since).toMatchObject({
    newPasses: ["up", "up2"],
    newFailures: ["down"],
    sameFailures: ["fails"],
    samePasses: ["passes"],
    nNotInBoth: 2,
    attempts: [1, 1],
    nSameRollouts: 0,
    // Three changes fall 2 to 1 or more unevenly with certainty.
    chance: { kind: "computed", p: 1, onlyFirst: 2, onlySecond: 1 },
  });
  expect(since?.words.verdict).toBe("no clear difference");
});

it("passes a task by any attempt, and knows nothing of runs without a reward", () => {
  const before = group("before", { a: [0, 1], b: [0, 0], c: [0, 0] });
  const now = group("now", { a: [1, 0], b: [0, 1], c: [0, 0] });
  expect(computeSinceLast(before, now)).toMatchObject({
    newPasses: ["b"],
    newFailures: [],
    sameFailures: ["c"],
    samePasses: ["a"],
    attempts: [2, 2],
    chance: { kind: "unavailable" },
  });
  expect(computeSinceLast(before, group("none", { a: [null] }))).toBeNull();
});
