import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";
import { z } from "zod";

import type { Summation } from "@/lib/core/scoring";
import { verifyJob } from "@/lib/core/verification";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  countCommonTasks,
  type IndexStore,
  type JobHead,
  readAllTrials,
  readCountedTrials,
  readOwnExceptions,
  readExceptionTallies,
  readHead,
  readTasks,
} from "@/lib/store/tables";
import { indexFolders } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { buildBundle, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { divideGroups } from "./summarise-groups";

/** Jobs that real Harbor 0.24.0 wrote. */
const CORPUS = join(import.meta.dirname, "../../core/verification/corpus/jobs/0.24.0");
const [SETTINGS, STEPS, USER] = ["agent-settings", "failing-steps", "simulated-user"].map((name) =>
  join(CORPUS, name),
) as [string, string, string];

const resultSchema = z.object({
  task_name: z.string(),
  verifier_result: z.object({ rewards: z.object({ reward: z.number() }) }),
  config: z.object({
    agent: z.object({ model_name: z.string(), kwargs: z.object({ reasoning_effort: z.string() }) }),
  }),
});

/** Sums of the job's own files for each setting, added manually. */
function addUp(folder: string) {
  const trials = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) =>
      resultSchema.parse(JSON.parse(readFileSync(join(folder, name, "result.json"), "utf8"))),
    );
  const bySetting = Map.groupBy(trials, ({ config: { agent } }) => {
    const provider = agent.model_name.replace(/\/.*/, "");
    return `${agent.kwargs.reasoning_effort} ${provider}`;
  });
  return new Map(
    [...bySetting].map(([setting, own]) => {
      const sum = own.reduce((total, { verifier_result: { rewards } }) => total + rewards.reward, 0);
      return [setting, { nTrials: own.length, mean: sum / own.length }];
    }),
  );
}

async function headOf(store: IndexStore, key: string): Promise<JobHead> {
  const job = await readHead(store, key);
  if (job === null) throw new Error(`there is no job ${key}`);
  return job;
}

describeEngines("an index of jobs that real Harbor wrote", (engine) => {
  it("divides a group by the settings in which its trials differ", async () => {
    const { store } = await indexFolders(engine, [SETTINGS]);
    const job = await headOf(store, "agent-settings");
    const [group] = job.groups;
    expect(job.groups).toHaveLength(1);
    const parts = group?.setups?.parts ?? [];
    const found = new Map(
      parts.map(({ summary }) => [
        (summary.setup ?? []).map(({ value }) => String(JSON.parse(value))).join(" "),
        { nTrials: summary.nTrials, mean: summary.headline?.value },
      ]),
    );
    expect(found).toEqual(addUp(join(SETTINGS, "agent-settings")));
    // The recorded group is checked as a whole.
    expect(group?.nTrials).toBe(12);
    expect(job.report.verdict).toBe("exact");
    expect(parts.every(({ summary }) => !summary.hasRecordedMetric)).toBe(true);
    expect(job.setupAttempts).toEqual({ min: 2, max: 2 });
  });

  it("has attempts and tasks of each part, and keeps the whole group unchanged", async () => {
    const { store } = await indexFolders(engine, [SETTINGS]);
    const job = await headOf(store, "agent-settings");
    const keys = job.groups[0]?.setups?.parts.map(({ summary }) => summary.group.key) ?? [];
    for (const key of keys)
      expect(await readCountedTrials(store, { jobRowId: job.rowId, key })).toHaveLength(4);
    const everything = { text: "", patterns: [], outcomes: [], exceptions: [], only: null, except: [] };
    const sort = { by: "position", descending: false } as const;
    const read = (isDivided: boolean) =>
      readTasks(store, job.rowId, { ...everything, isDivided }, sort, { from: 0, limit: 9 });
    const cells = (await read(true)).rows.map(({ cells: own }) =>
      own.map((cell) => cell?.attempts.map(({ attempt }) => attempt)),
    );
    expect(cells).toEqual([
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ]);
    expect(
      (await read(false)).rows.map(({ cells: own }) => own.map((cell) => cell?.attempts.length)),
    ).toEqual([[6], [6]]);
    const [first = ""] = keys;
    const place = { jobRowId: job.rowId, key: job.groups[0]?.group.key ?? "" };
    expect(await countCommonTasks(store, [place], [{ jobRowId: job.rowId, key: first }])).toEqual([2]);
  });

  itLong(engine.name === "sqlite")(
    "counts a trial whose step failed as an error, though Harbor records none for it",
    async () => {
      const { store } = await indexFolders(engine, [STEPS]);
      const job = await headOf(store, "failing-steps");
      // The figures are checked against result.json, which counts none.
      expect(job.report.verdict).toBe("exact");
      expect([job.nExceptionTypes, job.groups[0]?.nExceptions]).toEqual([2, 3]);
      expect(job.groups[0]?.counts).toMatchObject({ errored: 2, unscored: 0 });
      expect(await readOwnExceptions(store, job.rowId)).toEqual([]);
      const tallies = await readExceptionTallies(store);
      expect(new Set(tallies.map(({ type, cause }) => `${type} ${cause}`))).toEqual(
        new Set(["RewardFileNotFoundError verifier", "RuntimeError other"]),
      );
    },
  );

  itLong(engine.name === "sqlite")(
    "does not take a simulated user's tokens and cost for the agent's",
    async () => {
      const { store } = await indexFolders(engine, [USER]);
      const job = await headOf(store, "simulated-user");
      const trials = await readAllTrials(store, job.rowId);
      const users = trials.map(({ simulatedUser }) => simulatedUser?.tokens.costUsd);
      // Harbor's own total is the users'.
      const { stats } = z
        .object({ stats: z.object({ cost_usd: z.number() }) })
        .parse(JSON.parse(readFileSync(join(USER, "simulated-user/result.json"), "utf8")));
      expect(users.reduce<number>((sum, cost) => sum + (cost ?? NaN), 0)).toBeCloseTo(stats.cost_usd, 12);
      expect(trials.map(({ tokens }) => tokens.costUsd)).toEqual([null, null]);
      expect(job.costUsd).toBeNull();
      expect(trials.map(({ tokens }) => [tokens.inputTokens, tokens.outputTokens])).toEqual(
        trials.map(({ trialName }) => readTarget(join(USER, "simulated-user", trialName))),
      );
    },
  );
});

function readTarget(trial: string): readonly [number | null, number | null] {
  const { agent_result: result } = z
    .object({
      agent_result: z.object({
        metadata: z.object({ acp_target_usage: z.record(z.string(), z.unknown()) }).nullish(),
      }),
    })
    .parse(JSON.parse(readFileSync(join(trial, "result.json"), "utf8")));
  const usage = result.metadata?.acp_target_usage ?? {};
  const pick = (...names: string[]) =>
    names.map((name) => usage[name]).find((n) => typeof n === "number") ?? null;
  return [pick("inputTokens", "input_tokens"), pick("outputTokens", "output_tokens")];
}

it("adds up the parts of a group in the way in which its job's figures are added up", () => {
  // Ten times 0.1 is 1 with the sum of Python 3.12, and less with that of the ones before.
  const trials = Array.from({ length: 20 }, (_, at) =>
    buildTrial(`t${at}`, 0.1, { settings: [{ name: "effort", value: at < 10 ? '"low"' : '"high"' }] }),
  );
  const bundle = buildBundle(trials, []);
  const meansBy = (summation: Summation) => {
    const entry = { ...bundle, path: "", report: verifyJob(bundle, summation) };
    const [group] = divideGroups(entry, summation).byGroup.values();
    const figures = group?.parts.flatMap((part) => part.figures.filter(({ kind }) => kind === "metric"));
    return figures?.map(({ recomputed }) => recomputed);
  };
  expect(meansBy("cpython-3.12")).toEqual(["0.1", "0.1"]);
  expect(meansBy("sequential")).toEqual(["0.09999999999999999", "0.09999999999999999"]);
});
