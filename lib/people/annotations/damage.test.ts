import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";

import { listTables, openDatabase } from "@/lib/store/database";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { changeRow, damageCopy, exportLines, type Fate, fillStore } from "./damage.fixture";
import { importAnnotations, openAnnotationStore, readAnnotationsState, readCodebook } from "./index";
import { STATEMENT_KINDS } from "./tables";

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

  it("is named on pages and in the export, of every kind, and counts for nothing", async () => {
    const { target, store, before } = await fill();
    const expected: object[] = [];
    const changed: (readonly [table: string, column: string, text: string, kind: string])[] = [];
    for (const kind of STATEMENT_KINDS) {
      const { number, text } = await changeRow(target, "statement", "author", "Mallory", kind);
      const problem = "of the table statement does not match its checksum";
      expected.push({
        row: number,
        problem,
        columns: expect.objectContaining({ kind, author: "Mallory" }) as unknown,
      });
      changed.push(["statement", "author", text, kind]);
    }
    const { problem } = await readAnnotationsState(store);
    expect(problem).toContain(`${String(expected.length)} rows`);
    expect(problem).toContain("of the table statement does not match its checksum");
    const after = await exportLines(store);
    const odd = after.filter((line) => line.includes("assay.annotation-unreadable/1"));
    expect(odd.map((line) => JSON.parse(line) as object)).toEqual(
      expect.arrayContaining(expected.map((one) => expect.objectContaining(one) as unknown)),
    );
    expect(odd).toHaveLength(expected.length);
    expect(odd.join("")).not.toContain("browser_key_hash");
    expect(after.filter((line) => line.includes("Mallory"))).toEqual(odd);
    await store.close();
    for (const change of changed) await changeRow(target, ...change);
    expect(await exportLines(store)).toEqual(before);
  });

  it("costs its queue, which is no sample without it, and the changes after it", async () => {
    const { target, store, before } = await fill();
    const isOfQueue = (line: string) => line.includes("assay.queue");
    expect(before.filter(isOfQueue)).not.toEqual([]);
    await changeRow(target, "statement", "author", "other", "queue_item");
    expect((await exportLines(store)).filter(isOfQueue)).toEqual([]);
    await store.close();
    await changeRow(target, "statement", "author", "Mallory", "codebook");
    const { codebook, problem } = await readCodebook(store);
    expect([codebook.version, problem]).toEqual([0, expect.stringContaining("Change 1 of the codebook")]);
  });

  it("keeps its id: what is imported again does not replace it", async () => {
    const { target, store, before } = await fill();
    for (const kind of ["judgment", "decision"])
      await changeRow(target, "statement", "author", "Changed.", kind);
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
    expect(tables).toEqual(["statement"]);
    for (const table of tables) {
      const { rows } = await sql<{ readonly checksum: string | null }>`
        select checksum from ${sql.table(table)}`.execute(open.db);
      expect(rows).not.toEqual([]);
      for (const { checksum } of rows) expect(checksum).toMatch(/^[\w+/]{22}$/);
    }
  });
});
