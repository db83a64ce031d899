import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Database from "better-sqlite3";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ConflictError, StoreError } from "@/lib/core/domain/app-error";
import { type DatabaseTarget, migrate, openDatabase, resolveDataFolder } from "@/lib/store/database";
import { describeEngines, freshPostgres } from "@/lib/store/database/postgres.fixture";
import { bundleAnnotations } from "@/lib/testing/bundle.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";

import {
  ANNOTATION_STORE,
  type AnnotationStore,
  createAnnotation,
  listAll,
  openAnnotationStore,
  resolveAnnotationTarget,
} from "./index";

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

let parent: string;
let folder: string;
let store: AnnotationStore;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "store-"));
  folder = join(parent, "data");
  store = openAnnotationStore({
    engine: "sqlite",
    file: join(folder, "annotations.sqlite"),
    synchronous: "EXTRA",
    busyTimeoutMs: 150,
  });
});

afterEach(async () => {
  await store.close();
  rmSync(parent, { recursive: true, force: true });
});

async function save(reviewerId: string, on: AnnotationStore = store, about = subject): Promise<string> {
  const draft = {
    reviewerId,
    reviewerDiscipline: null,
    judgment: "fail",
    categories: [],
    notes: `by ${reviewerId}`,
  };
  return (await createAnnotation(on, { subject: about, draft, baseVersionId: null })).versionId;
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

const file = (): string => join(folder, "annotations.sqlite");

/** Runs a pragma on the open file and gives its value. */
async function pragma(text: string): Promise<unknown> {
  const rows = await store.read(
    [],
    async (db) => (await sql<object>`${sql.raw(`pragma ${text}`)}`.execute(db)).rows,
  );
  return Object.values(rows[0] ?? {})[0];
}

/** A Node process that saves annotations through this very code, one line of output per save on disk. */
async function startWriter(name: string, count: number, target: DatabaseTarget, about = subject) {
  const script = join(parent, `${name}.mjs`);
  writeFileSync(
    script,
    `import { openAnnotationStore, createAnnotation } from ${JSON.stringify(await bundleAnnotations())};
     const store = openAnnotationStore(${JSON.stringify(target)});
     const subject = ${JSON.stringify(about)};
     for (let i = 0; i < ${String(count)}; i += 1) {
       const draft = { reviewerId: ${JSON.stringify(name)} + i, reviewerDiscipline: null, judgment: "pass", categories: [], notes: "n".repeat(2000) };
       process.stdout.write((await createAnnotation(store, { subject, draft, baseVersionId: null })).versionId + "\\n");
     }`,
  );
  const child = spawn(process.execPath, ["--no-warnings", script], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    child.emit("saved");
  });
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return { child, exit, savedIds: () => text.split("\n").slice(0, -1) };
}

async function storedIds(of: AnnotationStore = store): Promise<Set<string>> {
  const trials = await listAll(of);
  return new Set(
    trials.flatMap((trial) => trial.chains.flatMap((chain) => chain.versions.map((one) => one.versionId))),
  );
}

/** A file as the first release made it, with a save, a correction and its withdrawal; gives their ids. */
function writeFirstRelease(path: string): readonly string[] {
  const old = new Database(path);
  old.pragma("journal_mode = WAL");
  old.exec(readFileSync(join(import.meta.dirname, "first-release.sqlite.fixture.sql"), "utf8"));
  old.close();
  return [
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
    "33333333-3333-4333-8333-333333333333",
  ];
}

describeEngines("several processes", (engine) => {
  async function openFresh(): Promise<{ readonly target: DatabaseTarget; readonly shared: AnnotationStore }> {
    const target = { ...(await engine.freshTarget()), busyTimeoutMs: 20_000 };
    const shared = openAnnotationStore(target);
    onTestFinished(() => shared.close());
    return { target, shared };
  }

  it("lets two create the store and write to it at once without losing anything", async () => {
    const { target, shared } = await openFresh();
    const writers = await Promise.all(["left", "right"].map((name) => startWriter(name, 60, target)));
    expect(await Promise.all(writers.map((writer) => writer.exit))).toEqual([0, 0]);
    const reported = writers.flatMap((writer) => writer.savedIds());
    expect(reported).toHaveLength(120);
    expect(await storedIds(shared)).toEqual(new Set(reported));
  });

  const kills = planRuns({ short: 1, long: 500 });

  itLong(engine.name === "sqlite")(
    "keeps every confirmed save if one is killed midway, and continues working",
    async () => {
      const { target, shared } = await openFresh();
      const confirmed: string[] = [];
      for (let kill = 1; kill <= kills.numRuns; kill++) {
        const about = { ...subject, trialName: `tidy-ledger__kill${kill}` };
        const writer = await startWriter(`killed ${kill}, `, 100_000, target, about);
        const nSaves = 1 + ((kill * 24) % 50);
        await new Promise<void>((resolve) => {
          writer.child.on("saved", () => {
            if (writer.savedIds().length >= nSaves) resolve();
          });
        });
        writer.child.kill("SIGKILL");
        expect(await writer.exit).toBeNull();
        expect(writer.savedIds().length).toBeGreaterThanOrEqual(nSaves);
        confirmed.push(...writer.savedIds(), await save(`Ana ${kill}`, shared, about));
      }
      // Writing goes in turns, so the last save of a killed process is either here by now or gone.
      const stored = await storedIds(shared);
      expect(confirmed.filter((id) => !stored.has(id))).toEqual([]);
      expect(stored.size - confirmed.length).toBeLessThanOrEqual(kills.numRuns);
      if (IS_LONG_RUN) console.log(`${kills.numRuns} kills after ${confirmed.length} confirmed saves`);
    },
  );

  it("never forks a reviewer's chain when two windows save at once", async () => {
    const { target, shared } = await openFresh();
    const other = openAnnotationStore(target);
    onTestFinished(() => other.close());
    const bases: (string | null)[] = [];
    /** Saves on the known head, and reads it again if the other window was first. */
    const saveTwenty = async (window: AnnotationStore, notes: string): Promise<void> => {
      let base: string | null = null;
      for (let saved = 0; saved < 20;) {
        const draft = {
          reviewerId: "Ana",
          reviewerDiscipline: null,
          judgment: "fail",
          categories: [],
          notes,
        };
        try {
          const { versionId } = await createAnnotation(window, { subject, draft, baseVersionId: base });
          bases.push(base);
          base = versionId;
          saved += 1;
        } catch (error) {
          if (!(error instanceof ConflictError)) throw error;
          const [trial] = await listAll(window);
          base = trial?.chains[0]?.headVersionId ?? null;
        }
      }
    };
    await Promise.all([saveTwenty(shared, "left"), saveTwenty(other, "right")]);
    const [trial] = await listAll(shared);
    const versions = trial?.chains[0]?.versions ?? [];
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at));
    expect(new Set(bases).size).toBe(40);
  });

  it("lets nothing be updated or deleted", async () => {
    const { shared } = await openFresh();
    await save("Ana", shared);
    const change = (db: Parameters<Parameters<AnnotationStore["write"]>[0]>[0]) =>
      db.updateTable("statement").set({ author: "x" }).execute();
    await expect(shared.write(change)).rejects.toThrow("append-only");
    await expect(shared.write((db) => db.deleteFrom("statement").execute())).rejects.toThrow("append-only");
    expect((await storedIds(shared)).size).toBe(1);
  });

  it("stores text that is no text as what it can be", async () => {
    const { shared } = await openFresh();
    const odd = { ...subject, trialName: "a\0b", agent: "\ud800" };
    const draft = {
      reviewerId: "A\0",
      reviewerDiscipline: null,
      judgment: "fail",
      categories: ["c\0"],
      notes: "n\0",
    };
    const saved = await createAnnotation(shared, { subject: odd, draft, baseVersionId: null });
    expect(saved).toMatchObject({
      reviewerId: "A\uFFFD",
      categories: ["c\uFFFD"],
      notes: "n\uFFFD",
      subject: { trialName: "a\uFFFDb", agent: "\uFFFD" },
    });
    const again = { ...draft, judgment: "pass" };
    const next = await createAnnotation(shared, {
      subject: odd,
      draft: again,
      baseVersionId: saved.versionId,
    });
    expect(next.version).toBe(2);
  });
});

it("is PostgreSQL when DATABASE_URL is set, one store for everybody who names it", async () => {
  const { url } = await freshPostgres();
  const [here, there] = [1, 2].map(() =>
    openAnnotationStore(resolveAnnotationTarget({ DATABASE_URL: url, ASSAY_DATA: folder })),
  );
  if (here === undefined || there === undefined) throw new Error("no stores");
  const id = await save("Ana", here);
  expect(await storedIds(there)).toEqual(new Set([id]));
  expect(here.place).toMatch(/^\/.*\/test_[\w-]+ \(schema assay\)$/);
  expect(existsSync(folder)).toBe(false);
  await Promise.all([here.close(), there.close()]);
});

describe("the lock", () => {
  it("blocks no reader, however many saves wait in one process on PostgreSQL", async () => {
    const crowded = openAnnotationStore(await freshPostgres());
    onTestFinished(() => crowded.close());
    const first = await save("Ana", crowded);
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const slow = crowded.write(() => opened);
    // More than there are connections.
    const saves = Array.from({ length: 30 }, (_, nth) => save(`Reviewer ${String(nth)}`, crowded));
    try {
      // Once would be before they ask for connections.
      for (let times = 0; times < 5; times += 1) expect((await storedIds(crowded)).size).toBe(1);
    } finally {
      open();
    }
    await slow;
    const ids = await Promise.all(saves);
    expect(await storedIds(crowded)).toEqual(new Set([first, ...ids]));
  });

  it("says that the store is locked when another program holds it, and saves once it is free", async () => {
    await save("Ana");
    const other = new Database(file());
    other.exec("BEGIN EXCLUSIVE");
    expect(await codeOf(save("Ben"))).toBe("store_locked");
    other.exec("ROLLBACK");
    other.close();
    await save("Ben");
    expect((await storedIds()).size).toBe(2);
  });
});

describe("the file", () => {
  it("has everything saved, and no file next to it", async () => {
    await save("Ana");
    expect([await pragma("synchronous"), await pragma("journal_mode")]).toEqual([3, "delete"]);
    expect(readdirSync(folder)).toEqual(["annotations.sqlite"]);
  });

  it("is not created by reading", async () => {
    expect(await listAll(store)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it("of a newer schema is refused and left as it is", async () => {
    await save("Ana");
    await store.close();
    const newer = new Database(file());
    newer.pragma("user_version = 99");
    newer.pragma("wal_checkpoint(TRUNCATE)");
    newer.close();
    const before = readFileSync(file());
    expect(await codeOf(listAll(store))).toBe("store_too_new");
    expect(await codeOf(save("Ben"))).toBe("store_too_new");
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it("that a newer program migrated is refused", async () => {
    await save("Ana");
    await store.close();
    const newer = new Database(file());
    newer.exec("INSERT INTO kysely_migration VALUES ('999_later', '2030-01-01T00:00:00.000Z')");
    newer.close();
    expect(await codeOf(listAll(store))).toBe("store_too_new");
  });

  it("of the first release keeps every row and continues, and no earlier release writes to it again", async () => {
    mkdirSync(folder);
    const ids = writeFirstRelease(file());
    expect(await storedIds()).toEqual(new Set(ids.slice(0, 2)));
    const [trial] = await listAll(store);
    expect(trial?.chains[0]).toMatchObject({
      headVersionId: ids[2],
      current: { judgment: "fail", notes: "first\u0000note", categories: ["Wrong file"] },
      versions: [{ status: "withdrawn" }, { status: "current", version: 1 }],
    });
    const draft = {
      reviewerId: "Ana",
      reviewerDiscipline: null,
      judgment: "pass",
      categories: [],
      notes: null,
    };
    const next = await createAnnotation(store, { subject, draft, baseVersionId: ids[2] ?? null });
    expect(next.version).toBe(4);
    await store.close();
    // The first release opens a file by these two marks, and refuses a version that it does not know.
    const again = new Database(file());
    expect([
      again.pragma("application_id", { simple: true }),
      again.pragma("user_version", { simple: true }),
    ]).toEqual([0x41534159, 2]);
    expect(again.prepare("SELECT count(*) FROM statement").pluck().get()).toBe(4);
    expect(() => again.exec("DELETE FROM statement")).toThrow("append-only");
    expect(() => again.prepare("SELECT 1 FROM annotation_version")).toThrow("no such table");
    again.close();
  });

  it("of the previous release says that each judgment was saved by its reviewer, with the same owner", async () => {
    const draft = {
      reviewerId: "Ana",
      reviewerDiscipline: null,
      judgment: "pass",
      categories: [],
      notes: "",
    };
    mkdirSync(folder);
    writeFirstRelease(file());
    const migrations = Object.entries(ANNOTATION_STORE.listMigrations("sqlite"));
    const before = await openDatabase<Readonly<Record<string, never>>>({
      engine: "sqlite",
      file: file(),
      synchronous: "EXTRA",
    });
    await migrate(before, Object.fromEntries(migrations.filter(([name]) => name < "003")));
    await before.close();
    const old = new Database(file());
    old.exec(`CREATE TEMP TABLE added AS SELECT * FROM annotation_version WHERE seq = 1;
      UPDATE added SET seq = 4, version_id = 'hers', browser_key_hash = 'Ana''s';
      INSERT INTO annotation_version SELECT * FROM added`);
    old.close();
    const input = { subject, draft, baseVersionId: "hers" };
    await expect(createAnnotation(store, input)).rejects.toThrow("another browser");
    await createAnnotation(store, { ...input, actor: { browserKeyHash: "an admin's", isAdmin: true } });
    const [trial] = await listAll(store);
    expect(trial?.chains[0]?.versions.map(({ judgment, savedBy }) => [judgment, savedBy])).toEqual([
      ["pass", "admin"],
      ["fail", null],
      ["pass", null],
      ["fail", null],
    ]);
  });

  it("of another program is refused", async () => {
    mkdirSync(folder);
    const foreign = new Database(file());
    foreign.exec("CREATE TABLE recipes (name TEXT)");
    foreign.close();
    expect(await codeOf(save("Ana"))).toBe("store_foreign");
  });

  it("that is damaged is reported as such and kept", async () => {
    mkdirSync(folder);
    const bytes = Buffer.alloc(8192, "not a database ");
    writeFileSync(file(), bytes);
    expect(await codeOf(listAll(store))).toBe("store_corrupt");
    expect(readFileSync(file()).equals(bytes)).toBe(true);
  });

  it("that cannot grow is reported as a full disk, keeps what it has, and works again with space", async () => {
    await save("Ana");
    await pragma("max_page_count = 1");
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 200; i += 1) await save(`r${String(i)}`);
    };
    expect(await codeOf(fill())).toBe("store_full");
    const kept = await storedIds();
    await save("Zoe");
    expect((await storedIds()).size).toBe(kept.size + 1);
  });

  it("that was replaced while open is the one that everybody writes from then on", async () => {
    await save("Ana");
    rmSync(file());
    const other = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: folder }));
    const there = await save("Ben", other);
    const id = await save("Cy");
    expect(await storedIds()).toEqual(new Set([there, id]));
    await other.close();
    await store.close();
    expect(await storedIds()).toEqual(new Set([there, id]));
  });

  it("that cannot be written is a read-only store", async () => {
    await save("Ana");
    await pragma("query_only = ON");
    expect(await codeOf(save("Ben"))).toBe("store_read_only");
    writeFileSync(join(parent, "plain"), "");
    const below = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: join(parent, "plain", "data") }));
    expect(await codeOf(save("Ben", below))).toBe("store_unavailable");
  });
});

describe("the data folder", () => {
  it("comes from ASSAY_DATA, else XDG_DATA_HOME, else the home folder", () => {
    expect(resolveDataFolder({ ASSAY_DATA: "/a/b", XDG_DATA_HOME: "/x" })).toBe("/a/b");
    expect(resolveDataFolder({ ASSAY_DATA: "", XDG_DATA_HOME: "/x" })).toBe("/x/assay");
    expect(resolveDataFolder({ XDG_DATA_HOME: "relative" })).toMatch(/\/\.local\/share\/assay$/);
  });

  it.each([
    ["result.json", '{"id": "x", "n_total_trials": 3, "stats": {}}'],
    ["result.json", '{"id": "x", "trial_name": "a__b"}'],
    ["job.log", ""],
    ["trial.log", ""],
  ])(
    "is refused below a folder with %s %s, through a link too, and nothing is created",
    async (name, text) => {
      const job = join(parent, "job");
      mkdirSync(join(job, "deep"), { recursive: true });
      writeFileSync(join(job, name), text);
      symlinkSync(join(job, "deep"), join(parent, "link"));
      for (const dataFolder of [job, join(job, "deep", "new", "data"), join(parent, "link", "data")]) {
        const inside = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: dataFolder }));
        expect(await codeOf(save("Ana", inside))).toBe("store_inside_job");
      }
      expect(readdirSync(job).sort()).toEqual(["deep", name]);
      expect(readdirSync(join(job, "deep"))).toEqual([]);
    },
  );

  it("may be next to a user's own result.json", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "result.json"), '{"answer": 42}');
    await save("Ana");
    expect((await storedIds()).size).toBe(1);
  });
});
