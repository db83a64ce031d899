import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import Database from "better-sqlite3";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

import { AppError } from "@/lib/core/domain/app-error";
import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { subjectOf } from "@/lib/people/annotations/queues/queue.fixture";
import { openViewStoreOf, saveRunSet, saveView } from "@/lib/people/views";
import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { restoreBackup, writeBackup } from "./index";
import { makeTrailer, readBackup } from "./read-backup";

/** Something of both stores and both kinds of files. */
async function fill(environment: { readonly ASSAY_DATA: string }): Promise<void> {
  const store = openAnnotationStore(resolveAnnotationTarget(environment));
  const draft = {
    reviewerId: "Ana",
    reviewerDiscipline: null,
    judgment: "pass",
    categories: ["Odd"],
    notes: "n",
  };
  const actor = { browserKeyHash: "a".repeat(64), isAdmin: false };
  await createAnnotation(store, { subject: subjectOf(1), draft, baseVersionId: null, actor });
  await store.close();
  const views = openViewStoreOf(environment);
  await saveView(views, { name: "Flaky", href: "/jobs/tb2?pattern=flaky", createdBy: "Ada" });
  const members = [{ job: null, jobKey: "base-1", jobName: "base-1", group: "orca__m__d" }];
  await saveRunSet(views, { name: "base", members, createdBy: null });
  await views.close();
  writeFileSync(join(environment.ASSAY_DATA, "rules.toml"), "# mine\n");
}

it("a backup with a whole hash is restored whole or refused, and a refused one leaves nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backup-fuzz-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const here = { ASSAY_DATA: join(folder, "here") };
  await fill(here);
  const file = join(folder, "assay.backup");
  const pieces: Uint8Array[] = [];
  for await (const piece of writeBackup(here, "0.1.0")) pieces.push(piece);
  const sample =
    gunzipSync(Buffer.concat(pieces)).toString().trim().split("\n").slice(0, -1).join("\n") + "\n";
  let nth = 0;
  const restore = async () => {
    const data = join(folder, `there-${String(++nth)}`);
    try {
      await withinTime(() => restoreBackup(file, { ASSAY_DATA: data }));
      expectWhole(data);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(listRows(data)).toEqual([]);
    }
    expect(readdirSync(folder).toSorted()).toEqual(
      ["assay.backup", "here", ...(existsSync(data) ? [`there-${nth}`] : [])].toSorted(),
    );
    rmSync(data, { recursive: true, force: true });
  };
  writeFileSync(file, addTrailer(sample));
  await restore();
  await fc.assert(
    fc.asyncProperty(arbitraryMutation([sample]), async (mutation) => {
      writeFileSync(file, addTrailer(mutation.bytes));
      await restore();
    }),
    planRuns({ short: 8, long: 500 }),
  );
});

it("of a file with any other byte no line is given away", async () => {
  const folder = mkdtempSync(join(tmpdir(), "backup-fuzz-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "assay.backup");
  const whole = addTrailer(
    '{"format":"assay.backup/1","assay":"0.1.0","created_at":"t"}\n{"store":"views","migrations":[]}\n',
  );
  const damage = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(damage, async ([place, change, isCut]) => {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(place) ^ change, place);
      writeFileSync(file, isCut ? whole.subarray(0, place) : changed);
      const lines: unknown[] = [];
      const read = async () => {
        for await (const one of readBackup(file)) lines.push(one);
      };
      await expect(withinTime(read)).rejects.toBeInstanceOf(AppError);
      expect(lines).toEqual([]);
    }),
    planRuns({ short: 50, long: 10_000 }),
  );
});

function addTrailer(text: string | Buffer): Buffer {
  const compressed = gzipSync(text);
  return Buffer.concat([compressed, makeTrailer(createHash("sha256").update(compressed).digest("hex"))]);
}

/** All rows of what a restore left, of either store. */
function listRows(data: string): readonly unknown[] {
  return openFiles(data).flatMap((file) => {
    const names = file
      .prepare("select name from sqlite_schema where type = 'table'")
      .pluck()
      .all()
      .map(String);
    const rows = names
      .filter((name) => !/^(?:sqlite|kysely)_/.test(name))
      .flatMap((name) => file.prepare(`select * from "${name}"`).all());
    file.close();
    return rows;
  });
}

/** Checks what a restore says it did: sound files that hold what refers to what. */
function expectWhole(data: string): void {
  for (const file of openFiles(data)) {
    expect(file.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(file.pragma("foreign_key_check")).toEqual([]);
    file.close();
  }
}

function openFiles(data: string): Database.Database[] {
  return ["annotations.sqlite", "views.sqlite"]
    .map((name) => join(data, name))
    .filter((path) => existsSync(path))
    .map((path) => new Database(path, { readonly: true }));
}
