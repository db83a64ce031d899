import { expect, it } from "vitest";

import { DISTRIBUTION_BINS } from "@/lib/core/charts/distribution-plot";
import { parseTrialsParams, type TrialsParams } from "@/lib/pages/trials/address";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { readHead } from "@/lib/store/tables";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { getDimensions } from "./dimensions";
import { getTrialsPage } from "./trials";

interface Attempt {
  readonly task: string;
  readonly agent: "orca" | "lamp";
  readonly details: unknown;
  readonly running?: true;
}

/** Attempts at instances of `lux`, and at `drop`, whose `care` is another dimension. */
const ATTEMPTS: readonly Attempt[] = [
  { task: "lux-1", agent: "orca", details: { care: 0, speed: 0.3 } },
  { task: "lux-1", agent: "orca", details: { speed: 0.3, care: 1 } },
  { task: "lux-2", agent: "orca", details: { care: 1, speed: 0.29 } },
  { task: "lux-2", agent: "orca", details: { care: 1 } },
  { task: "lux-2", agent: "lamp", details: { care: 0.95, speed: "NaN" } },
  { task: "lux-3", agent: "lamp", details: null },
  { task: "drop", agent: "lamp", details: { care: 0.5 } },
];

function listFiles(attempts: readonly Attempt[]) {
  const files: Record<string, unknown> = { "run/result.json": jobResult({ x__aaaaaaa: 1 }) };
  for (const [index, { task, agent, details }] of attempts.entries()) {
    const name = `${task}__aaaaaa${index}`;
    files[`run/${name}/result.json`] = trialResult(name, 0.5, {
      task_name: task,
      agent_info: { name: agent, version: "1.0", model_info: { name: "m1", provider: "lab" } },
    });
    if (details !== null) files[`run/${name}/verifier/details.json`] = details;
  }
  return files;
}

/** Label of a group that records nothing. */
const standForNobody = ({ nTrials }: { nTrials: number }) => ({
  n: 0,
  nMissing: nTrials,
  ends: { nFloor: 0, nCeiling: 0 },
  counts: new Array<number>(DISTRIBUTION_BINS.length).fill(0),
});

const ANY = { family: null, groups: [], groupsFrom: 0, partFrom: 0, page: 1 } as const;
const ORCA = "orca__m1__bench";
const LAMP = "lamp__m1__bench";

describeEngines("dimensions of a job", (engine) => {
  async function openJob(attempts: readonly Attempt[] = ATTEMPTS) {
    const { store } = await indexFolders(engine, [makeFolder(listFiles(attempts))]);
    const job = await readHead(store, "run");
    if (job === null) throw new Error("no job");
    const count = async (filter: Partial<TrialsParams>) =>
      (await getTrialsPage(store, job, { ...parseTrialsParams({}), ...filter }, { from: 0, limit: 50 }))
        .nMatching;
    return { store, head: job, count };
  }

  it("are of one family of tasks each: the same name elsewhere is another dimension", async () => {
    const { store, head: job } = await openJob();
    const { rows, families } = await getDimensions(store, job, ANY);
    expect(families.map(({ name, nTasks, nTrials }) => [name, nTasks, nTrials])).toEqual([
      ["drop", 1, 1],
      ["lux", 3, 6],
    ]);
    const shown = rows.map(({ name, rows: own, groups }) => [
      name,
      own.map((row) => [row.name, ...row.cells.map((cell) => cell && [cell.mean, cell.n, cell.nMissing])]),
      groups.map(({ nTrials }) => nTrials),
    ]);
    expect(shown).toEqual([
      ["drop", [["care", [0.5, 1, 0]]], [1]],
      [
        "lux",
        // Matched by name: the second attempt names them the other way round. lamp's speed is no number.
        [
          ["care", [0.75, 4, 0], [0.95, 1, 1]],
          ["speed", [(0.3 + 0.3 + 0.29) / 3, 3, 1], null],
        ],
        [4, 2],
      ],
    ]);
  });

  it("lead to exactly the trials that they count", async () => {
    const { store, head: job, count } = await openJob();
    const { rows } = await getDimensions(store, job, { ...ANY, family: "lux" });
    expect(rows).toHaveLength(1);
    const cells = rows.flatMap(({ rows: own, groups }) =>
      own.flatMap(({ name, cells: all }) =>
        groups.map((group, at) => ({ name, group, cell: all[at] ?? standForNobody(group) })),
      ),
    );
    expect(cells).toHaveLength(4);
    for (const { name, group, cell } of cells) {
      const of = (range: Partial<TrialsParams>) =>
        count({ dimension: name, family: "lux", groups: [group.key], ...range });
      expect(await of({})).toBe(cell.n);
      expect(await of({ isShareMissing: true })).toBe(cell.nMissing);
      expect(await of({ shareMax: 0 })).toBe(cell.ends.nFloor);
      expect(await of({ shareMin: 1 })).toBe(cell.ends.nCeiling);
      for (const { bin, from, to, isClosed } of DISTRIBUTION_BINS) {
        const range = isClosed ? { shareMin: from } : { shareMin: from, shareBelow: to };
        expect(await of(range), `${name} ${from}`).toBe(cell.counts[bin]);
      }
    }
    expect(await count({ dimension: "care" })).toBe(6);
    expect(await count({ dimension: "care", family: "drop" })).toBe(1);
    expect(await count({ dimension: "speed", family: "drop", isShareMissing: true })).toBe(1);
    expect(await count({ dimension: "' or 1=1 --" })).toBe(0);
  });

  it("are correlated over trials with both, for all agents and for one", async () => {
    const { store, head: job } = await openJob();
    const lux = async (groups: readonly string[]) => {
      const [section] = (await getDimensions(store, job, { ...ANY, family: "lux", groups })).rows;
      if (section?.correlations == null) throw new Error("no correlations");
      const { correlations, groups: shown } = section;
      return { ...correlations, cell: correlations.rows[1]?.[0], groups: shown.map(({ key }) => key) };
    };
    // (0, .3), (1, .3) and (1, .29): r = -1/2. The fourth states one of them, and lamp's speed is unknown.
    expect(await lux([])).toMatchObject({ cell: { text: "−0.50", n: null }, usualN: 3 });
    expect(await lux([LAMP])).toMatchObject({
      groups: [LAMP],
      cell: { text: null },
      reasons: [{ words: "there are no values", count: 1 }],
    });
    expect(await lux([ORCA])).toMatchObject({ cell: { text: "−0.50" } });
  });

  it("come a few families at a time", async () => {
    const attempts = Array.from({ length: 11 }, (_, at): Attempt => {
      return { task: `task-${String.fromCharCode(97 + at)}`, agent: "orca", details: { care: at / 10 } };
    });
    const { store, head: job } = await openJob(attempts);
    const first = await getDimensions(store, job, ANY);
    expect([first.rows.length, first.nMatching, first.families.length]).toEqual([8, 11, 11]);
    const second = await getDimensions(store, job, { ...ANY, page: 2 });
    expect(second.rows.map(({ name }) => name)).toEqual(["task-i", "task-j", "task-k"]);
    expect(second.nBefore).toBe(8);
  });

  it("come a hundred of a family at a time, and every one of them on some page", async () => {
    const names = Array.from({ length: 230 }, (_, at) => `dimension ${at}`);
    const details = Object.fromEntries(names.map((name) => [name, 1]));
    const { store, head: job } = await openJob([
      { task: "lux-1", agent: "orca", details },
      { task: "nox-1", agent: "orca", details: { care: 1 } },
    ]);
    const [lux] = (await getDimensions(store, job, ANY)).rows;
    expect([lux?.rows.length, lux?.nMatching]).toEqual([100, 230]);
    const seen: string[] = [];
    while (seen.length < names.length) {
      const request = { ...ANY, family: "lux", partFrom: seen.length };
      const { rows } = await getDimensions(store, job, request);
      expect(rows).toHaveLength(1);
      seen.push(...(rows[0]?.rows ?? []).map(({ name }) => name));
    }
    expect(seen).toEqual(names);
  });
});
