import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import Database from "better-sqlite3";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { describe, expect, it, onTestFinished } from "vitest";

import { StoreError } from "@/lib/core/domain/app-error";

import { describeTarget, migrate, openDatabase, resolveTarget, toColumnText, toStoreError } from "./index";
import type { DatabaseTarget, OpenDatabase } from "./index";
import { describeEngines, freshPostgres, freshSqlite } from "./postgres.fixture";

interface Tables {
  note: { readonly id: number; readonly text: string; readonly size: number | null };
}

const FIRST: Readonly<Record<string, Migration>> = {
  "001_note": {
    up: async (db) => {
      await db.schema
        .createTable("note")
        .addColumn("id", "bigint", (column) => column.primaryKey())
        .addColumn("text", "text", (column) => column.notNull())
        .execute();
    },
  },
};
const SECOND: Readonly<Record<string, Migration>> = {
  ...FIRST,
  "002_size": {
    up: async (db) => {
      await db.schema.alterTable("note").addColumn("size", "integer").execute();
    },
  },
};

async function open(target: DatabaseTarget): Promise<OpenDatabase<Tables>> {
  const database = await openDatabase<Tables>(target);
  onTestFinished(() => database.close());
  return database;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
  return "no error";
}

const addNote = (database: OpenDatabase<Tables>, id: number, text = "text") =>
  database.db.insertInto("note").values({ id, text, size: null }).execute();

describeEngines("a database", (engine) => {
  it("is made where nothing was and keeps its rows", async () => {
    const target = await engine.freshTarget();
    const first = await openDatabase<Tables>(target);
    await migrate(first, SECOND);
    await addNote(first, 7, "héllo ☃");
    await first.close();
    const second = await open(target);
    await migrate(second, SECOND);
    expect(await second.db.selectFrom("note").selectAll().execute()).toEqual([
      { id: 7, text: "héllo ☃", size: null },
    ]);
  });

  it("gives counts, sums and large integers as numbers", async () => {
    const database = await open(await engine.freshTarget());
    await migrate(database, SECOND);
    await addNote(database, 9_007_199_254_740_991);
    const row = await database.db
      .selectFrom("note")
      .select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number>("id").as("sum"), "id"])
      .groupBy("id")
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ count: 1, sum: 9_007_199_254_740_991, id: 9_007_199_254_740_991 });
  });

  it("keeps every double bit for bit", async () => {
    const { db } = await open(await engine.freshTarget());
    for (const value of [0.1 + 0.2, 5e-324, 1.7976931348623157e308, -0.30000000000000004]) {
      const result = await sql<{ x: number }>`select cast(${value} as double precision) as x`.execute(db);
      expect(result.rows[0]?.x).toBe(value);
    }
  });

  it("runs only the migrations that are missing, and none twice when two programs start at once", async () => {
    const target = await engine.freshTarget();
    const old = await open(target);
    await migrate(old, FIRST);
    await sql`insert into note (id, text) values (1, 'kept')`.execute(old.db);
    const both = await Promise.all([open(target), open(target)]);
    await Promise.all(both.map((one) => migrate(one, SECOND)));
    expect(await both[1].db.selectFrom("note").selectAll().execute()).toEqual([
      { id: 1, text: "kept", size: null },
    ]);
  });

  it("is made once when several programs open it at once", async () => {
    const target = await engine.freshTarget();
    const all = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const one = await open(target);
        await migrate(one, SECOND);
        return one;
      }),
    );
    await Promise.all(all.map((one, id) => addNote(one, id)));
    expect(await all[0]?.db.selectFrom("note").select("id").orderBy("id").execute()).toHaveLength(6);
  });

  it("keeps nothing of a migration that fails", async () => {
    const database = await open(await engine.freshTarget());
    const broken: Readonly<Record<string, Migration>> = {
      ...FIRST,
      "002_broken": { up: (db) => sql`insert into missing values (1)`.execute(db).then(() => undefined) },
    };
    await expect(migrate(database, broken)).rejects.toThrow("missing");
    await expect(addNote(database, 0)).rejects.toThrow("note");
    await migrate(database, SECOND);
    await addNote(database, 1);
  });

  it("that a newer program migrated is refused and left alone", async () => {
    const target = await engine.freshTarget();
    const newer = await open(target);
    await migrate(newer, SECOND);
    const older = await open(target);
    expect(await codeOf(migrate(older, FIRST))).toBe("store_too_new");
    await addNote(newer, 1);
  });

  it("lets transactions that read before they write take turns", async () => {
    const target = await engine.freshTarget();
    const [left, right] = await Promise.all([open(target), open(target)]);
    await migrate(left, SECOND);
    await addNote(left, 0);
    const raise = async (database: OpenDatabase<Tables>): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) {
        await database.db.transaction().execute(async (trx) => {
          const note = await trx
            .selectFrom("note")
            .select("size")
            .$if(engine.name === "postgres", (query) => query.forUpdate())
            .executeTakeFirstOrThrow();
          await trx
            .updateTable("note")
            .set({ size: (note.size ?? 0) + 1 })
            .execute();
        });
      }
    };
    await Promise.all([raise(left), raise(right)]);
    expect(await left.db.selectFrom("note").select("size").execute()).toEqual([{ size: 40 }]);
  });

  it("tells a fault in a statement from a store that cannot be used", async () => {
    const { db, target } = await open(await engine.freshTarget());
    const fault: unknown = await sql`select nothing from nowhere`
      .execute(db)
      .catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    expect(toStoreError(fault, target)).toBe(fault);
  });

  it("holds text that a column cannot hold as it is", async () => {
    const database = await open(await engine.freshTarget());
    await migrate(database, SECOND);
    const text = toColumnText("a\0b \ud800 c");
    await addNote(database, 1, text);
    expect(text).toBe("a\uFFFDb \uFFFD c");
    expect((await database.db.selectFrom("note").select("text").executeTakeFirst())?.text).toBe(text);
  });
});

describe("a SQLite file", () => {
  it("is on disk at each commit, with no log that could be taken for another file's", async () => {
    const { db } = await open(freshSqlite());
    const pragma = async (name: string): Promise<unknown> =>
      Object.values((await sql<object>`${sql.raw(`pragma ${name}`)}`.execute(db)).rows[0] ?? {})[0];
    expect(await pragma("journal_mode")).toBe("delete");
    expect(await pragma("synchronous")).toBe(3);
    expect(await pragma("foreign_keys")).toBe(1);
    expect(await pragma("busy_timeout")).toBe(5000);
  });

  it("of another program, or of a newer Assay, is refused and left unchanged", async () => {
    for (const [statement, code] of [
      ["CREATE TABLE recipes (name TEXT)", "store_foreign"],
      ["PRAGMA application_id = 1095975257; PRAGMA user_version = 99", "store_too_new"],
    ] as const) {
      const target = freshSqlite();
      mkdirSync(dirname(target.file));
      const file = new Database(target.file);
      file.exec(statement);
      file.close();
      const before = readFileSync(target.file);
      expect(await codeOf(open(target))).toBe(code);
      expect(readFileSync(target.file).equals(before)).toBe(true);
    }
  });

  it("that is no database is reported as damaged and kept", async () => {
    const target = freshSqlite();
    mkdirSync(dirname(target.file));
    writeFileSync(target.file, Buffer.alloc(8192, "not a database "));
    expect(await codeOf(open(target))).toBe("store_corrupt");
    expect(statSync(target.file).size).toBe(8192);
  });

  it("that another program keeps locked is reported as such", async () => {
    const target = { ...freshSqlite(), busyTimeoutMs: 50 };
    const database = await open(target);
    await migrate(database, SECOND);
    const other = new Database(target.file);
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    const error: unknown = await addNote(database, 1).catch((caught: unknown) => caught);
    expect(toStoreError(error, target)).toMatchObject({ code: "store_locked" });
  });

  it("whose file may not grow is reported as full", () => {
    const error = toStoreError(
      new Database.SqliteError("disk I/O error", "SQLITE_IOERR_WRITE"),
      freshSqlite(),
    );
    expect(error).toMatchObject({ code: "store_full" });
    expect(String(error)).toContain("a write to it failed");
  });

  it("that cannot grow is reported as a full disk", async () => {
    const target = freshSqlite();
    const database = await open(target);
    await migrate(database, SECOND);
    await sql`pragma max_page_count = 1`.execute(database.db);
    const error: unknown = await addNote(database, 1, "x".repeat(100_000)).catch((caught: unknown) => caught);
    expect(toStoreError(error, target)).toMatchObject({ code: "store_full" });
  });

  it("is not made inside a job folder", async () => {
    const target = freshSqlite();
    const job = dirname(target.file);
    mkdirSync(job);
    writeFileSync(`${job}/job.log`, "");
    expect(await codeOf(open(target))).toBe("store_inside_job");
    expect(existsSync(target.file)).toBe(false);
  });
});

describe("a PostgreSQL server", () => {
  it("that breaks a connection, or asks for a password that the address has not, is said to", () => {
    const target = { engine: "postgres", url: "postgres://ada@127.0.0.1/assay", schema: "assay" } as const;
    const say = (message: string) => String(toStoreError(new Error(message), target));
    expect(say("Connection terminated unexpectedly")).toContain("does not answer");
    expect(say("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string")).toContain(
      "Correct DATABASE_URL",
    );
  });

  const messageOf = async (target: DatabaseTarget): Promise<string> => {
    const error: unknown = await openDatabase(target).catch((caught: unknown) => caught);
    return error instanceof StoreError ? `${error.code}: ${error.message}` : String(error);
  };

  it("keeps schemas apart, for any search path in its URL", async () => {
    const here = await freshPostgres();
    const there = await freshPostgres();
    const left = await open({ ...here, url: `${here.url}&options=-c%20search_path%3Dpg_catalog` });
    const right = await open(there);
    await Promise.all([migrate(left, SECOND), migrate(right, SECOND)]);
    await addNote(left, 1);
    expect(await right.db.selectFrom("note").selectAll().execute()).toEqual([]);
  });

  it("is migrated although another program drops a table while all are listed", async () => {
    const database = await open(await freshPostgres());
    let nRuns = 0;
    const second: Migration = {
      up: async (db) => {
        nRuns += 1;
        await sql`alter table note add column size integer`.execute(db);
        // PostgreSQL says the same of a table that Kysely listed and that is gone when it looks closer.
        if (nRuns === 1) await sql`select pg_get_serial_sequence('dropped', 'id')`.execute(db);
      },
    };
    await migrate(database, { ...FIRST, "002_size": second });
    expect(nRuns).toBe(2);
    await addNote(database, 1);
  });

  it("that does not answer, lacks the database or refuses the user has its own error", async () => {
    const target = await freshPostgres();
    expect(await messageOf({ ...target, url: "postgres://me:secret@127.0.0.1:1/results" })).toBe(
      `store_unavailable: The database 127.0.0.1:1/results (schema ${target.schema}) does not answer: no PostgreSQL ` +
        "listens there. Start it or correct DATABASE_URL.",
    );
    expect(await messageOf({ ...target, url: target.url.replace(/\/test_[\w-]+\?/, "/nowhere?") })).toMatch(
      /^store_unavailable: .*\/nowhere .* does not exist\. Create the database/,
    );
    expect(await messageOf({ ...target, url: target.url.replace("postgres@", "nobody:secret@") })).toMatch(
      /^store_unavailable: .* refuses the user or password/,
    );
    expect(await messageOf({ ...target, url: "nonsense" })).toMatch(/^store_unavailable: .*DATABASE_URL/);
  });

  it("that refuses writes is a read-only store", async () => {
    const target = await freshPostgres();
    const owner = await open(target);
    await migrate(owner, SECOND);
    await sql`create role reader login`.execute(owner.db);
    await sql`grant usage on schema ${sql.id(target.schema)} to reader`.execute(owner.db);
    const reader = await open({ ...target, url: target.url.replace("postgres@", "reader@") });
    expect(await failureOf(reader, addNote(reader, 1))).toBe("store_read_only");
    const write = owner.db
      .transaction()
      .setAccessMode("read only")
      .execute((transaction) => addNote({ ...owner, db: transaction }, 1));
    expect(await failureOf(owner, write)).toBe("store_read_only");
  });

  it("where another program holds a lock says that it is locked", async () => {
    const target = await freshPostgres();
    const [left, right] = [await open(target), await open(target)];
    await migrate(left, SECOND);
    await left.db.transaction().execute(async (transaction) => {
      await sql`lock table note`.execute(transaction);
      const wait = right.db.transaction().execute(async (waiting) => {
        await sql`set local lock_timeout = '20ms'`.execute(waiting);
        await sql`lock table note`.execute(waiting);
      });
      expect(await failureOf(right, wait)).toBe("store_locked");
    });
  });

  const failureOf = async (database: OpenDatabase<Tables>, work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.catch((caught: unknown) => toStoreError(caught, database.target));
    return error instanceof StoreError ? error.code : String(error);
  };

  it("may drop its connections: that statement fails, and new connections are made", async () => {
    const target = await freshPostgres();
    const database = await open(target);
    const other = await open(target);
    await sql`select 1`.execute(database.db);
    const hanging = sql`select pg_sleep(60)`.execute(database.db).catch((caught: unknown) => caught);
    const drop = sql<{ n: number }>`
      select count(pg_terminate_backend(pid)) as n from pg_stat_activity where query like 'select pg_sleep(60)%'`;
    while ((await drop.execute(other.db)).rows[0]?.n === 0) continue;
    expect(toStoreError(await hanging, target)).toMatchObject({ code: "store_unavailable" });
    const works = (): Promise<boolean> =>
      sql`select 1`.execute(database.db).then(
        () => true,
        () => false,
      );
    while (!(await works())) continue;
  });
});

describe("the place of a store", () => {
  const place = { fileName: "annotations.sqlite", schema: "assay", synchronous: "EXTRA" } as const;

  it("is the data folder, or PostgreSQL when DATABASE_URL is set", () => {
    expect(resolveTarget(place, { ASSAY_DATA: "/a/b", DATABASE_URL: " " })).toEqual({
      engine: "sqlite",
      file: "/a/b/annotations.sqlite",
      synchronous: "EXTRA",
    });
    expect(resolveTarget(place, { ASSAY_DATA: "/a/b", DATABASE_URL: "postgres://db/results" })).toEqual({
      engine: "postgres",
      url: "postgres://db/results",
      schema: "assay",
    });
  });

  it("is shown without user and password", () => {
    const url = "postgres://me:secret@db.example:5433/results?sslmode=require";
    expect(describeTarget({ engine: "postgres", url, schema: "assay" })).toBe(
      "db.example:5433/results (schema assay)",
    );
    expect(describeTarget({ engine: "postgres", url: "me:secret@", schema: "assay" })).not.toContain(
      "secret",
    );
  });
});

// Node makes such a folder for ever.
it.runIf(existsSync("/proc/self"))(
  "a data folder that a file system does not take is an error at once",
  async () => {
    const target = {
      engine: "sqlite",
      file: "/proc/nope/deeper/notes.sqlite",
      synchronous: "NORMAL",
    } as const;
    await expect(openDatabase<Tables>(target)).rejects.toThrow(StoreError);
  },
);
