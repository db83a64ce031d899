import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, it } from "vitest";

import { TEXT_LIMITS } from "@/lib/core/domain/search-text";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { type IndexStore, readHead, readSearchState, readTexts, readTrials } from "@/lib/store/tables";
import { EVERY_TRIAL } from "@/lib/store/tables/read/selection.fixture";
import {
  type FolderFiles,
  jobFiles,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const C = "gamma__ccccccc";

const step = (id: number, message: string, over: object = {}) => ({
  step_id: id,
  source: "agent",
  message,
  ...over,
});

function trajectory(...steps: readonly object[]): object {
  return { schema_version: "ATIF-v1.6", session_id: "s", agent: { name: "orca", version: "1" }, steps };
}

const CALL = {
  tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command: "make wheel_house" } }],
  observation: {
    results: [
      { source_call_id: "c", content: "make: *** No rule. Exit code 2 at 0x1F 1e-5 v2.10.3\nΕΡΓΟ 漢字" },
    ],
  },
};

/** Three trials: two that say something, and one with tests and an exception. */
function makeFiles(): FolderFiles {
  return {
    ...jobFiles("run", { [A]: 1, [B]: 0 }),
    [`run/${A}/agent/trajectory.json`]: trajectory(
      step(1, "Now all tests pass, I think."),
      step(2, "", CALL),
    ),
    [`run/${B}/agent/trajectory.json`]: trajectory(step(1, "The tests do not pass at all.")),
    [`run/${C}/result.json`]: trialResult(C, 0, {
      exception_info: {
        exception_type: "OddError",
        exception_message: "the wheel came off",
        exception_traceback: "",
        occurred_at: "2026-05-01T17:05:00",
      },
    }),
    [`run/${C}/verifier/ctrf.json`]: {
      results: { summary: {}, tests: [{ name: "test_flux_capacitor", status: "failed" }] },
    },
  };
}

async function search(store: IndexStore, text: string): Promise<readonly string[]> {
  const order = { by: "task", descending: false } as const;
  const page = await readTrials(store, null, { ...EVERY_TRIAL, text }, order, { from: 0, limit: 100 });
  return page.rows.map(({ trial }) => trial.trialName);
}

async function countTexts({ db, engine }: IndexStore): Promise<readonly number[]> {
  const column = engine === "sqlite" ? sql`rowid` : sql`distinct "textId"`;
  const { rows } = await sql<{ n: number }>`select count(${column}) as n from "trialSearch"`.execute(db);
  return [(await db.selectFrom("trialTexts").select("id").execute()).length, rows[0]?.n ?? -1];
}

/** None of these is syntax; each asks for words that no trial has, or for none. */
const HOSTILE = [
  '"',
  '"""',
  "*",
  'AND OR NOT "',
  "NEAR(tests pass)",
  "names : tests",
  "{names body}: tests",
  "tests' ; drop table trials; --",
  "zebra | tests & !pass:* <-> (",
  "\\",
  "\0 \ud800",
  `"${"x ".repeat(90)}`,
  "%_%",
];

describeEngines("the search over what trials say", (engine) => {
  it("finds all words, phrases and beginnings in messages, calls, outputs, tests and exceptions, names first", async () => {
    const { store } = await indexFolders(engine, [makeFolder(makeFiles())]);
    expect(await search(store, "tests pass")).toEqual([A, B]);
    expect(await search(store, '"tests pass"')).toEqual([A]);
    expect(await search(store, "TESTS think")).toEqual([A]);
    expect(await search(store, "wheel_house")).toEqual([A]);
    expect(await search(store, '"exit CODE 2"')).toEqual([A]);
    expect(await search(store, "wheel*")).toEqual([C, A]);
    expect(await search(store, "whee")).toEqual([]);
    for (const text of ["0x1f", '"1e 5"', "v2.10.3", "v2.1*", "εργο"])
      expect([text, await search(store, text)]).toEqual([text, [A]]);
    expect(await search(store, "字")).toEqual([A]);
    expect(await search(store, "flux_capacitor")).toEqual([C]);
    expect(await search(store, "OddError came")).toEqual([C]);
    // Part of a name, as before anything else was read.
    expect(await search(store, "lph")).toEqual([A]);
    expect(await search(store, "beta__")).toEqual([B]);
    for (const text of HOSTILE) expect([text, await search(store, text)]).toEqual([text, []]);
    const { rows } = await readTrials(
      store,
      null,
      EVERY_TRIAL,
      { by: "steps", descending: true },
      { from: 0, limit: 9 },
    );
    expect(rows.map(({ nSteps, nErrors }) => [nSteps, nErrors])).toEqual([
      [2, 1],
      [1, 0],
      [null, null],
    ]);
  });

  it("finds a phrase anywhere in a long text, and the last page of a shorter list", async () => {
    // Every place of 8,000 words, so that one of them is where an engine would part its rows.
    const words = Array.from({ length: 8_000 }, (_, at) => `w${at}`);
    const steps = Array.from({ length: 16 }, (_, at) =>
      step(at + 1, words.slice(at * 500, at * 500 + 500).join(" ")),
    );
    const { store } = await indexFolders(engine, [
      makeFolder({ ...makeFiles(), [`run/${A}/agent/trajectory.json`]: trajectory(...steps) }),
    ]);
    // As long as a phrase may be that two rows share, two words of it with the next.
    for (let at = 0; at < words.length - 2; at += IS_LONG_RUN ? 19 : 57) {
      const close = words.slice(at, at + 21);
      expect([at, await search(store, `"${close.join(" ")}"`)]).toEqual([at, [A]]);
    }
    expect(await search(store, '"w2499 w2500" "w7998 w799"*')).toEqual([A]);
    expect(await search(store, '"w2500 w2499"')).toEqual([]);
    expect(await search(store, '"w1 w2 w4"')).toEqual([]);
    const page = await readTrials(
      store,
      null,
      { ...EVERY_TRIAL, text: "w1" },
      { by: "reward", descending: true },
      { from: 100, limit: 50 },
    );
    expect([page.nBefore, page.nMatching, page.rows.length]).toEqual([0, 1, 1]);
  });

  it("follows the folders: what changed is read again, what did not is not, and a job takes its texts along", async () => {
    const folder = makeFolder(makeFiles());
    const index = await indexFolders(engine, [folder]);
    const { store } = index;
    const readIds = async () =>
      new Map(
        (await store.db.selectFrom("trialTexts").select(["key", "id"]).execute()).map(({ key, id }) => [
          key,
          id,
        ]),
      );
    const before = await readIds();
    // In front of the others in the folder, so that these move, and another answer of one of them.
    writeFiles(folder, {
      "run/aaa__ddddddd/result.json": trialResult("aaa__ddddddd", 1),
      [`run/${B}/agent/trajectory.json`]: trajectory(step(1, "A zebra.")),
      // Nothing else of this trial changes.
      [`run/${C}/artifacts/trajectory.json`]: trajectory(step(1, "A late giraffe.")),
    });
    utimesSync(join(folder, `run/${B}/result.json`), new Date(), new Date(Date.now() + 5000));
    await index.refresh();
    await index.settle();
    const after = await readIds();
    expect(after.get(A)).toBe(before.get(A));
    expect(after.get(B)).not.toBe(before.get(B));
    expect(await search(store, "tests pass")).toEqual([A]);
    expect(await search(store, "zebra")).toEqual([B]);
    expect(await search(store, "late giraffe")).toEqual([C]);
    expect(await readSearchState(store, null)).toEqual({ nTrials: 4, nSearchable: 4, nCut: 0 });

    rmSync(join(folder, `run/${B}`), { recursive: true });
    await index.refresh();
    await index.settle();
    expect(await search(store, "zebra")).toEqual([]);
    expect(await countTexts(store)).toEqual([3, engine.name === "sqlite" ? 3 : expect.any(Number)]);
    rmSync(join(folder, "run"), { recursive: true });
    await index.refresh();
    expect(await countTexts(store)).toEqual([0, 0]);
  });
});

it("keeps the beginning of what is very long, and says that it does", async () => {
  const { textChars, trialChars } = TEXT_LIMITS;
  const long = Array.from({ length: trialChars / textChars }, (_, at) =>
    step(at + 2, "word ".repeat(textChars / 5)),
  );
  const files = makeFiles();
  const folder = makeFolder({
    ...files,
    [`run/${A}/agent/trajectory.json`]: trajectory(
      step(1, `${"x ".repeat(25_000)}deep ${"x".repeat(textChars)} hidden`),
      ...long,
      step(99, "late"),
    ),
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  await index.settle();
  const { store } = index;
  const head = await readHead(store, "run");
  expect(await readSearchState(store, head?.rowId ?? 0)).toMatchObject({ nCut: 1 });
  expect(await search(store, '"x deep"')).toEqual([A]);
  expect([await search(store, "hidden"), await search(store, "late"), await search(store, "word")]).toEqual([
    [],
    [],
    [A],
  ]);
  const texts = await readTexts(store, [{ jobRowId: head?.rowId ?? 0, position: 0 }]);
  const nChars = [...texts.values()].flat().reduce((sum, { text }) => sum + text.length, 0);
  expect(nChars).toBe(trialChars);
});
