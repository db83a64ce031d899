import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openCatalog } from "@/lib/catalog";
import { formatCurvesCsv } from "@/lib/charts/curve-csv";
import type { CatalogSnapshot } from "@/lib/domain/catalog";
import { writeSampleJobs } from "@/lib/testing/generate";

import { compareGroups, type Comparison } from "./compare-page";
import type { CompareFilter } from "@/lib/domain/compare-filter";
import { findGroups, listRewardKeys } from "./compare-page-groups";

const FILTER: CompareFilter = {
  refs: [],
  key: null,
  threshold: 1,
  missing: "zero",
  tasks: "common",
  k: null,
  sort: "difference",
  descending: true,
  show: "all",
};
const ORCA = "tb2-baseline:orca__meridian-4.5__terminal-mix";
const LAMP = "tb2-baseline:lamp__halyard-2__terminal-mix";
const TERN = "tb2-baseline:tern__kestrel-35b__terminal-mix";

let folder = "";
let snapshot: CatalogSnapshot;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "compare-"));
  writeSampleJobs(folder, { seed: 1 });
  snapshot = openCatalog({ roots: [folder], summation: "cpython-3.12" }).snapshot();
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function choose(refs: readonly string[]) {
  return findGroups(snapshot, refs, (agent) => (agent === "orca" ? 1 : agent === "lamp" ? 2 : 3));
}

function compare(refs: readonly string[], change: Partial<CompareFilter> = {}): Comparison {
  return compareGroups(snapshot, choose(refs).chosen, { ...FILTER, refs, ...change });
}

/** Rewards straight from the trials, without any of the code under test: task to attempts in order. */
function readRewards(ref: string): Map<string, number[]> {
  const [job, group] = ref.split(":");
  const entry = snapshot.jobs.find((one) => one.job.name === job);
  const keys = new Set(entry?.report.groups.find((one) => one.key === group)?.trialKeys);
  const rewards = new Map<string, number[]>();
  for (const trial of entry?.trials ?? []) {
    if (!keys.has(trial.key) || trial.state !== "finished") continue;
    const value = Number(trial.rewards?.get("reward") ?? 0);
    rewards.set(trial.taskName, [...(rewards.get(trial.taskName) ?? []), value]);
  }
  return rewards;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("choosing", () => {
  test("groups come in the order of the address; what is not there is named", () => {
    const { chosen, unknown } = choose([LAMP, "gone:x__y__z", ORCA]);
    expect(chosen.map(({ label, identity, variant }) => [label, identity, variant])).toEqual([
      ["lamp", 2, 0],
      ["orca", 1, 0],
    ]);
    expect(unknown).toEqual(["gone:x__y__z"]);
  });

  test("`reward` leads the keys where it is there", () => {
    expect(listRewardKeys(choose([ORCA]).chosen)[0]?.key).toBe("reward");
  });
});

describe("two groups", () => {
  test("difference, wins and values equal what the trials say", () => {
    const orca = readRewards(ORCA);
    const lamp = readRewards(LAMP);
    const differences = [...orca].map(([task, values]) => mean(values) - mean(lamp.get(task) ?? []));
    const { pairs, nCommon } = compare([ORCA, LAMP]);
    const paired = pairs[0]?.comparison;
    if (paired?.kind !== "computed") throw new Error("not compared");
    expect(nCommon).toBe(orca.size);
    expect(paired.difference).toBeCloseTo(mean(differences), 12);
    expect([paired.won, paired.tied, paired.lost]).toEqual([
      differences.filter((d) => d > 1e-9).length,
      differences.filter((d) => Math.abs(d) <= 1e-9).length,
      differences.filter((d) => d < -1e-9).length,
    ]);
  });

  test("pass@k lies on what Harbor recorded, at every k that it recorded", () => {
    const { groups } = compare([ORCA, LAMP]);
    for (const { curve, recorded } of groups) {
      expect(recorded.size).toBeGreaterThan(0);
      if (curve.kind === "unavailable") throw new Error("no curve");
      for (const [k, value] of recorded) {
        const found = curve.points.find((point) => point.k === k)?.passAtK.value ?? Number.NaN;
        expect(found).toBeCloseTo(value, 12);
        // What is shown must not look like a difference either.
        expect(found.toFixed(3)).toBe(value.toFixed(3));
      }
    }
  });

  test("the matrix holds every attempt once, under headings that repeat the verdict's counts", () => {
    const { matrix, pairs } = compare([ORCA, LAMP]);
    const nAttempts = [ORCA, LAMP].reduce(
      (sum, ref) => sum + [...readRewards(ref).values()].flat().length,
      0,
    );
    expect(matrix.nAttempts).toBe(nAttempts);
    const paired = pairs[0]?.comparison;
    if (paired?.kind !== "computed") throw new Error("not compared");
    expect(matrix.parts.map(({ id, rows }) => [id, rows.length])).toEqual([
      ["ahead", paired.won],
      ["tied", paired.tied],
      ["behind", paired.lost],
    ]);
    const hrefs = matrix.parts.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) => cells.flatMap(({ attempts }) => attempts)),
    );
    expect(new Set(hrefs.map(({ href }) => href)).size).toBe(nAttempts);
  });

  test("filters keep what they say", () => {
    const differing = compare([ORCA, LAMP], { show: "differ" }).matrix;
    expect(differing.parts.map(({ id }) => id)).not.toContain("tied");
    const flaky = compare([ORCA, LAMP], { show: "flaky" }).matrix.parts.flatMap(({ rows }) => rows);
    for (const { cells } of flaky) expect(cells.some(({ c, n }) => c > 0 && c < n)).toBe(true);
    const byName = compare([ORCA, LAMP], { sort: "task", descending: false }).matrix.parts;
    expect(byName).toHaveLength(1);
    const names = byName[0]?.rows.map(({ task }) => task) ?? [];
    expect(names).toEqual([...names].sort());
  });

  test("four charts: each measure beside its difference, both differences on one scale", () => {
    const { charts } = compare([ORCA, LAMP]);
    expect(charts.map(({ id }) => id)).toEqual([
      "passAtK",
      "passAtK-difference",
      "passHatK",
      "passHatK-difference",
    ]);
    expect(charts[1]?.yDomain).toEqual(charts[3]?.yDomain);
    expect(charts[2]?.series.every(({ recorded }) => recorded.length === 0)).toBe(true);
  });

  test("the same agent in another job keeps its colour and changes its form", () => {
    const next = snapshot.jobs.find((entry) => entry.job.name === "tb2-orca-next");
    const { chosen } = choose([ORCA, `tb2-orca-next:${next?.report.groups[0]?.key ?? ""}`]);
    expect(chosen.map(({ identity, variant }) => [identity, variant])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    expect(new Set(chosen.map(({ label }) => label)).size).toBe(2);
  });
});

describe("unlike groups", () => {
  test("a threshold above every reward passes nothing and still shows every attempt", () => {
    const { groups, matrix } = compare([ORCA, LAMP], { threshold: 1.5 });
    const [first] = groups;
    if (first?.curve.kind !== "computed") throw new Error("no curve");
    expect(first.curve.points.every(({ passAtK }) => passAtK.value === 0)).toBe(true);
    const outcomes = matrix.parts.flatMap(({ rows }) =>
      rows.flatMap(({ cells }) => cells.flatMap(({ attempts }) => attempts)),
    );
    expect(outcomes.some(({ outcome }) => outcome === "passed")).toBe(false);
    expect(outcomes.some(({ outcome }) => outcome === "partial")).toBe(true);
  });

  test("groups without a common task are shown apart and not compared", () => {
    const other = snapshot.jobs.find((entry) => entry.job.name === "sql-repair-rubric");
    const { pairs, nCommon, checks, groups, matrix } = compare([
      ORCA,
      `sql-repair-rubric:${other?.report.groups[0]?.key ?? ""}`,
    ]);
    expect(nCommon).toBe(0);
    expect(pairs[0]?.comparison).toEqual({ kind: "unavailable", reason: "no-common-tasks" });
    expect(checks[0]).toMatchObject({ name: "tasks", state: "differs" });
    expect(groups[0]?.curve.kind).toBe("computed");
    expect(matrix.parts.map(({ id }) => id)).toEqual(["apart"]);
  });

  test("with three groups each is held against the first, and p values are adjusted", () => {
    const { pairs, charts } = compare([ORCA, LAMP, TERN]);
    expect(pairs.map(({ other }) => other.label)).toEqual(["lamp", "tern"]);
    expect(charts.map(({ id }) => id)).toEqual(["passAtK", "passHatK"]);
    for (const { comparison, adjustedP } of pairs) {
      if (comparison.kind !== "computed" || adjustedP === null) throw new Error("not compared");
      expect(adjustedP).toBeGreaterThanOrEqual(comparison.test.p);
    }
  });

  test("the file of the curves has a row for each group, measure and k", () => {
    const { groups } = compare([ORCA, LAMP]);
    const csv = formatCurvesCsv(
      groups.map((group) => ({
        job: "=job",
        group: 'a "b", c',
        versus: null,
        curve: group.curve,
        recorded: group.recorded,
      })),
      { key: "reward", threshold: 1, missing: "zero", tasks: "common" },
    );
    const lines = csv.trimEnd().split("\r\n");
    const ks = groups[0]?.curve.kind === "computed" ? groups[0].curve.points.length : 0;
    expect(lines).toHaveLength(1 + 2 * 2 * ks);
    expect(lines[1]?.startsWith(`'=job,"a ""b"", c",,pass@k,1,`)).toBe(true);
  });
});
