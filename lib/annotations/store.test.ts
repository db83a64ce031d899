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
import { pathToFileURL } from "node:url";

import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";

import { createAnnotation, listAll, openAnnotationStore, resolveDataFolder } from "./index";
import type { AnnotationStore } from "./index";

const subject: AnnotationSubject = {
  trialId: null,
  jobId: "77b0a0de-0c4f-4f53-8f53-d3c1a7d0c901",
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
  store = openAnnotationStore({ dataFolder: folder, busyTimeoutMs: 150 });
});

afterEach(() => {
  store.close();
  rmSync(parent, { recursive: true, force: true });
});

function save(reviewerId: string, on: AnnotationStore = store): string {
  const draft = {
    reviewerId,
    reviewerDiscipline: null,
    judgment: "fail",
    categories: [],
    notes: `by ${reviewerId}`,
  };
  return createAnnotation(on, { subject, draft, baseVersionId: null }).versionId;
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
  return "no error";
}

const file = (): string => join(folder, "annotations.sqlite");

/** A Node process that saves annotations through this very code, one line of output per save on disk. */
function startWriter(name: string, count: number) {
  const script = join(parent, `${name}.mjs`);
  writeFileSync(
    script,
    `import { registerHooks } from "node:module";
     import { existsSync } from "node:fs";
     import { fileURLToPath } from "node:url";
     const root = ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "..", "..")).href)} + "/";
     registerHooks({ resolve(specifier, context, next) {
       const wanted = specifier.startsWith("@/") ? root + specifier.slice(2)
         : specifier.startsWith(".") ? new URL(specifier, context.parentURL).href : null;
       if (wanted === null) return next(specifier, context);
       const found = [wanted, wanted + ".ts", wanted + "/index.ts"].find((u) => /\\.[cm]?[jt]s$/.test(u) && existsSync(fileURLToPath(u)));
       return next(found ?? specifier, context);
     } });
     const { openAnnotationStore, createAnnotation } = await import(root + "lib/annotations/index.ts");
     const store = openAnnotationStore({ dataFolder: ${JSON.stringify(folder)}, busyTimeoutMs: 20000 });
     const subject = ${JSON.stringify(subject)};
     for (let i = 0; i < ${String(count)}; i += 1) {
       const draft = { reviewerId: ${JSON.stringify(name)} + i, reviewerDiscipline: null, judgment: "pass", categories: [], notes: "n".repeat(2000) };
       process.stdout.write(createAnnotation(store, { subject, draft, baseVersionId: null }).versionId + "\\n");
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

function storedIds(): Set<string> {
  return new Set(
    listAll(store).flatMap((trial) =>
      trial.chains.flatMap((chain) => chain.versions.map((one) => one.versionId)),
    ),
  );
}

describe("several processes", () => {
  it("lets two processes create the store and write to it at once without losing anything", async () => {
    const writers = [startWriter("left", 60), startWriter("right", 60)];
    expect(await Promise.all(writers.map((writer) => writer.exit))).toEqual([0, 0]);
    const reported = writers.flatMap((writer) => writer.savedIds());
    expect(reported).toHaveLength(120);
    expect(storedIds()).toEqual(new Set(reported));
  });

  it("keeps every save it confirmed when the process is killed in the middle, and goes on working", async () => {
    const writer = startWriter("killed", 100_000);
    await new Promise<void>((resolve) => {
      writer.child.on("saved", () => {
        if (writer.savedIds().length >= 25) resolve();
      });
    });
    writer.child.kill("SIGKILL");
    expect(await writer.exit).toBeNull();
    const confirmed = writer.savedIds();
    expect(confirmed.length).toBeGreaterThanOrEqual(25);
    const stored = storedIds();
    expect(confirmed.filter((id) => !stored.has(id))).toEqual([]);
    expect(stored.size - confirmed.length).toBeLessThanOrEqual(1);
    expect(store.run((db) => db.pragma("integrity_check", { simple: true }))).toBe("ok");
    const after = save("Ana");
    expect(storedIds().has(after)).toBe(true);
  });

  it("says that the store is locked when another program holds it, and saves once it is free", () => {
    save("Ana");
    const other = new Database(file());
    other.exec("BEGIN EXCLUSIVE");
    expect(codeOf(() => save("Ben"))).toBe("store_locked");
    other.exec("ROLLBACK");
    other.close();
    save("Ben");
    expect(storedIds().size).toBe(2);
  });
});

describe("the file", () => {
  it("is written with full synchronisation and a write-ahead log", () => {
    expect(
      store.run((db) => [
        db.pragma("synchronous", { simple: true }),
        db.pragma("journal_mode", { simple: true }),
      ]),
    ).toEqual([2, "wal"]);
  });

  it("lets nothing be updated or deleted", () => {
    save("Ana");
    expect(() => store.run((db) => db.exec("UPDATE annotation_version SET notes = 'x'"))).toThrow(
      "append-only",
    );
    expect(() => store.run((db) => db.exec("DELETE FROM annotation_version"))).toThrow("append-only");
    expect(storedIds().size).toBe(1);
  });

  it("is not created by reading", () => {
    expect(listAll(store)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it("of a newer schema is refused and left as it is", () => {
    save("Ana");
    store.close();
    const newer = new Database(file());
    newer.pragma("user_version = 99");
    newer.pragma("wal_checkpoint(TRUNCATE)");
    newer.close();
    const before = readFileSync(file());
    expect(codeOf(() => listAll(store))).toBe("store_too_new");
    expect(codeOf(() => save("Ben"))).toBe("store_too_new");
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it("of another program is refused", () => {
    mkdirSync(folder);
    const foreign = new Database(file());
    foreign.exec("CREATE TABLE recipes (name TEXT)");
    foreign.close();
    expect(codeOf(() => save("Ana"))).toBe("store_foreign");
  });

  it("that is damaged is reported as such and kept", () => {
    mkdirSync(folder);
    const bytes = Buffer.alloc(8192, "not a database ");
    writeFileSync(file(), bytes);
    expect(codeOf(() => listAll(store))).toBe("store_corrupt");
    expect(readFileSync(file()).equals(bytes)).toBe(true);
  });

  it("that cannot grow is reported as a full disk, keeps what it has, and works again with space", () => {
    save("Ana");
    store.run((db) => db.pragma("max_page_count = 1"));
    const fill = (): void => {
      for (let i = 0; i < 200; i += 1) save(`r${String(i)}`);
    };
    expect(codeOf(fill)).toBe("store_full");
    const kept = storedIds();
    save("Zoe");
    expect(storedIds().size).toBe(kept.size + 1);
  });

  it("that was removed while open is made anew instead of writing where nobody looks", () => {
    save("Ana");
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const id = save("Ben");
    expect(storedIds()).toEqual(new Set([id]));
    expect(existsSync(file())).toBe(true);
  });

  it("that was replaced while open leaves the new one's unfinished log alone", () => {
    save("Ana");
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const other = openAnnotationStore({ dataFolder: folder });
    const there = save("Ben", other);
    const id = save("Cy");
    expect(existsSync(`${file()}-wal`)).toBe(true);
    expect(storedIds()).toEqual(new Set([there, id]));
    other.close();
    store.close();
    expect(storedIds()).toEqual(new Set([there, id]));
  });

  it("that cannot be written is a read-only store", () => {
    save("Ana");
    store.run((db) => db.pragma("query_only = ON"));
    expect(codeOf(() => save("Ben"))).toBe("store_read_only");
    writeFileSync(join(parent, "plain"), "");
    const below = openAnnotationStore({ dataFolder: join(parent, "plain", "data") });
    expect(codeOf(() => save("Ben", below))).toBe("store_unavailable");
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
  ])("is refused below a folder with %s %s, through a link too, and nothing is created", (name, text) => {
    const job = join(parent, "job");
    mkdirSync(join(job, "deep"), { recursive: true });
    writeFileSync(join(job, name), text);
    symlinkSync(join(job, "deep"), join(parent, "link"));
    for (const dataFolder of [job, join(job, "deep", "new", "data"), join(parent, "link", "data")]) {
      const inside = openAnnotationStore({ dataFolder });
      expect(codeOf(() => save("Ana", inside))).toBe("store_inside_job");
    }
    expect(readdirSync(job).sort()).toEqual(["deep", name]);
    expect(readdirSync(join(job, "deep"))).toEqual([]);
  });

  it("may lie beside somebody's own result.json", () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "result.json"), '{"answer": 42}');
    save("Ana");
    expect(storedIds().size).toBe(1);
  });
});
