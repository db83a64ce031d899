import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { runCli } from "@/lib/cli/run-cli";
import { prepareSensitivityJson, type SensitivityLine } from "@/lib/core/comparison";
import { parseCompareParams } from "@/lib/pages/compare/address";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { openIndex } from "@/lib/store/indexer";
import { type IndexStore, readHead } from "@/lib/store/tables";
import { type FolderFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { makeDataFolder } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";

import { findGroups, readChosenGroups } from "../compare/groups";
import { compareGroups } from "../compare/page";
import { readLeaderboard } from "../datasets/leaderboard";
import { listDatasets } from "../datasets/list";
import { readScoreEffects } from "../errors/page";
import { readErrorsBase, selectErrorsScope } from "../errors/scope";
import { readJobSensitivity } from "./job";

/** A trial, and the readings that exclude it. */
interface Kind {
  readonly rewards: readonly (number | null)[];
  readonly is: "infrastructure" | "timeout" | null;
  readonly exception?: readonly [type: string, message: string];
  /** Of the trial's folder. */
  readonly files?: FolderFiles;
}

const KINDS: readonly Kind[] = [
  { rewards: [0, 0.5, 1, null], is: null },
  { rewards: [0, 1, null], is: "timeout", exception: ["AgentTimeoutError", "late"] },
  { rewards: [0, 1, null], is: "infrastructure", exception: ["ApiRateLimitError", "429"] },
  { rewards: [0], is: "infrastructure", exception: ["ApiUsageLimitError", "spent"] },
  { rewards: [null], is: "infrastructure", exception: ["RewardFileNotFoundError", "none"] },
  { rewards: [null], is: null, exception: ["CancelledError", ""] },
  { rewards: [0], is: null, exception: ["ContextLengthExceededError", "long"] },
  { rewards: [0, 1], is: null, exception: ["NonZeroAgentExitCodeError", "exit 1"] },
  // Sources beyond the exception type: the trial's log, the message, a verifier log, a custom rule.
  {
    rewards: [0, 1],
    is: "infrastructure",
    exception: ["NonZeroAgentExitCodeError", "exit 1"],
    files: { "trial.log": "Trial run failed: Error: 429 too many requests\n" },
  },
  { rewards: [0, 1], is: "infrastructure", exception: ["RuntimeError", "Docker compose command failed"] },
  {
    rewards: [0],
    is: "infrastructure",
    files: { "verifier/test-stdout.txt": "/tests/test.sh: line 18: uvx: command not found\n" },
  },
  { rewards: [0, 1], is: "infrastructure", exception: ["RuntimeError", "mirror of ours is down"] },
  { rewards: [0, 1], is: null, exception: ["RuntimeError", "a bug of the agent"] },
];
const OWN_RULE =
  '[[rule]]\nid = "ours"\nclass = "infrastructure"\nwhy = "Ours."\nmatch = [{ exception = "mirror of ours" }]\n';

interface DrawnTrial {
  readonly is: Kind["is"];
  readonly reward: number | null;
}

const AGENTS = ["lux", "orca"] as const;

/** A job of each agent over the same tasks, with trials of all kinds. */
function drawJobs(random: Random) {
  const files: Record<string, unknown> = {};
  const drawn = AGENTS.map((agent) => {
    files[`${agent}/result.json`] = jobResult({ none: 0 }, { id: agent, stats: { evals: {} } });
    return Array.from({ length: 48 }, (_, at): DrawnTrial => {
      const kind = random.pick(KINDS);
      const reward = random.pick(kind.rewards);
      const name = `task-${String(at % 6)}__${agent}${String(at).padStart(7 - agent.length, "x")}`;
      const [type, message] = kind.exception ?? [];
      const occurred = { exception_traceback: "", occurred_at: "2026-05-01T17:05:00" };
      files[`${agent}/${name}/result.json`] = trialResult(name, reward, {
        agent_info: { name: agent, version: "1.0", model_info: null },
        exception_info:
          type === undefined ? null : { ...occurred, exception_type: type, exception_message: message },
      });
      for (const [path, text] of Object.entries(kind.files ?? {})) files[`${agent}/${name}/${path}`] = text;
      return { is: kind.is, reward };
    });
  });
  return { folder: makeFolder(files), drawn };
}

/** The cells of a group in closed form. */
function expectCells(trials: readonly DrawnTrial[]) {
  const write = (kept: readonly DrawnTrial[]) => ({
    value: (kept.reduce((sum, { reward }) => sum + (reward ?? 0), 0) / kept.length).toFixed(3),
    nMoved: trials.length - kept.length,
  });
  return {
    "without-infrastructure": write(trials.filter(({ is }) => is !== "infrastructure")),
    "without-timeouts": write(trials.filter(({ is }) => is !== "timeout")),
    "without-both": write(trials.filter(({ is }) => is === null)),
    "without-missing": write(trials.filter(({ reward }) => reward !== null)),
  };
}

/** The same groups on every page, in the order of {@link AGENTS}. */
async function readPages(store: IndexStore) {
  const heads = await Promise.all(AGENTS.map((agent) => readHead(store, agent)));
  const scope = selectErrorsScope(
    await readErrorsBase(store),
    { jobs: [], agents: [], causes: [], text: "" },
    () => 1,
  );
  const effects = await readScoreEffects(store, scope);
  const [dataset] = await listDatasets(store);
  if (dataset === undefined) throw new Error("no dataset");
  const rule = {
    key: null,
    missing: "zero",
    rule: "recorded",
    tasks: "own",
    coverage: 0,
    runs: "each",
    repeats: "apart",
  } as const;
  const { board } = await readLeaderboard(store, dataset, rule);
  const refs = heads.map((head) => `${head?.key ?? ""}:${head?.groups[0]?.group.key ?? ""}`);
  const { chosen } = await findGroups(store, refs, () => 0);
  const comparison = compareGroups(await readChosenGroups(store, chosen), {
    ...parseCompareParams({}),
    refs,
  });
  return {
    jobs: await Promise.all(
      heads.map(async (head) => head && (await readJobSensitivity(store, head))[0]?.line),
    ),
    exceptions: AGENTS.map((name) => effects.find(({ agentModel: { agent } }) => agent === name)?.line),
    compare: comparison.groups.map(({ sensitivityLine }) => sensitivityLine),
    compared: comparison.groups.map(({ certainty }) => prepareSensitivityJson(certainty.sensitivity)),
    readings: comparison.pairs[0]?.readings.map(({ name, nMoved }) => [name, nMoved]),
    ranked: AGENTS.map((agent) => {
      const row = board.rows.find(({ runs }) => runs[0]?.job === agent);
      return row && prepareSensitivityJson(row.sensitivity);
    }),
  };
}

const groupsSchema = z.object({
  groups: z.array(z.object({ runs: z.unknown().optional(), sensitivity: z.unknown() })),
});

async function print(command: string, ...args: readonly string[]) {
  let stdout = "";
  const sink = { write: () => true, once: () => undefined };
  const stream = { ...sink, write: (text: string) => ((stdout += text), true) };
  expect(await runCli([command, ...args, "--json"], { stdout: stream, stderr: sink, env: {} })).toBe(0);
  const printed = z
    .object({ datasets: z.array(z.unknown()).optional() })
    .loose()
    .parse(JSON.parse(stdout));
  return groupsSchema.parse(printed.datasets?.[0] ?? printed).groups;
}

const { numRuns, seed } = planRuns({ short: 1, long: 20 });

describeQueries("readings of a score", (engine) => {
  itLong(engine.name === "sqlite")(
    "is the same on job, comparison, leaderboard, exceptions and in the commands",
    async () => {
      for (let at = 0; at < numRuns; at += 1) {
        const { folder, drawn } = drawJobs(new Random(`same ${String(seed)} ${String(at)}`));
        const data = makeDataFolder();
        mkdirSync(data, { recursive: true });
        writeFileSync(join(data, "rules.toml"), OWN_RULE);
        const target = await engine.freshTarget();
        const database = target.engine === "postgres" ? { DATABASE_URL: target.url } : {};
        const index = await openIndex({ roots: [folder], environment: { ASSAY_DATA: data, ...database } });
        onTestFinished(() => index.close());
        await index.refresh();
        await index.settle();
        const pages = await readPages(index.store);
        const expected = drawn.map(expectCells);
        for (const lines of [pages.jobs, pages.exceptions, pages.compare])
          expect(lines).toMatchObject(expected.map((cells) => ({ cells, nUnknown: 0 })));
        expect(pages.exceptions).toEqual(pages.jobs);
        expect(pages.compare).toEqual(pages.jobs);
        expect(pages.ranked).toEqual(pages.compared);

        const compared: unknown = JSON.parse(JSON.stringify(pages.compared));
        const folders = AGENTS.map((agent) => join(folder, agent));
        for (const [place, path] of folders.entries()) {
          const [group] = await print("score", path, "--sensitivity", "--data", data);
          expect(group?.sensitivity).toEqual((compared as readonly unknown[])[place]);
        }
        for (const command of ["compare", "leaderboard"]) {
          const groups = await print(command, ...folders, "--data", data);
          const named = groups.toSorted((a, b) => (JSON.stringify(a.runs) < JSON.stringify(b.runs) ? -1 : 1));
          expect(named.map(({ sensitivity }) => sensitivity)).toEqual(compared);
        }
        await index.close();
      }
    },
  );

  it("counts unclassified trials separately and nowhere else", async () => {
    const { folder, drawn } = drawJobs(new Random("pending"));
    const target = await engine.freshTarget();
    const database = target.engine === "postgres" ? { DATABASE_URL: target.url } : {};
    const index = await openIndex({
      roots: [folder],
      environment: { ASSAY_DATA: makeDataFolder(), ...database },
    });
    onTestFinished(() => index.close());
    await index.refresh();
    await index.settle();
    const { db } = index.store;
    // As it is while the background has come half way.
    for (const table of ["trialFailures", "passedFailures"] as const)
      await db.deleteFrom<"trialFailures" | "passedFailures">(table).where("position", ">=", 24).execute();
    const pages = await readPages(index.store);
    const isAsked = ({ reward, ...one }: DrawnTrial) => reward !== 1 || one.is !== null;
    for (const lines of [pages.jobs, pages.exceptions, pages.compare]) {
      const shown = lines as readonly SensitivityLine[];
      for (const [place, { cells, nUnknown }] of shown.entries()) {
        expect(nUnknown).toBeGreaterThanOrEqual((drawn[place] ?? []).slice(24).filter(isAsked).length);
        expect(nUnknown).toBeLessThanOrEqual(24);
        for (const name of ["without-infrastructure", "without-timeouts", "without-both"] as const)
          expect(cells[name]).toEqual({ value: "—", nMoved: null });
        expect(cells["without-missing"]).toEqual(expectCells(drawn[place] ?? [])["without-missing"]);
      }
    }
    expect(pages.compare).toEqual(pages.jobs);
    expect(pages.exceptions).toEqual(pages.jobs);
    expect(pages.ranked).toEqual(pages.compared);
    expect(pages.readings?.slice(0, 3)).toEqual([
      ["without-infrastructure", null],
      ["without-timeouts", null],
      ["without-both", null],
    ]);
  });
});
