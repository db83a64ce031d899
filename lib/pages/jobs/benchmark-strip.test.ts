import { expect, it } from "vitest";

import { freshSqlite } from "@/lib/store/database/postgres.fixture";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { listDatasets } from "../datasets/list";
import { readBenchmarkStrip } from "./benchmark-strip";

const SQLITE = { name: "sqlite" as const, freshTarget: () => Promise.resolve(freshSqlite()) };
const NOW = Date.parse("2026-06-01T00:00:00Z");

/** A job of one trial per reward, each of another task. */
function runOf(
  name: string,
  {
    source,
    day,
    agent = "orca",
    model = "m1",
  }: { source: string; day: string; agent?: string; model?: string },
  rewards: readonly number[],
) {
  const trials = rewards.map(
    (reward, at) => [`task-${at}__${name.slice(0, 7).padEnd(7, "x")}`, reward] as const,
  );
  const time = `${day}T11:00:00Z`;
  const info = { name: agent, version: "1", model_info: { name: model, provider: "lab" } };
  return {
    ...jobFiles(name, Object.fromEntries(trials), { id: name, finished_at: time, stats: { evals: {} } }),
    ...Object.fromEntries(
      trials.map(([trial, reward]) => [
        `${name}/${trial}/result.json`,
        trialResult(trial, reward, { source, agent_info: info }),
      ]),
    ),
  };
}

function renameTrial(file: unknown): unknown {
  return JSON.parse(JSON.stringify(file).replaceAll("kiwixxx", "kiwiyyy"));
}

it("draws the benchmarks of the last year, and the newest job against the best before it", async () => {
  const folder = makeFolder({
    ...runOf("old", { source: "ancient", day: "2024-01-01" }, [1, 0]),
    ...runOf("first", { source: "apples", day: "2026-05-01" }, [1, 1, 0, 0]),
    ...runOf("second", { source: "apples", day: "2026-05-02" }, [1, 0, 0, 0]),
    ...runOf("oracle", { source: "apples", day: "2026-05-03", agent: "oracle" }, [1, 1, 1, 1]),
    ...runOf("single", { source: "apples", day: "2026-05-04" }, [1]),
    ...runOf("third", { source: "apples", day: "2026-05-05", model: "m2" }, [1, 1, 1, 0]),
    ...runOf("alone", { source: "pears", day: "2026-05-06" }, [0, 0]),
    ...runOf("plumsa", { source: "plums", day: "2026-04-01" }, [1, 0, 1, 0]),
    ...runOf("plumsb", { source: "plums", day: "2026-04-02" }, [1, 0, 0, 0]),
  });
  // Two agents of one job are one run, the better of them.
  const lamp = runOf("kiwi", { source: "kiwis", day: "2026-03-01", agent: "lamp" }, [0, 1]);
  writeFiles(folder, runOf("kiwi", { source: "kiwis", day: "2026-03-01" }, [1, 1, 1]));
  writeFiles(
    folder,
    Object.fromEntries(
      Object.entries(lamp)
        .filter(([path]) => path.includes("__"))
        .map(([path, file]) => [path.replace("kiwixxx", "kiwiyyy"), renameTrial(file)]),
    ),
  );
  const { store } = await indexFolders(SQLITE, [folder]);
  const panels = await readBenchmarkStrip(store, await listDatasets(store), NOW);
  expect(panels.map(({ label, points }) => [label, points.length])).toEqual([
    ["pears", 1],
    ["apples", 3],
    ["plums", 2],
    ["kiwis", 1],
  ]);
  const [pears, apples, plums, kiwis] = panels;
  expect(kiwis).toMatchObject({ change: { words: "first job" }, newest: { text: "1.000" } });
  expect(pears).toMatchObject({ change: { size: null, words: "first job" }, newest: { text: "0.000" } });
  expect(apples?.change).toEqual({ size: "+25.0", words: "vs best, other model" });
  expect(apples).toMatchObject({ newest: { text: "0.750" }, best: { at: 2, text: "0.750" } });
  expect(plums?.change).toEqual({ size: "−25.0", words: "vs best, could be chance" });
  expect(plums?.best).toMatchObject({ at: 0, text: "0.500" });
});
