import { expect, test } from "vitest";

import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { listDatasets } from "../datasets/list";
import { getAttemptChart } from "./attempt-chart";
import { findPassedAndFailed, readTaskInstructions } from "./detail";
import { readTaskPage, type TaskPage } from "./page";

interface Attempt {
  readonly agent: string;
  readonly reward: number | null;
  /** Messages of the user; null writes no trajectory. */
  readonly asked: readonly string[] | null;
  readonly costUsd?: number;
  readonly hasTimedOut?: boolean;
}

const TIMEOUT = {
  exception_type: "AgentTimeoutError",
  exception_message: "",
  exception_traceback: "",
  occurred_at: "2026-05-01T17:05:00",
};

/** A job of one task whose attempts are numbered as they come. */
function listFiles(attempts: readonly Attempt[]): Record<string, unknown> {
  const names = attempts.map((_, at) => `alpha__aaaa${String(at).padStart(3, "0")}`);
  const files: Record<string, unknown> = {
    "run/result.json": jobResult(Object.fromEntries(names.map((name) => [name, 0]))),
  };
  for (const [at, { agent, reward, asked, costUsd, hasTimedOut = false }] of attempts.entries()) {
    const name = names[at] ?? "";
    files[`run/${name}/result.json`] = trialResult(name, reward, {
      id: `id-${name}`,
      task_name: "alpha",
      agent_info: { name: agent, version: "1", model_info: null },
      agent_result: { cost_usd: costUsd ?? null },
      ...(hasTimedOut ? { exception_info: TIMEOUT } : {}),
    });
    if (asked === null) continue;
    files[`run/${name}/agent/trajectory.json`] = {
      schema_version: "ATIF-v1.6",
      session_id: name,
      agent: { name: agent, version: "1" },
      steps: asked.map((message, step) => ({ step_id: step + 1, source: "user", message })),
    };
  }
  return files;
}

function draw(page: TaskPage) {
  const drawn = getAttemptChart(page, { spent: "cost", height: null });
  if (drawn === null || drawn.chart === null) throw new Error("nothing shown");
  return { ...drawn, chart: drawn.chart };
}

describeQueries("the page of a task", (engine) => {
  async function open(attempts: readonly Attempt[]) {
    const { store } = await indexFolders(engine, [makeFolder(listFiles(attempts))]);
    const datasets = await listDatasets(store);
    const page = await readTaskPage(store, datasets, "alpha", { dataset: null, version: null }, () => 1);
    if (page === null) throw new Error("no page");
    return { page, instructions: () => readTaskInstructions(store, page) };
  }

  test("shows the instruction, once if only white space differs", async () => {
    const { instructions } = await open([
      {
        agent: "orca",
        reward: 1,
        asked: ["<environment_context>\n/app\n</environment_context>", "Mend it."],
      },
      { agent: "lamp", reward: 0, asked: ["Mend\nit."] },
      { agent: "nop", reward: 0, asked: ["Never looked at."] },
      { agent: "kite", reward: 0, asked: null },
    ]);
    const { texts, nRead, nSilent } = await instructions();
    expect(texts.map(({ text, nAttempts, stepKey }) => [text, nAttempts, stepKey])).toEqual([
      ["Mend it.", 2, "2"],
    ]);
    expect([nRead, nSilent]).toEqual([3, 1]);
  });

  test("keeps texts apart that differ, that of most attempts first, one attempt an agent before others", async () => {
    const { instructions } = await open([
      { agent: "orca", reward: 1, asked: ["Old words."] },
      ...Array.from({ length: 6 }, () => ({ agent: "orca", reward: 1, asked: ["New words."] })),
      { agent: "lamp", reward: 0, asked: ["New words."] },
    ]);
    const { texts, nRead } = await instructions();
    expect(nRead).toBe(4);
    expect(texts.map(({ text, nAttempts }) => [text, nAttempts])).toEqual([
      ["New words.", 3],
      ["Old words.", 1],
    ]);
  });

  test("links to a pass and a failing verdict of one agent, else to any not passed attempt", async () => {
    const find = async (attempts: readonly Omit<Attempt, "asked">[]) => {
      const found = findPassedAndFailed((await open(attempts.map((one) => ({ ...one, asked: null })))).page);
      return found === null
        ? null
        : [found.passed, found.failed].map(({ agent, key }) => `${agent} ${key.slice(-1)}`);
    };
    const late = { agent: "lamp", reward: null, hasTimedOut: true };
    expect(
      await find([
        { agent: "oracle", reward: 1 },
        { agent: "oracle", reward: 0 },
        late,
        { agent: "lamp", reward: 1 },
        { agent: "orca", reward: 1 },
        { agent: "orca", reward: 1 },
        { agent: "orca", reward: 0 },
      ]),
    ).toEqual(["orca 4", "orca 6"]);
    expect(await find([late, { agent: "lamp", reward: 1 }])).toEqual(["lamp 1", "lamp 0"]);
    expect(
      await find([
        { agent: "orca", reward: 1 },
        { agent: "lamp", reward: 0 },
      ]),
    ).toBeNull();
  });

  test("shows attempts with both figures, filled if passed, if there are at least five", async () => {
    const costs = [1, 2, 3, 4, 0.5];
    const attempts = costs.map((costUsd, at) => ({ agent: "orca", reward: at % 2, asked: null, costUsd }));
    const silent = { agent: "orca", reward: 1, asked: null };
    const { chart, ...drawn } = draw((await open([...attempts, silent])).page);
    expect(drawn).toMatchObject({ spent: "cost", height: "reward", nUnknown: 1 });
    const end = chart.xTicks.at(-1)?.value ?? Number.NaN;
    expect(chart.xTicks[0]?.value).toBe(0);
    expect(chart.points.map(({ x, y, group }) => [x.at * end, y.at, group.variant ?? 0])).toEqual(
      costs.map((cost, at) => [cost, at % 2, at % 2 === 1 ? 0 : 1]),
    );
    const few = await open(attempts.slice(0, 4));
    expect(() => draw(few.page)).toThrow("nothing shown");
  });
});
