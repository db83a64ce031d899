import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";
import type { SqliteTarget } from "@/lib/store/database/target";

import { changeRow } from "./damage.fixture";
import {
  type AnnotationStore,
  createAnnotation,
  listAll,
  openAnnotationStore,
  prepareExport,
  readAnnotationsState,
  readHistory,
} from "./index";
import { insertStatements } from "./statements/statement";

const subject: AnnotationSubject = {
  trialId: null,
  jobUuid: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

const draft = { reviewerId: "Ana", reviewerDiscipline: null, judgment: "fail", categories: [], notes: null };

const BODY = {
  trial: { ...subject, trialName: "other__x", taskName: "other", rewardSeen: null },
  reviewerDiscipline: null,
  judgment: "pass",
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
  queue: null,
  hidden: null,
  codebookVersion: null,
  fingerprint: null,
  savedBy: null,
  schemaVersion: 1,
};

/** A row as this program stores it. */
const row = {
  id: "5b6f0a54-9f0e-4c7e-8a55-0d5a6c2c1d11",
  kind: "judgment",
  parent: null,
  subject: "other__x",
  author: "Ben",
  actor: null,
  at: "2026-11-14T10:00:00.000Z",
  body: JSON.stringify(BODY),
} as const;

describeEngines("a row that cannot be read", (engine) => {
  let store: AnnotationStore;

  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });

  afterEach(() => store.close());

  async function exportLines(): Promise<unknown[]> {
    const { lines } = await prepareExport(store);
    return [...lines].map((line): unknown => JSON.parse(line));
  }

  it.each([
    ["body (categories.0: not a list of strings)", { body: JSON.stringify({ ...BODY, categories: [1] }) }],
    ["at (not a time)", { at: "yesterday" }],
    [
      "body (schemaVersion: of a newer Assay)",
      { body: JSON.stringify({ ...BODY, schemaVersion: 2, categories: ["of", "tomorrow"] }) },
    ],
    ["kind (neither a save nor a withdrawal)", { parent: "5b6f0a54-9f0e-4c7e-8a55-0d5a6c2c1d12" }],
    ["kind (neither a save nor a withdrawal)", { body: JSON.stringify({ ...BODY, judgment: null }) }],
  ])("such as one with a wrong %s is set aside and said, and the rest works", async (column, wrong) => {
    const before = await createAnnotation(store, { subject, draft, baseVersionId: null });
    await store.write((db) => insertStatements(db, [{ ...row, ...wrong }]));
    const after = await createAnnotation(store, {
      subject,
      draft: { ...draft, notes: "Still works." },
      baseVersionId: before.versionId,
    });

    const { nCurrent, problem } = await readAnnotationsState(store);
    expect(nCurrent).toBe(1);
    for (const part of [store.place, "row 2", "other__x", `a wrong column ${column}`])
      expect(problem).toContain(part);
    expect((await listAll(store)).map((trial) => trial.subject.trialName)).toEqual([subject.trialName]);
    expect((await readHistory(store, subject))[0]?.current?.versionId).toBe(after.versionId);
    expect(await readHistory(store, { ...subject, trialName: "other__x" })).toEqual([]);
    const { actor: _, ...columns } = { ...row, ...wrong };
    expect(await exportLines()).toMatchObject([
      { schema: "assay.annotation/1", version_id: after.versionId },
      { schema: "assay.annotation-unreadable/1", row: 2, columns },
    ]);
  });

  it("is nothing to speak of where every row can be read", async () => {
    await store.write((db) => insertStatements(db, [row]));
    expect(await readAnnotationsState(store)).toEqual({ nCurrent: 1, problem: null, isDamaged: false });
  });
});

describe("a damaged file", () => {
  const N_ROWS = 400;
  const PAGE = 4096;
  let store: AnnotationStore;
  let target: SqliteTarget;
  let file: string;
  let before: Map<unknown, string>;

  beforeEach(async () => {
    target = freshSqlite();
    ({ file } = target);
    store = openAnnotationStore(target);
    await store.write(async (db) => {
      for (let at = 1; at <= N_ROWS; at += 1) {
        const name = `trial-${String(at)}__x`;
        const trial = { ...BODY.trial, trialName: name };
        const body = { ...BODY, trial, notes: `Note ${String(at)}. `.repeat(20) };
        const values = { ...row, id: idOf(at), subject: name, body: JSON.stringify(body) };
        await insertStatements(db, [values]);
      }
    });
    before = await readExport();
    await store.close();
  });

  afterEach(() => store.close());

  const idOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;

  /** The lines of an export by what they are about. */
  async function readExport(): Promise<Map<unknown, string>> {
    const { lines } = await prepareExport(store);
    return new Map(
      [...lines].map((line) => {
        const value = JSON.parse(line) as Record<string, unknown>;
        return [value["version_id"] ?? value["schema"], line];
      }),
    );
  }

  /** Overwrites every page that holds a text, and nothing else. */
  function damage(text: string): void {
    const bytes = readFileSync(file);
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1))
      bytes.fill(0x5a, Math.floor(at / PAGE) * PAGE, Math.floor(at / PAGE) * PAGE + PAGE);
    writeFileSync(file, bytes);
  }

  /** Overwrites the page where SQLite notes the highest number. */
  function damageNote(): void {
    const reader = new Database(file, { readonly: true });
    const page: unknown = reader
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_sequence'")
      .pluck()
      .get();
    reader.close();
    const bytes = readFileSync(file);
    bytes.fill(0x5a, (Number(page) - 1) * PAGE, Number(page) * PAGE);
    writeFileSync(file, bytes);
  }

  async function expectRefused(): Promise<void> {
    const bytes = readFileSync(file);
    const { nCurrent, problem } = await readAnnotationsState(store);
    expect(nCurrent).toBeNull();
    expect(problem).toContain(file);
    expect(problem).toContain("annotations export");
    const save = createAnnotation(store, { subject, draft, baseVersionId: null });
    await expect(save).rejects.toMatchObject({ code: "store_corrupt" });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  }

  it("is found at opening, wherever it is, and its other rows are exported with what is lost", async () => {
    damage("Note 200. Note 200.");
    await expectRefused();
    const after = await readExport();
    const { lost_rows } = JSON.parse(after.get("assay.annotations-damaged/1") ?? "{}") as {
      lost_rows: [number, number][];
    };
    after.delete("assay.annotations-damaged/1");
    const isLost = (at: number): boolean => lost_rows.some(([first, last]) => first <= at && at <= last);
    const numbers = Array.from({ length: N_ROWS }, (_, index) => index + 1);
    expect(isLost(200)).toBe(true);
    expect(numbers.filter(isLost).length).toBeLessThan(20);
    const kept = numbers.filter((at) => !isLost(at)).map((at) => [idOf(at), before.get(idOf(at))]);
    expect([...after]).toEqual(kept);
    const leftOver = readdirSync(dirname(file)).filter((name) => !name.startsWith("store.sqlite"));
    expect(leftOver).toEqual([]);
  });

  it.each(["author", "kind"])("exports no row as a judgment whose %s was changed", async (column) => {
    await changeRow(target, "statement", column, "Changed.");
    damage("Note 200. Note 200.");
    await expectRefused();
    const lines = [...(await prepareExport(store)).lines];
    const odd = lines.filter((line) => line.includes("Changed."));
    expect(odd.map((line) => JSON.parse(line) as object)).toMatchObject([
      { schema: "assay.annotation-unreadable/1", row: 1, columns: { id: idOf(1) } },
    ]);
    expect(lines.length).toBeGreaterThan(N_ROWS / 2);
  });

  it("is found in an index, which no list reads, and loses no row", async () => {
    // Only an index has the id after the kind: the table has them in the other order.
    damage(`${row.kind}${idOf(300)}`);
    await expectRefused();
    const after = await readExport();
    after.delete("assay.annotations-damaged/1");
    expect(after).toEqual(before);
  });

  it("is found where it was cut off", async () => {
    // The first pages are the beginnings of all tables.
    truncateSync(file, PAGE * 45);
    await expectRefused();
    expect((await readExport()).size).toBeGreaterThan(20);
  });

  it.each<[string, () => void]>([
    ["emptied", () => truncateSync(file, 0)],
    ["something else", () => writeFileSync(file, Buffer.alloc(13_000, "garbage "))],
    ["cut off before its rows", () => truncateSync(file, PAGE)],
  ])("that is %s reports no unknown loss", async (_, ruin) => {
    ruin();
    const { lines, problem } = await prepareExport(store);
    expect([...lines].map((line): unknown => JSON.parse(line))).toMatchObject([
      { schema: "assay.annotations-damaged/1", lost_rows: [], last_row: null },
    ]);
    expect(problem).toMatch(/could not: unknown\.$/);
  });

  it("names the rows that are lost up to the last that is known, and says that more may be", async () => {
    damageNote();
    const { lines, problem } = await prepareExport(store);
    const last = JSON.parse([...lines].at(-1) ?? "{}") as Record<string, unknown>;
    expect(last).toMatchObject({ lost_rows: [], last_row: null });
    expect(problem).toContain(`could be read: ${String(N_ROWS)}; rows that could not: unknown how many`);
  });

  it("of an earlier release gives its rows too", async () => {
    rmSync(file);
    const old = new Database(file);
    const [table = "", marks = ""] = readFileSync(
      join(import.meta.dirname, "first-release.sqlite.fixture.sql"),
      "utf8",
    ).split(/(?=PRAGMA application_id)|(?=INSERT)/);
    old.exec(table + marks);
    const insert =
      old.prepare(`INSERT INTO annotation_version SELECT ?, ?, 'saved', NULL, NULL, ?, ?, 'nightly', 'runs',
      'other', 'orca', NULL, 'failed', NULL, 'ben', 'Ben', NULL, ?, 'pass', '[]', ?, 1`);
    for (let at = 1; at <= N_ROWS; at += 1)
      insert.run(
        at,
        idOf(at),
        subject.jobUuid,
        `trial-${String(at)}__x`,
        row.at,
        `Note ${String(at)}. `.repeat(20),
      );
    old.close();
    damageNote();
    expect(before.size).toBe(N_ROWS);
    const after = await readExport();
    after.delete("assay.annotations-damaged/1");
    expect(after).toEqual(before);
  });

  it("is said of one that is removed while it is open, and no other is begun in its place", async () => {
    expect((await readAnnotationsState(store)).nCurrent).toBe(N_ROWS);
    rmSync(file);
    const { nCurrent, problem } = await readAnnotationsState(store);
    expect(nCurrent).toBeNull();
    expect(problem).toContain("while Assay had it open");
    const save = createAnnotation(store, { subject, draft, baseVersionId: null });
    await expect(save).rejects.toMatchObject({ code: "store_corrupt" });
    const after = await readExport();
    expect(after.get("assay.annotations-damaged/1")).toContain(`"lost_rows":[],"last_row":${String(N_ROWS)}`);
    after.delete("assay.annotations-damaged/1");
    expect(after).toEqual(before);
    expect(existsSync(file)).toBe(false);
  });

  it("is found where nothing is left of it, and its neighbours stay", async () => {
    truncateSync(file, 0);
    writeFileSync(`${file}-wal`, "what a crash left");
    await expectRefused();
    expect(readFileSync(`${file}-wal`, "utf8")).toBe("what a crash left");
    expect([...(await readExport()).keys()]).toEqual(["assay.annotations-damaged/1"]);
  });

  it("is used again once a copy from a backup is in its place", async () => {
    const backup = `${file}.backup`;
    copyFileSync(file, backup);
    damage("Note 200. Note 200.");
    await expectRefused();
    copyFileSync(backup, file);
    expect(await readExport()).toEqual(before);
  });

  it("is not what a program leaves that is killed while it makes the store", async () => {
    const target = freshSqlite();
    mkdirSync(dirname(target.file), { recursive: true });
    const other = openAnnotationStore(target);
    const saving = createAnnotation(other, { subject, draft, baseVersionId: null });
    const turn = () => new Promise<null>((settle) => setImmediate(() => settle(null)));
    // Whenever the file is there, it is one.
    while ((await Promise.race([saving, turn()])) === null) {
      if (existsSync(target.file)) expect(readFileSync(target.file).length).toBeGreaterThan(0);
    }
    const reader = new Database(target.file, { readonly: true });
    expect(reader.prepare("SELECT count(*) FROM statement").pluck().get()).toBe(1);
    reader.close();
    await other.close();
  });
});
