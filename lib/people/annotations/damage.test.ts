import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";

import { listTables, openDatabase } from "@/lib/store/database";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { STATEMENT_TABLES, type StatementTable } from "./checksum";
import { changeRow, damageCopy, exportLines, type Fate, fillStore } from "./damage.fixture";
import { importAnnotations, openAnnotationStore, readAnnotationsState, readCodebook } from "./index";

it("notices random damage or exports the same bytes, and never writes into what SQLite finds damaged", async () => {
  const target = freshSqlite();
  const store = openAnnotationStore(target);
  onTestFinished(() => store.close());
  await fillStore(store, 30);
  const exported = (await exportLines(store)).join("");
  await store.close();

  const fates: (Fate & { readonly seed: number })[] = [];
  const { numRuns } = planRuns({ short: 24, long: 200 });
  for (let seed = 1; seed <= numRuns; seed += 1)
    fates.push({ seed, ...(await damageCopy(target, seed, exported)) });
  const isNoticed = ({ isNamedInExport, isNamedOnPages }: Fate) => isNamedInExport && isNamedOnPages;
  expect(fates.filter((fate) => !fate.isExportSame && !isNoticed(fate))).toEqual([]);
  expect(fates.filter(({ isDamageOfFile, isWritten }) => isDamageOfFile && isWritten)).toEqual([]);
  // The campaign reaches rows as well as the structure of the file.
  expect(fates.filter((fate) => isNoticed(fate) && !fate.isDamageOfFile)).not.toEqual([]);
  expect(fates.filter(({ isDamageOfFile }) => isDamageOfFile)).not.toEqual([]);
});

/** A text of each table that no rule of the schema or of a reader refuses. */
const TEXTS: Readonly<Record<StatementTable, string>> = {
  annotation_version: "reviewer_id",
  codebook_change: "author",
  review_queue: "created_by",
  review_queue_item: "task_name",
  review_queue_event: "reviewer_id",
  statement: "author",
};

describeEngines("a row that was changed outside of Assay", (engine) => {
  async function fill() {
    const target = await engine.freshTarget();
    const store = openAnnotationStore(target);
    onTestFinished(() => store.close());
    await fillStore(store, 4);
    const before = await exportLines(store);
    await store.close();
    return { target, store, before };
  }

  it("is named on pages and in the export, in every table, and counts for nothing", async () => {
    const { target, store, before } = await fill();
    const expected: object[] = [];
    const changed: [table: string, column: string, text: string][] = [];
    for (const [table, column] of Object.entries(TEXTS)) {
      const { number, text } = await changeRow(target, table, column, "Mallory");
      const problem = `of the table ${table} does not match its checksum`;
      expected.push({ row: number, problem, columns: { [column]: "Mallory" } });
      changed.push([table, column, text]);
    }
    const { problem } = await readAnnotationsState(store);
    expect(problem).toContain(`${String(expected.length)} rows`);
    expect(problem).toContain("of the table annotation_version does not match its checksum");
    const after = await exportLines(store);
    const odd = after.filter((line) => line.includes("assay.annotation-unreadable/1"));
    expect(odd.map((line) => JSON.parse(line) as object)).toMatchObject(expected);
    expect(odd.join("")).not.toContain("browser_key_hash");
    expect(after.filter((line) => line.includes("Mallory"))).toEqual(odd);
    await store.close();
    for (const [table, column, text] of changed) await changeRow(target, table, column, text);
    expect(await exportLines(store)).toEqual(before);
  });

  it("costs its queue, which is no sample without it, and the changes after it", async () => {
    const { target, store, before } = await fill();
    const isOfQueue = (line: string) => line.includes("assay.queue");
    expect(before.filter(isOfQueue)).not.toEqual([]);
    await changeRow(target, "review_queue_item", "task_name", "other");
    expect((await exportLines(store)).filter(isOfQueue)).toEqual([]);
    await store.close();
    await changeRow(target, "codebook_change", "author", "Mallory");
    const { codebook, problem } = await readCodebook(store);
    expect([codebook.version, problem]).toEqual([0, expect.stringContaining("Change 1 of the codebook")]);
  });

  it("keeps its id: what is imported again does not replace it", async () => {
    const { target, store, before } = await fill();
    await changeRow(target, "annotation_version", "notes", "Changed.");
    await changeRow(target, "statement", "author", "Changed.");
    const files = [{ name: "before.jsonl", bytes: [Buffer.from(before.join(""))] }];
    const actor = { browserKeyHash: null, isAdmin: true };
    const report = await importAnnotations(store, files, { isDryRun: false, actor, author: "Ana" });
    expect([report.nNew, report.nNewDecisions, report.nConflicts]).toEqual([0, 0, 2]);
  });

  it("is found in every table that is appended to, whose rows all have a checksum", async () => {
    const { target } = await fill();
    const open = await openDatabase<Readonly<Record<string, never>>>(target);
    onTestFinished(open.close);
    const tables = (await listTables(open)).map(({ name }) => name).filter((name) => name !== "review_lease");
    expect(tables.toSorted()).toEqual(STATEMENT_TABLES.toSorted());
    for (const table of tables) {
      const { rows } = await sql<{ readonly checksum: string | null }>`
        select checksum from ${sql.table(table)}`.execute(open.db);
      expect(rows).not.toEqual([]);
      for (const { checksum } of rows) expect(checksum).toMatch(/^[\w+/]{22}$/);
    }
  });
});
