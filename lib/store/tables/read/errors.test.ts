import { expect, test } from "vitest";

import { freshPostgres, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { jobFiles, jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import {
  countCommonTasks,
  countGroupFigures,
  countUnreadJobs,
  type IndexStore,
  readExceptionMessages,
  readExceptionTallies,
  readExceptionTrials,
  readFinishedPlaces,
  readGroups,
  readGroupTotals,
  readHead,
  readListedJobs,
  readRewardTallies,
  readTrialPlaces,
} from "../index";

const failed = (type: string, message: string) => ({
  exception_info: {
    exception_type: type,
    exception_message: message,
    exception_traceback: "",
    occurred_at: "2026-05-01T10:00:00",
  },
});

const FILES = {
  ...jobFiles("plain", { alpha__aaaaaaa: 1, beta__bbbbbbb: 0 }),
  "broken/result.json": jobResult({ alpha__ccccccc: 1 }, { id: "broken" }),
  "broken/alpha__ccccccc/result.json": trialResult(
    "alpha__ccccccc",
    1,
    failed("AgentTimeoutError", "Too LATE É%_"),
  ),
  "broken/beta__ddddddd/result.json": trialResult(
    "beta__ddddddd",
    0,
    failed("AgentTimeoutError", " Too LATE É%_ "),
  ),
  "broken/beta__eeeeeee/result.json": {
    ...trialResult("beta__eeeeeee", 0, failed("CancelledError", "")),
    verifier_result: null,
  },
};

const ANY = { type: null, jobRowIds: null, groupKeys: null, text: "" };

/** Queries of the pages, with job keys instead of ids. */
async function readEverything(store: IndexStore) {
  const plain = await readHead(store, "plain");
  const broken = await readHead(store, "broken");
  if (plain === null || broken === null) throw new Error("a job is missing");
  const names = new Map([plain, broken].map(({ rowId, key }) => [rowId, key]));
  const ids = { first: Math.min(plain.rowId, broken.rowId), last: Math.max(plain.rowId, broken.rowId) };
  const place = ({ rowId: id, groups }: typeof plain) => ({ jobRowId: id, key: groups[0]?.group.key ?? "" });
  const rename = <T extends { readonly jobRowId: number }>(rows: readonly T[]) =>
    rows
      .map((row) => ({ ...row, jobRowId: names.get(row.jobRowId) }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const { rows, nMatching } = await readGroups(
    store,
    { words: ["BROKEN", "ALPH"], except: [] },
    { from: 0, limit: 5 },
  );
  return {
    jobs: (await readListedJobs(store)).map(({ key, isRead }) => [key, isRead]),
    totals: rename(await readGroupTotals(store)),
    tallies: rename(await readExceptionTallies(store)),
    late: rename(await readExceptionTallies(store, "ERROR too late É%_")),
    other: await readExceptionTallies(store, "late %"),
    messages: await readExceptionMessages(store, ANY),
    trials: rename(await readExceptionTrials(store, { ...ANY, jobRowIds: [broken.rowId] }, 2)),
    rewards: rename(await readRewardTallies(store, ids)),
    groups: { rows: rename(rows), nMatching },
    common: await countCommonTasks(store, [place(plain), place(broken)], [place(plain), place(broken)]),
    figures: await countGroupFigures(store, place(plain)),
    nUnread: await countUnreadJobs(store),
    places: (await readTrialPlaces(store, ["alpha__ccccccc", "no such"])).map(({ jobKey, key, outcome }) => [
      jobKey,
      key,
      outcome,
    ]),
    finished: (await readFinishedPlaces(store, broken.rowId, { first: 1, end: null }, 9)).map(
      ({ key }) => key,
    ),
  };
}

test("exceptions, rewards, groups and places are the same on both engines", async () => {
  const folder = makeFolder(FILES);
  const answers: Awaited<ReturnType<typeof readEverything>>[] = [];
  const engines = [
    { name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) },
    { name: "postgres", freshTarget: freshPostgres },
  ] as const;
  for (const engine of engines) {
    const { store } = await indexFolders(engine, [folder]);
    answers.push(await readEverything(store));
  }
  const [first] = answers;
  expect(first?.tallies.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(first?.tallies.map(({ type, beside, hasPassed }) => [type, beside, hasPassed]).toSorted()).toEqual([
    ["AgentTimeoutError", "one", true],
    ["AgentTimeoutError", "zero", false],
    ["CancelledError", "none", false],
  ]);
  expect(first?.late.map(({ beside }) => beside)).toEqual(["one"]);
  expect(first?.other).toEqual([]);
  expect(first?.messages).toEqual({ message: "Too LATE É%_", nMessages: 1 });
  expect(first?.groups.rows.map(({ jobRowId }) => jobRowId)).toEqual(["broken"]);
  expect(first?.common).toEqual([2, 2]);
  expect(first?.finished).toEqual(["beta__ddddddd", "beta__eeeeeee"]);
  expect(first?.nUnread).toBe(0);
  expect(answers[1]).toEqual(first);
});
