import { copyFileSync, readFileSync, writeFileSync } from "node:fs";

import Database from "better-sqlite3";
import { Client } from "pg";

import { AppError } from "@/lib/core/domain/app-error";
import { createRandomSource } from "@/lib/core/stats/random";
import type { DatabaseTarget, SqliteTarget } from "@/lib/store/database/target";

import {
  type AnnotationStore,
  answerSuggestion,
  changeCodebook,
  createAnnotation,
  createQueue,
  decide,
  dismissFinding,
  importAnnotations,
  moveItem,
  nameCluster,
  openAnnotationStore,
  prepareExport,
  readAnnotationsState,
  withdrawAnnotation,
} from "./index";
import { SETTINGS, subjectOf } from "./queues/queue.fixture";
import { addStatements } from "./statements/statement";

const ACTOR = { browserKeyHash: "a".repeat(64), isAdmin: false };
const judge = (store: AnnotationStore, place: number, reviewerId: string, judgment: string) =>
  createAnnotation(store, {
    subject: subjectOf(place),
    draft: {
      reviewerId,
      reviewerDiscipline: null,
      judgment,
      categories: ["Gave up early"],
      // A few are longer than a page.
      notes: `Note ${String(place)} of ${reviewerId}. `.repeat(place % 7 === 0 ? 400 : 10),
    },
    baseVersionId: null,
    actor: ACTOR,
  });

/** Stores statements about trials in each table. */
export async function fillStore(store: AnnotationStore, nTrials: number): Promise<void> {
  for (let place = 0; place < nTrials; place += 1) {
    const ana = await judge(store, place, "Ana", "fail");
    const ben = await judge(store, place, "Ben", place % 3 === 0 ? "pass" : "fail");
    if (place % 3 === 0)
      await decide(store, {
        subject: subjectOf(place),
        draft: {
          finalJudgment: "fail",
          categories: [],
          reason: `Decision ${String(place)}. `.repeat(20),
          basedOn: "a",
          codebookNote: null,
          decidedBy: "Cleo",
        },
        sources: [ana, ben],
        baseDecisionId: null,
        queueId: null,
        actor: ACTOR,
      });
    else if (place % 5 === 0)
      await withdrawAnnotation(store, {
        subject: subjectOf(place),
        reviewerId: "Ben",
        versionId: ben.versionId,
        actor: ACTOR,
      });
    const cluster = { kind: "step", scope: "orca", pattern: `pattern ${String(place)} `.repeat(9) };
    const key = String(place).padStart(16, "0");
    await nameCluster(store, { key, name: `Cluster ${String(place)}`, cluster, author: "Ana", base: 0 });
    await dismissFinding(store, { key: `f${key}`, title: "Slow", reason: "Known.", author: "Ana", base: 0 });
    const answer = { suggester: "rule:agent-timeout", version: "1", answer: "accepted", author: "Ana" };
    await answerSuggestion(store, subjectOf(place), answer, ACTOR);
  }
  await changeCodebook(store, { change: { kind: "open-coding", isOn: true }, author: "Ana", baseVersion: 1 });
  const items = Array.from({ length: nTrials }, (_, place) => ({
    subject: subjectOf(place),
    nReviewers: 1 as const,
  }));
  const queueId = await createQueue(store, { settings: SETTINGS, items, author: "Ana" });
  await moveItem(store, { queueId, reviewerId: "Cleo", position: 3, kind: "skipped" });
  const tags = Array.from({ length: nTrials }, (_, place) =>
    JSON.stringify({
      trial: subjectOf(place).trialName,
      job: "nightly",
      category: "gave up",
      source: "my-judge",
    }),
  );
  const files = [{ name: "in.jsonl", bytes: [Buffer.from(tags.join("\n"))] }];
  await importAnnotations(store, files, { isDryRun: false, actor: ACTOR, author: "Ana" });
  const said = { subject: "", author: "Ana", actor: null, at: "2026-03-01T10:00:00.000Z", body: {} };
  await store.write((db) =>
    addStatements(db, [
      { ...said, kind: "view" },
      { ...said, kind: "run_set" },
    ]),
  );
}

export async function exportLines(store: AnnotationStore): Promise<readonly string[]> {
  return [...(await prepareExport(store, { history: true })).lines];
}

const PAGE = 4096;

/** Changes a byte, 64 bytes or a page at a random place. */
function corrupt(file: string, seed: number): void {
  const random = createRandomSource(seed);
  const bytes = readFileSync(file);
  const draw = (below: number) => random.nextUint32() % below;
  const length = [1, 1, 64, PAGE][seed % 4] ?? 1;
  const start = length === PAGE ? draw(Math.floor(bytes.length / PAGE)) * PAGE : draw(bytes.length - length);
  for (let at = start; at < start + length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (1 + draw(255));
  writeFileSync(file, bytes);
}

/** The result for a damaged store. */
export interface Fate {
  /** True if the export says that something is wrong. */
  readonly isNamedInExport: boolean;
  readonly isNamedOnPages: boolean;
  readonly isExportSame: boolean;
  readonly isDamageOfFile: boolean;
  readonly isWritten: boolean;
}

/** Damages a copy of a store, reads and exports it, and then saves a judgment. */
export async function damageCopy(target: SqliteTarget, seed: number, exported: string): Promise<Fate> {
  const file = `${target.file}.${String(seed)}`;
  copyFileSync(target.file, file);
  corrupt(file, seed);
  const isDamageOfFile = findDamageOfFile(file);
  const store = openAnnotationStore({ ...target, file });
  try {
    const problem = await settle(async () => (await readAnnotationsState(store)).problem);
    const content = await settle(() => prepareExport(store, { history: true }));
    const isRefused = "error" in content;
    const saved = await settle(() => judge(store, 1_000, "Ana", "pass"));
    return {
      isNamedInExport: isRefused || content.value.problem !== null,
      isNamedOnPages: "error" in problem || problem.value !== null,
      isExportSame: !isRefused && [...content.value.lines].join("") === exported,
      isDamageOfFile,
      isWritten: !("error" in saved),
    };
  } finally {
    await store.close();
  }
}

async function settle<T>(work: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: Error }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof AppError || error instanceof Database.SqliteError) return { error };
    throw error;
  }
}

/** True if SQLite's own check of the whole file finds more than wrong values of single rows. */
function findDamageOfFile(file: string): boolean {
  try {
    const database = new Database(file, { readonly: true });
    const found = database.prepare("PRAGMA integrity_check").pluck().all().map(String);
    database.close();
    return found.some((one) => one !== "ok" && !/^(?:[\w-]+ value in|CHECK constraint)/.test(one));
  } catch {
    return true;
  }
}

interface ChangedRow {
  readonly number: number;
  /** The text before. */
  readonly text: string;
}

/** Changes a text of the first row of a table, or of a kind of statements, with the triggers that refuse it off. */
export async function changeRow(
  target: DatabaseTarget,
  table: string,
  column: string,
  text: string,
  kind: string | null = null,
): Promise<ChangedRow> {
  const some = kind === null ? table : `${table} where kind = '${kind}'`;
  const where = `seq = (select min(seq) from ${some})`;
  const read = `select seq as number, ${column} as text from ${table} where ${where}`;
  const change = `update ${table} set ${column} = '${text}' where ${where}`;
  if (target.engine === "postgres") {
    const client = new Client({ connectionString: target.url });
    await client.connect();
    await client.query(`set search_path to ${client.escapeIdentifier(target.schema)}`);
    await client.query("set session_replication_role to replica");
    const { rows } = await client.query<{ readonly number: string; readonly text: string }>(read);
    await client.query(change);
    await client.end();
    return rows.map((row) => ({ ...row, number: Number(row.number) }))[0] ?? { number: -1, text: "" };
  }
  const file = new Database(target.file);
  const triggers = file
    .prepare<[string], { readonly name: string; readonly sql: string }>(
      "select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?",
    )
    .all(table);
  for (const { name } of triggers) file.exec(`drop trigger ${name}`);
  const row = file.prepare<[], ChangedRow>(read).get();
  file.exec(change);
  for (const trigger of triggers) file.exec(trigger.sql);
  file.close();
  return row ?? { number: -1, text: "" };
}
