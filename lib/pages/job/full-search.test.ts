import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { parseTrialsParams, type TrialsParams } from "@/lib/pages/trials/address";
import { readHead } from "@/lib/store/tables";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { searchInFull } from "./full-search";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

const trajectory = (...messages: readonly string[]) => ({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1" },
  steps: messages.map((message, at) => ({ step_id: at + 1, source: "agent", message })),
});

async function openJob() {
  const folder = makeFolder({
    ...jobFiles("run", { [A]: 1, [B]: 0 }),
    [`run/${A}/agent/trajectory.json`]: trajectory(
      "first",
      `${"x ".repeat(TEXT_LIMITS.textChars)}the hidden phrase`,
    ),
    [`run/${B}/agent/trajectory.json`]: trajectory("the hidden phrase"),
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  await index.settle();
  const { store } = index;
  const job = await readHead(store, "run");
  const search = async (text: string, over: Partial<TrialsParams> = {}) => {
    const params = { ...parseTrialsParams({}), isInFull: true, text, ...over };
    const full = await searchInFull(store, job, params);
    return (
      full && { ...full, found: full.found.map(({ row, excerpt }) => [row.trial.trialName, excerpt.key]) }
    );
  };
  return { folder, search };
}

it("finds text beyond the part of a trial that the index covers", async () => {
  const { search } = await openJob();
  expect(await search('"hidden phrase"')).toEqual({ found: [[A, "2"]], nSearched: 1, nLeft: 0 });
  expect(await search("hidden first")).toMatchObject({ found: [[A, "1"]] });
  expect(await search("hidden absent")).toMatchObject({ found: [], nSearched: 1 });
});

it("searches names of tests and exceptions of trials without a trajectory", async () => {
  const tests = Array.from({ length: 3 }, (_, at) => ({
    name: `${"t".repeat(TEXT_LIMITS.namesChars)} case-${String(at)}`,
    status: "failed",
  }));
  const folder = makeFolder({
    ...jobFiles("run", { [A]: 0, [B]: 0 }),
    [`run/${A}/verifier/ctrf.json`]: { results: { tests, summary: { tests: 3, failed: 3 } } },
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  await index.settle();
  const params = { ...parseTrialsParams({}), isInFull: true, text: "case-2" };
  const full = await searchInFull(index.store, await readHead(index.store, "run"), params);
  expect(full).toMatchObject({ nSearched: 1, nLeft: 0 });
  expect(full?.found.map(({ excerpt }) => excerpt.kind)).toEqual(["test"]);
});

it("searches only trials that the other filters fit", async () => {
  const { search } = await openJob();
  expect(await search("hidden", { outcomes: ["passed"] })).toMatchObject({ found: [[A, "2"]] });
  expect(await search("hidden", { outcomes: ["failed"] })).toEqual({ found: [], nSearched: 0, nLeft: 0 });
});

it("reads no file unless it is asked to", async () => {
  const { search } = await openJob();
  expect(await search("hidden", { isInFull: false })).toBeNull();
  expect(await search(" ")).toBeNull();
});

it("counts a trial whose folder is gone as not searched", async () => {
  const { folder, search } = await openJob();
  rmSync(join(folder, "run", A), { recursive: true });
  expect(await search("hidden")).toEqual({ found: [], nSearched: 0, nLeft: 1 });
});
