import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";

import { resolveFolder } from "@/lib/read/loader/detail";
import { describeEngines, type EngineUnderTest } from "@/lib/store/database/postgres.fixture";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders } from "@/lib/testing/index.fixture";

import {
  type IndexStore,
  readAgentModels,
  readCatalogFacets,
  readIssues,
  readJobs,
  readRoots,
  readSearch,
  readTotals,
  readTrialFacets,
  readTrials,
} from "./index";
import { openLimitedStore, type SeenRoot } from "./limited-store";
import { findHiddenNames } from "./read/places";
import { EVERY_TRIAL } from "./read/selection.fixture";
import { type IndexTables, TABLES } from "./schema/tables";

const SECRET = "zebra";
/** Tables that the sample folders leave empty are told by no row. */
const EMPTY: ReadonlySet<string> = new Set(["leases", "refusedScanners"]);

/** A job whose tasks, agent and texts say `mark`, with everything in it that a table of the index is of. */
function makeFiles(mark: string, uuid: string) {
  const [one, two] = [`${mark}-task__aaaaaaa`, `${mark}-other__bbbbbbb`];
  const config = {
    task: { path: `tasks/${mark}` },
    agent: { name: `${mark}-agent`, model_name: `lab/${mark}` },
    job_id: uuid,
  };
  return {
    ...jobFiles(`${mark}-job`, { [one]: 1, [two]: 0 }),
    [`${mark}-job/${one}/result.json`]: trialResult(one, 1, { id: `${uuid}-1`, config }),
    [`${mark}-job/${two}/result.json`]: trialResult(two, 0, {
      id: `${uuid}-2`,
      config,
      exception_info: {
        exception_type: `${mark}Error`,
        exception_message: `${mark} came off`,
        exception_traceback: "",
        occurred_at: "2026-05-01T17:05:00",
      },
    }),
    [`${mark}-job/${one}/agent/trajectory.json`]: {
      schema_version: "ATIF-v1.6",
      session_id: "s",
      agent: { name: "orca", version: "1" },
      steps: [{ step_id: 1, source: "agent", message: `I saw a ${mark}.` }],
    },
    [`${mark}-job/${two}/verifier/reward-details.json`]: {
      correctness: { score: 0.5, criteria: [{ name: mark, value: 0.5, weight: 1 }] },
    },
  };
}

async function openLimited(engine: EngineUnderTest, roots: readonly string[], seen: readonly SeenRoot[]) {
  const index = await indexFolders(engine, roots);
  const limited = await openLimitedStore(index.store, { seen, isWithoutCopies: false });
  onTestFinished(() => limited.close());
  return { all: index.store, limited };
}

/** Queries of pages over everything, without row numbers. */
async function readAnswers(store: IndexStore): Promise<unknown> {
  const page = { from: 0, limit: 30 };
  const order = { by: "cost", descending: false } as const;
  const { rows, ...jobs } = await readJobs(
    store,
    { text: "horse", isReports: false, facets: {} },
    { by: "finished", descending: true },
    page,
  );
  const trials = await readTrials(store, null, EVERY_TRIAL, order, page);
  return [
    { ...jobs, n: rows.length },
    { ...trials, rows: trials.rows.map((row) => ({ ...row, jobRowId: 0 })) },
    await readSearch(store, "horse", 8),
    await readSearch(store, "e", 8),
    ...[await readTotals(store), await readRoots(store), await readAgentModels(store)],
    ...[await readCatalogFacets(store), await readTrialFacets(store)],
    await readIssues(store, { limit: 1000 }),
  ];
}

async function readTables({ db }: IndexStore): Promise<ReadonlyMap<string, readonly object[]>> {
  const names = Object.keys(TABLES) as (keyof IndexTables)[]; // Its very keys.
  const read = names.map(async (name) => [name, await db.selectFrom(name).selectAll().execute()] as const);
  return new Map(await Promise.all(read));
}

/** Tables of jobs whose rows belong to no single trial, so that a trial that does not count takes none of them away. */
const OF_WHOLE_JOBS = [
  ...["copies", "dimensions", "facets", "families", "figures", "groupSettings", "groups", "issues"],
  ...["jobPlans", "jobTexts", "reports", "tags", "taskLabels", "tasks"],
];

it("a table with the jobs' rows marks the position of a trial, or is known to have none", () => {
  const unmarked = Object.entries(TABLES).flatMap(([name, { columns }]) =>
    "jobRowId" in columns && columns["position"]?.isOfTrial !== true ? name : [],
  );
  expect(unmarked.toSorted()).toEqual(OF_WHOLE_JOBS);
});

describeEngines("an index with some folders visible", (engine) => {
  it("holds what an index of these folders alone holds, in every table", async () => {
    const seen = makeFolder(makeFiles("horse", "11111111-1111-4111-8111-111111111111"));
    const hidden = makeFolder(makeFiles(SECRET, "22222222-2222-4222-8222-222222222222"), "other");
    const { all, limited } = await openLimited(engine, [seen, hidden], [{ position: 0, except: [] }]);

    expect(await dumpIndex(limited)).toEqual(await dumpFresh([seen]));
    const alone = await indexFolders(engine, [seen]);
    expect(await readAnswers(limited)).toEqual(await readAnswers(alone.store));
    const rows = await readTables(limited);
    const whole = await readTables(all);
    expect(JSON.stringify([...whole])).toContain(SECRET);
    expect(JSON.stringify([...rows])).not.toContain(SECRET);
    // Every table that has a row of the hidden folder has fewer here.
    for (const [name, before] of whole)
      if (!EMPTY.has(name) && JSON.stringify(before).includes(SECRET))
        expect(rows.get(name)?.length, name).toBeLessThan(before.length);

    const names = [
      "other",
      `${SECRET}-job`,
      `${SECRET}-agent`,
      "jobs",
      "horse-job",
      "horse-agent",
      "no such name",
    ];
    expect(await findHiddenNames(all, limited, names)).toEqual(new Set(names.slice(0, 2)));
  });

  it("leaves out what spans jobs, folders opened inside of others, and problems of hidden folders", async () => {
    const uuid = "11111111-1111-4111-8111-111111111111";
    const outer = makeFolder(makeFiles("horse", uuid), "zoo");
    // The same job again, below a folder that is also open.
    writeFiles(join(outer, `in/${SECRET}`), makeFiles("horse", uuid));
    mkdirSync(join(outer, `in/${SECRET}-beside`));
    writeFiles(join(outer, `in/${SECRET}-beside`), makeFiles("mule", uuid));
    const inner = join(outer, `in/${SECRET}`);
    const { all, limited } = await openLimited(
      engine,
      [inner, outer],
      [{ position: 1, except: [`in/${SECRET}`] }],
    );

    const issues = await all.db.selectFrom("issues").selectAll().execute();
    expect(issues.filter(({ origin }) => origin === "shared")).not.toEqual([]);
    const left = await limited.db.selectFrom("issues").selectAll().execute();
    expect(left.filter(({ origin }) => origin === "shared")).toEqual([]);
    const folders = await limited.db.selectFrom("sources").select("folder").orderBy("folder").execute();
    expect(folders.map(({ folder }) => folder)).toEqual(["horse-job", `in/${SECRET}-beside/mule-job`]);
    const jobs = await limited.db.selectFrom("jobs").select("name").execute();
    expect(jobs.map(({ name }) => name).sort()).toEqual(["horse-job", "mule-job"]);
  });

  it("has no trial of a folder opened inside of another through a link in the other", async () => {
    const outer = makeFolder(makeFiles("horse", "11111111-1111-4111-8111-111111111111"), "zoo");
    const inner = join(outer, "inner");
    writeFiles(inner, makeFiles(SECRET, "22222222-2222-4222-8222-222222222222"));
    const target = `${SECRET}-job/${SECRET}-task__aaaaaaa`;
    symlinkSync(`../inner/${target}`, join(outer, "horse-job/zz-linked__abcdefg"));
    const own = join(outer, "horse-job/horse-other__bbbbbbb/result.json");
    rmSync(own);
    symlinkSync(join(inner, target, "result.json"), own);
    // A link that stays in the inner folder is followed wherever it is seen from.
    writeFiles(inner, jobFiles("more", { own__7654321: 1 }));
    symlinkSync(`../${target}`, join(inner, "more/kept__1234567"));
    const { all, limited } = await openLimited(engine, [outer, inner], [{ position: 0, except: ["inner"] }]);

    const rows = JSON.stringify([...(await readTables(limited))]);
    expect(rows).toContain("horse-task");
    expect(rows).not.toContain(SECRET);
    const refused = await limited.db.selectFrom("issues").selectAll().execute();
    expect(refused.flatMap(({ code, path }) => (code === "link_outside_root" ? path : [])).sort()).toEqual([
      "zoo/horse-job/horse-other__bbbbbbb/result.json",
      "zoo/horse-job/zz-linked__abcdefg",
    ]);
    expect(resolveFolder(outer, "horse-job/zz-linked__abcdefg")).toBeNull();
    const kept = await all.db.selectFrom("trials").select("trialName").execute();
    expect(kept.filter(({ trialName }) => trialName === `${SECRET}-task__aaaaaaa`)).toHaveLength(4);
  });

  it("is empty where nothing is seen, and is never written", async () => {
    const folder = makeFolder(makeFiles("horse", "11111111-1111-4111-8111-111111111111"));
    const { limited } = await openLimited(engine, [folder], []);
    const rows = await readTables(limited);
    expect(JSON.stringify([...rows])).not.toContain("horse");
    await expect(limited.db.deleteFrom("meta").execute()).rejects.toThrow();
    await expect(
      limited.db.insertInto("roots").values({ position: 9, label: "", path: "" }).execute(),
    ).rejects.toThrow();
  });

  it("keeps the label of a task at the position of a trial that does not count", async () => {
    const { store } = await indexFolders(engine, [
      makeFolder(jobFiles("run", { one__aaaaaaa: 1, two__bbbbbbb: 0 })),
    ]);
    const { id: jobRowId } = await store.db.selectFrom("jobs").select("id").executeTakeFirstOrThrow();
    await store.db
      .insertInto("copies")
      .values([0, 1].map((position) => ({ jobRowId, position, family: 1, rank: position })))
      .execute();
    await store.db
      .insertInto("taskLabels")
      .values({ jobRowId, position: 1, taskName: "two", label: "two (first)" })
      .execute();
    const limited = await openLimitedStore(store, { seen: null, isWithoutCopies: true });
    onTestFinished(() => limited.close());
    expect(await limited.db.selectFrom("trials").select("trialName").execute()).toHaveLength(1);
    expect(await limited.db.selectFrom("taskLabels").select("label").execute()).toHaveLength(1);
  });

  it("leaves most of a server's connections to others, however many ask at once", async () => {
    const folder = makeFolder(makeFiles("horse", "11111111-1111-4111-8111-111111111111"));
    const { limited } = await openLimited(engine, [folder], [{ position: 0, except: [] }]);
    const ask = async () =>
      (await sql<{ id: number }>`select pg_backend_pid() as id`.execute(limited.db)).rows;
    const asked = limited.engine === "sqlite" ? [] : await Promise.all(Array.from({ length: 30 }, ask));
    expect(new Set(asked.flat().map(({ id }) => id)).size).toBeLessThanOrEqual(3);
  });
});
