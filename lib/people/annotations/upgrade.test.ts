import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";

import { migrate, openDatabase } from "@/lib/store/database";
import { describeEngines, freshPostgres, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { restoreCopy } from "@/lib/store/database/stored-copy.fixture";
import type { DatabaseTarget } from "@/lib/store/database/target";

import {
  type AnnotationStore,
  changeCodebook,
  createAnnotation,
  importAnnotations,
  listDecisions,
  listQueues,
  openAnnotationStore,
  prepareExport,
  readCodebook,
  readQueue,
  readHistory,
  readImportedTags,
  readSuggestionAnswers,
  readTriageNotes,
  takeNext,
} from "./index";
import { listMigrations } from "./migrations";
import { subjectOf } from "./queues/queue.fixture";
import { computeChecksum } from "./stored-columns";

const COPY = join(import.meta.dirname, "release-006");
const ANA = { browserKeyHash: "a".repeat(64), isAdmin: false };
const BEN = { browserKeyHash: "b".repeat(64), isAdmin: false };

describeEngines("a store of the release before", (engine) => {
  it("answers like that release, and continues", async () => {
    const store = openAnnotationStore(await restoreCopy(engine, COPY, "assay"));
    onTestFinished(() => store.close());
    // That release's export, line by line; this release adds fields to a line.
    const exported = async () =>
      [...(await prepareExport(store, { history: true })).lines].map((one) => JSON.parse(one) as object);
    const before = readFileSync(`${COPY}.fixture.jsonl`, "utf8").trim().split("\n");
    expect(before).toHaveLength(5);
    expect(await exported()).toEqual(
      expect.arrayContaining(
        before.map((one) => expect.objectContaining(JSON.parse(one) as object) as unknown),
      ),
    );
    await expectSameAfterImport(store, await engine.freshTarget());
    const { codebook } = await readCodebook(store);
    expect([codebook.version, codebook.categories.at(-1)?.label]).toEqual([1, "Wrong branch"]);
    const { queues } = await listQueues(store);
    expect(queues).toMatchObject([{ settings: { name: "Verifier audit" } }]);
    const [{ queueId } = { queueId: "" }] = queues;
    expect(await readQueue(store, queueId)).toMatchObject({
      items: [0, 1, 2].map((place) => ({ subject: subjectOf(place) })),
      skips: [{ position: 2, reviewerKey: "ana" }],
    });
    expect([...(await readTriageNotes(store)).names].map(([key, { name }]) => [key, name])).toEqual([
      ["00112233aabbccdd", "Slow"],
    ]);
    const { standing } = await readSuggestionAnswers(store);
    expect(standing).toMatchObject([{ suggester: "rule:agent-timeout", answer: "accepted" }]);
    expect(await listDecisions(store, subjectOf(7))).toMatchObject([
      { finalJudgment: "fail", decidedBy: "Cleo" },
    ]);

    // Chains belong to whom they belonged, and continue.
    const history = await readHistory(store, subjectOf(7));
    const ana = history.find(({ reviewerId }) => reviewerId === "Ana");
    const draft = {
      reviewerId: "Ana",
      reviewerDiscipline: null,
      judgment: "fail",
      categories: [],
      notes: "later",
    };
    const next = { subject: subjectOf(7), draft, baseVersionId: ana?.headVersionId ?? null };
    await expect(createAnnotation(store, { ...next, actor: BEN })).rejects.toThrow("another browser");
    expect(await createAnnotation(store, { ...next, actor: ANA })).toMatchObject({ version: 3 });
    const work = { queueId, reviewerId: "Ben", actor: BEN, from: null };
    expect(await takeNext(store, work)).toMatchObject({ kind: "item", lease: { position: 0 } });
    // Data that the earlier release did not have.
    const tag = JSON.stringify({ trial: "t1", job: "nightly", category: "gave up", source: "my-judge" });
    const files = [{ name: "in.jsonl", bytes: [Buffer.from(tag)] }];
    const report = await importAnnotations(store, files, { isDryRun: false, actor: ANA });
    expect([report.nNewTags, report.nErrors]).toEqual([1, 0]);
    // An export also holds the queue and its three trials.
    expect(await exported()).toHaveLength(before.length + 2 + 1 + 1 + (1 + 3));
  });
});

it("of the first release has the same export after an import", async () => {
  const engine = { name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) } as const;
  const target = await restoreCopy(engine, join(import.meta.dirname, "first-release"), "");
  const store = openAnnotationStore(target);
  onTestFinished(() => store.close());
  await expectSameAfterImport(store, await engine.freshTarget());
});

async function openEarlier(target: DatabaseTarget) {
  const open = await openDatabase<Readonly<Record<string, never>>>(target);
  const migrations = Object.entries(listMigrations(target.engine)).filter(([name]) => name < "009");
  await migrate(open, Object.fromEntries(migrations));
  return open;
}

it("waits for an earlier release that is writing to PostgreSQL", async () => {
  const target = await freshPostgres();
  await (await openEarlier(target)).close();
  const writer = new Client({ connectionString: target.url });
  await writer.connect();
  onTestFinished(() => writer.end());
  await writer.query(`set search_path to ${writer.escapeIdentifier(target.schema)}`);
  const insert = async (table: string, row: Readonly<Record<string, string>>) => {
    const checked = { ...row, checksum: computeChecksum(table, row) };
    const marks = Object.keys(checked).map((_, nth) => `$${String(nth + 1)}`);
    const names = Object.keys(checked).join(", ");
    await writer.query(
      `insert into ${table} (${names}) values (${marks.join(", ")})`,
      Object.values(checked),
    );
  };
  await writer.query("begin; lock table annotation_version in share row exclusive mode");
  const made = { author: "Ana", created_at: "2026-03-01T10:00:00.000Z" };
  await insert("tag_import", { import_id: "i1", kind: "imported", ...made });
  const tag = {
    trial_name: "t1",
    job_name: "nightly",
    source: "my-judge",
    category: "gave up",
    evidence: "[]",
  };
  await insert("imported_tag", { import_id: "i1", ...tag });

  const store = openAnnotationStore(target);
  onTestFinished(() => store.close());
  const reading = readImportedTags(store);
  const isWaiting = `select 1 from pg_locks join pg_class on pg_class.oid = relation
    where not granted and relnamespace = $1::regnamespace`;
  while ((await writer.query(isWaiting, [writer.escapeIdentifier(target.schema)])).rowCount === 0);
  await writer.query("commit");
  const { standing, problem } = await reading;
  expect([standing.map(({ category }) => category), problem]).toEqual([["gave up"], null]);
});

describeEngines("rows of an earlier release", (engine) => {
  async function openWith(table: string, rows: readonly Readonly<Record<string, string | number>>[]) {
    const target = await engine.freshTarget();
    const before = await openEarlier(target);
    const names = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => [...Object.values(row), computeChecksum(table, row)]);
    await before.insertRows(before.db, table, [...names, "checksum"], values);
    await before.close();
    const store = openAnnotationStore(target);
    onTestFinished(() => store.close());
    return store;
  }

  it("keep the versions of the codebook, which PostgreSQL may have left out some of", async () => {
    const change = (label: string, id: string) =>
      JSON.stringify({ kind: "add", categories: [{ id, label, contexts: ["fail"] }] });
    const row = { created_at: "2026-03-01T10:00:00.000Z", author: "Ada" };
    const store = await openWith("codebook_change", [
      { version: 1, ...row, change: change("One", "one") },
      { version: 4, ...row, change: change("Four", "four") },
    ]);
    const { codebook, byId } = await readCodebook(store);
    expect([codebook.version, byId.get("one")?.since, byId.get("four")?.since]).toEqual([4, 1, 4]);
    const input = { change: { kind: "retire", id: "one" }, author: "Ada", baseVersion: 4 };
    expect((await changeCodebook(store, input)).codebook.version).toBe(5);
  });

  it("that cannot be read are exported with all that is stored", async () => {
    const store = await openWith("annotation_version", [
      {
        ...{ version_id: "odd", kind: "saved", trial_name: "t", job_name: "nightly", root_label: "runs" },
        ...{
          task_name: "task",
          agent: "orca",
          outcome_seen: "failed",
          reviewer_key: "ana",
          reviewer_id: "Ana",
        },
        ...{ created_at: "yesterday", judgment: "fail", categories: "[1]", notes: "n", schema_version: 2 },
        ...{ evidence: "none", hidden: "what", fingerprint: "f" },
      },
    ]);
    const [line = "", ...others] = (await prepareExport(store)).lines;
    expect(others).toEqual([]);
    const { columns } = JSON.parse(line) as { readonly columns: { readonly body: string } };
    expect(columns).toMatchObject({
      id: "odd",
      kind: "judgment",
      author: "Ana",
      at: "yesterday",
      subject: "t",
    });
    expect(JSON.parse(columns.body)).toMatchObject({
      trial: { trialName: "t", jobName: "nightly", rootLabel: "runs", taskName: "task", agent: "orca" },
      ...{
        judgment: "fail",
        categories: [1],
        notes: "n",
        schemaVersion: 2,
        evidence: "none",
        hidden: "what",
      },
      fingerprint: "f",
    });
  });
});

async function expectSameAfterImport(store: AnnotationStore, empty: DatabaseTarget): Promise<void> {
  const other = openAnnotationStore(empty);
  onTestFinished(() => other.close());
  const exportAll = async (of: AnnotationStore) =>
    [...(await prepareExport(of, { history: true })).lines].join("");
  /** A codebook has its own versions, and an import takes no NUL. */
  const normalize = (text: string) =>
    text
      .replaceAll(/"codebook_version":\d+/g, '"codebook_version":0')
      .replaceAll(String.raw`\u0000`, "\uFFFD");
  const exported = await exportAll(store);
  const files = [{ name: "in.jsonl", bytes: [Buffer.from(exported)] }];
  const admin = { browserKeyHash: null, isAdmin: true };
  const report = await importAnnotations(other, files, { isDryRun: false, actor: admin });
  expect(report).toMatchObject({ state: "done", nConflicts: 0 });
  expect(normalize(await exportAll(other))).toBe(normalize(exported));
  const again = await importAnnotations(store, files, { isDryRun: false, actor: admin });
  expect(again.nNew).toBe(0);
  expect(await exportAll(store)).toBe(exported);
}
