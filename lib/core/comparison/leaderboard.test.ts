import { expect, it } from "vitest";

import { SCORING_WORDS } from "@/lib/core/domain/scoring-choice";

import { computeLeaderboard, type LeaderboardRule } from "./leaderboard";
import { describeLead, formatLeaderboard } from "./leaderboard-text";
import { type NamedRuns, poolBySettings } from "./run";
import type { ComparedTrial } from "./trials";

const RULE: LeaderboardRule = { key: null, missing: "zero", rule: "recorded", tasks: "own", coverage: 0 };

interface Over {
  readonly timeouts?: number;
  readonly agent?: string;
  readonly harbor?: string | null;
  readonly key?: string;
  readonly digest?: (task: string) => string | null;
  readonly rollout?: string;
}

/** A group with a trial at each task: its reward, null for none, `running` for one without a result. */
function group(
  label: string,
  tasks: Readonly<Record<string, number | null | "running">>,
  {
    agent = label,
    harbor = "1",
    key = "reward",
    digest = (task) => task,
    rollout = label,
    timeouts = 1,
  }: Over = {},
): NamedRuns {
  const trials = Object.entries(tasks).map(([taskName, reward]) => ({
    key: `${label} ${taskName}`,
    taskName,
    taskDigest: digest(taskName),
    attempt: 1,
    state: reward === "running" ? "running" : "finished",
    exceptionType: null,
    exclusion: null,
    counts: reward !== "running",
    rewards: new Map(typeof reward === "number" ? [[key, reward]] : []),
    tokens: { costUsd: reward === 1 ? 2 : null },
    rollout: `${rollout} ${taskName}`,
  })) as unknown as ComparedTrial[]; // Only these are looked at.
  const figures = { nFigures: 4, nExact: 4 };
  const multipliers = JSON.stringify(timeouts === 1 ? "1" : `agent ${String(timeouts)}, verifier 1`);
  const environment = new Map([["timeout multipliers", [multipliers]]]);
  const content = { trials, figures, settings: new Map(), environment };
  return {
    label,
    givenName: null,
    trials,
    figures,
    contents: [{ ...content, counted: trials, nKnown: 0 }],
    runs: [
      {
        ref: label,
        path: "/jobs/a",
        job: {
          time: { startedAt: null, finishedAt: null },
          firstTrialStart: null,
          key: label,
          name: `job-${label}`,
          harborVersion: harbor,
          scoringRule: "harbor-0.25",
          maxRetries: 0,
        },
        group: { key: label, agent, model: null, provider: null, source: "set" },
        setups: null,
        recordedPassAtK: null,
      },
    ],
  };
}

const TASKS = Array.from({ length: 12 }, (_, at) => `${at < 6 ? "air" : "sea"}-${String(at)}`);

function passing(n: number): Record<string, number> {
  return Object.fromEntries(TASKS.map((task, at) => [task, at < n ? 1 : 0]));
}

it("orders groups by score and gives each the ranks that the data allow", () => {
  const { rows, nRanked, nFirst, nPairs, families } = computeLeaderboard(
    [group("low", passing(0)), group("top", passing(12)), group("near", passing(11))],
    RULE,
  );
  expect(rows.map(({ label, rank }) => [label, rank?.low, rank?.high])).toEqual([
    ["top", 1, 2],
    ["near", 1, 2],
    ["low", 3, 3],
  ]);
  expect([nRanked, nFirst, nPairs]).toEqual([3, 2, 3]);
  expect(families).toEqual([
    { name: "air", nTasks: 6 },
    { name: "sea", nTasks: 6 },
  ]);
  expect(rows.map((row) => row.families)).toEqual([
    [1, 1],
    [1, 5 / 6],
    [0, 0],
  ]);
  expect(rows[1]).toMatchObject({ at: 2, nTasks: 12, attempts: { min: 1, max: 1 }, marks: [] });
  expect(rows[1]?.cost).toMatchObject({ mean: 2, n: 11, nMissing: 1 });
  expect(rows[2]?.cost).toMatchObject({ kind: "unavailable" });
});

it("gives no rank to references, to what runs and to what has no score, and does not count them", () => {
  const { rows, nRanked } = computeLeaderboard(
    [
      group("oracle", passing(12)),
      group("slow", { ...passing(12), "sea-11": "running" }),
      group("fine", passing(6)),
      group("other", passing(12), { key: "speed" }),
      group("failed", Object.fromEntries(TASKS.map((task) => [task, null]))),
    ],
    RULE,
  );
  expect(rows.map(({ label, state, rank }) => [label, state, rank?.high])).toEqual([
    ["fine", "ranked", 1],
    ["slow", "running", undefined],
    ["oracle", "reference", undefined],
    ["failed", "not-scored", undefined],
    ["other", "not-scored", undefined],
  ]);
  expect(nRanked).toBe(1);
  // Without any reward there is no score, which is not 0.
  expect(rows.map(({ mean }) => (mean.kind === "computed" ? mean.mean : null))).toEqual([
    0.5,
    1,
    1,
    null,
    null,
  ]);
});

it("gives no rank to a group whose mean is not a number", () => {
  const { rows } = computeLeaderboard(
    [group("fine", passing(6)), group("endless", { ...passing(12), "sea-11": Infinity })],
    RULE,
  );
  expect(rows.map(({ label, state }) => [label, state])).toEqual([
    ["fine", "ranked"],
    ["endless", "not-scored"],
  ]);
});

it("marks what is not as in most groups, and what no file states", () => {
  const few = Object.fromEntries(Object.entries(passing(6)).slice(0, 10));
  const { rows, conditions } = computeLeaderboard(
    [
      group("one", passing(9), { digest: (task) => (task === "air-0" ? "old" : task) }),
      group("two", passing(8)),
      group("three", passing(7), { timeouts: 2 }),
      group("four", few, { harbor: "2" }),
      group("five", passing(5), { harbor: null, digest: () => null }),
      group("six", passing(4), { rollout: "two" }),
    ],
    RULE,
  );
  const marks = new Map(rows.map((row) => [row.label, row.marks.map(({ state, short }) => [state, short])]));
  expect(Object.fromEntries(marks)).toEqual({
    one: [["differs", "1 other task version"]],
    two: [["differs", "shared rollouts"]],
    three: [["differs", "other timeouts"]],
    four: [
      ["differs", "10 of 12 tasks"],
      ["differs", "Harbor 2"],
    ],
    five: [
      ["unknown", "task digests"],
      ["unknown", "Harbor"],
    ],
    six: [["differs", "shared rollouts"]],
  });
  const common = new Map(conditions.map((one) => [one.name, one.common]));
  expect(common.get("Harbor version")).toBe("1");
  expect(common.get("attempts")).toBe("1");
  // Every mark is of a condition that is listed.
  for (const { marks: own } of rows) for (const { name } of own) expect(common.has(name)).toBe(true);
});

it("names only values that most groups have, and says that all have one only if files record it", () => {
  const read = (...groups: readonly NamedRuns[]) => {
    const { rows, conditions } = computeLeaderboard(groups, RULE);
    const common = new Map(conditions.map((one) => [one.name, one.common]));
    return { common, marks: rows.flatMap(({ marks }) => marks) };
  };
  const parts = read(
    group("a", { "air-0": null, "air-1": 1 }, { digest: () => "old" }),
    group("b", { "air-1": null, "air-2": 1 }),
  );
  for (const name of ["tasks", "task digests", "missing rewards"]) expect(parts.common.get(name)).toBeNull();
  expect(parts.common.get("rollouts")).toBe("none shared");
  expect(parts.marks.map(({ detail }) => detail).join(" ")).not.toContain("most");

  const silent = group("c", passing(3));
  const unknown = read(
    ...["c", "d", "e"].map((label): NamedRuns => {
      const { trials, contents, ...rest } = { ...silent, label };
      const nameless = trials.map((trial) => ({ ...trial, rollout: null }));
      return { ...rest, trials: nameless, contents: contents.map((one) => ({ ...one, settings: null })) };
    }),
  );
  expect(unknown.marks.map(({ state, name }) => [state, name])).toEqual(
    ["c", "d", "e"].flatMap(() => [
      ["unknown", "same agent settings in a group"],
      ["unknown", "rollouts"],
    ]),
  );
  for (const { name } of unknown.marks) expect(unknown.common.get(name)).toBeNull();
});

it("ranks only groups with enough tasks, regardless of score", () => {
  const nine = Object.fromEntries(Object.entries(passing(12)).slice(0, 9));
  const groups = [group("few", nine), group("all", passing(6)), group("most", passing(3))];
  const rank = (coverage: number) =>
    computeLeaderboard(groups, { ...RULE, coverage }).rows.map(({ label, state }) => [label, state]);
  expect(rank(75)).toEqual([
    ["few", "ranked"],
    ["all", "ranked"],
    ["most", "ranked"],
  ]);
  expect(rank(80)).toEqual([
    ["all", "ranked"],
    ["most", "ranked"],
    ["few", "partial"],
  ]);
  const { nRanked, nCommonTasks } = computeLeaderboard(groups, { ...RULE, coverage: 80 });
  expect([nRanked, nCommonTasks]).toEqual([2, 12]);
});

it("pools runs of one agent, model and settings, and leaves those apart that still run", () => {
  const run = (
    agent: string,
    settings: ReadonlyMap<string, ReadonlySet<string | null>> | null,
    state = "finished",
    path = "/jobs/a",
  ) => ({
    group: { agent, model: "m" },
    path,
    content: { settings, trials: [{ ...trial, state }] as unknown as ComparedTrial[] },
  });
  const [trial] = group("a", { t: 1 }).trials;
  const set = (...values: string[]) => new Map([["effort", new Set(values)]]);
  const runs = [
    run("a", set("low")),
    run("a", set("high")),
    run("b", set("low")),
    run("a", set("low")),
    run("a", null),
    run("a", set("low"), "running"),
    run("a", set("high", "low")),
    run("a", set("low", "high")),
    run("a", set("low"), "finished", "/jobs/later/b"),
  ];
  const poolPlaces = (isByFolder: boolean) =>
    poolBySettings(runs, isByFolder).map((pool) => pool.map((one) => runs.indexOf(one)));
  expect(poolPlaces(false)).toEqual([[0, 3, 8], [1], [2], [4], [5], [6, 7]]);
  expect(poolPlaces(true)).toEqual([[0, 3], [1], [2], [4], [5], [6, 7], [8]]);
});

it("marks a row with the number of runs it pools, in copies too", () => {
  const own = group("a", passing(12));
  const pooled = { ...own, runs: [own.runs[0], own.runs[0], own.runs[0]] as const };
  const board = computeLeaderboard([pooled, group("b", passing(0))], RULE);
  expect(board.rows.map(({ label }) => label)).toEqual(["a ×3", "b"]);
  expect(formatLeaderboard(board, "set", "markdown")).toContain("| a ×3 |");
});

it("takes scores over the common tasks where it is asked and there are any", () => {
  const part = group("part", { "air-0": 0, "air-1": 1 });
  const common = computeLeaderboard([group("all", passing(1)), part], { ...RULE, tasks: "common" });
  expect(common).toMatchObject({ tasks: "common", nTasks: 2, nCommonTasks: 2 });
  expect(common.rows.map(({ nTasks }) => nTasks)).toEqual([2, 2]);
  expect(common.rows.map((row) => (row.mean.kind === "computed" ? row.mean.mean : null))).toEqual([0.5, 0.5]);
  const strange = computeLeaderboard([part, group("strange", { x: 1, y: 0 })], { ...RULE, tasks: "common" });
  expect(strange).toMatchObject({ tasks: "own", nTasks: 4, nCommonTasks: 0 });
});

it("names the rule that is chosen for all, under which no figure is recorded", () => {
  const groups = [group("a", passing(12)), group("b", passing(0))];
  const copied = (rule: LeaderboardRule["rule"]) =>
    formatLeaderboard(computeLeaderboard(groups, { ...RULE, rule }), "set", "markdown");
  expect(copied("recorded")).toContain("| recorded |");
  expect(copied("all")).toContain("| recomputed |");
  expect(copied("all")).not.toContain("| recorded |");
  expect(copied("all")).toContain(SCORING_WORDS.all);
  const [head, first] = formatLeaderboard(
    computeLeaderboard(groups, { ...RULE, rule: "graded" }),
    "set",
    "csv",
  ).split("\r\n");
  expect(first?.split(",")[head?.split(",").indexOf("scoring_rule") ?? -1]).toBe("graded");
});

it("is copied with names that are text", () => {
  const board = computeLeaderboard([group("=a|b_1", passing(12)), group("c", passing(0))], RULE);
  expect(formatLeaderboard(board, "set", "markdown")).toContain(
    "| 1 | =a\\|b\\_1 | =a\\|b\\_1 | — | 1.000 |",
  );
  expect(formatLeaderboard(board, "set", "latex")).toContain(
    "1 & =a\\textbar{}b\\_1 & =a\\textbar{}b\\_1 & --- & 1.000 &",
  );
  const [head, first] = formatLeaderboard(board, "set", "csv").split("\r\n");
  expect(head).toContain("rank_low,rank_high,group");
  expect(first).toMatch(/^set,ranked,1,1,'=a\|b_1,job-=a\|b_1,/);
});

it("is copied with corrected scores if labels correct any, each with its own group", () => {
  const board = computeLeaderboard([group("a", passing(12)), group("b", passing(3))], RULE);
  const computed = { kind: "computed", observed: 0.25, corrected: 0.5, low: 0.25, high: 0.75 } as const;
  const labelled = [null, { ...computed, margin: "", nLabels: 24, nTrials: 12 }];
  const lines = (format: "markdown" | "csv", scores: typeof labelled) =>
    formatLeaderboard(board, "set", format, scores).split(/\r?\n/);
  expect(lines("markdown", labelled)[0]).toContain("| Corrected |");
  expect(lines("markdown", labelled)[3]).toMatch(
    /^\| \S+ \| b \| b \| — \| 0\.250 \| [^|]+ \| 0\.500 \| [^|]+ \| 24 \|/,
  );
  const [head = "", first = "", second = ""] = lines("csv", labelled);
  expect(head).toContain(",corrected_score,corrected_low,corrected_high,n_labels,");
  // No label is none, with the reason; it is no score of 0.
  expect(first).toMatch(/,,,,0,[a-z ]+$/u);
  expect(second).toMatch(/,0\.5,0\.25,0\.75,24,$/u);
  expect(lines("csv", [null, null])[0]).not.toContain("corrected");
});

it("says who leads and who is behind only where the ranks say it", () => {
  const say = (...groups: readonly NamedRuns[]) => describeLead(computeLeaderboard(groups, RULE));
  const clear = say(group("low", passing(0)), group("top", passing(12)));
  expect(clear.headline).toMatch(/^top leads.* low\.$/u);
  expect(clear.sentences).toEqual([]);

  // One more of twelve tasks is no lead; none at all is behind.
  const open = say(group("low", passing(0)), group("top", passing(12)), group("near", passing(11)));
  expect(open.headline).toMatch(/do not say .*: 2 of 3 groups .*top, 1\.000/u);
  expect(open.sentences).toEqual([expect.stringMatching(/behind: low\./u)]);

  const equal = say(group("a", passing(6)), group("b", passing(6)), group("c", passing(5)));
  expect(equal.headline).toMatch(/do not say .*any of the 3 groups .*a and b, 0\.500/u);
  expect(equal.sentences).toEqual([]);

  // A lead with more time than the others had.
  const unfair = say(
    group("top", passing(12), { timeouts: 3 }),
    group("low", passing(0)),
    group("last", passing(0)),
  );
  expect(unfair.headline).toMatch(/^top leads/u);
  expect(unfair.sentences.at(-1)).toMatch(/: top \(other timeouts\)/u);
  expect(say(group("one", passing(3))).headline).toContain("one");
});

it("is copied with all of a group's name, its agent and model, which the page shortens", () => {
  const own = { ...group("r45", passing(12), { agent: "orca-cli" }), fullName: "nightly-runs-r45" };
  const board = computeLeaderboard([own, group("r46", passing(0))], RULE);
  expect(formatLeaderboard(board, "set", "markdown")).toContain("| nightly-runs-r45 | orca-cli | — |");
  expect(formatLeaderboard(board, "set", "latex")).toContain("& nightly-runs-r45 & orca-cli & --- &");
  expect(formatLeaderboard(board, "set", "csv")).toContain(",nightly-runs-r45,job-r45,orca-cli,");
});
