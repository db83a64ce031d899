import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import Database from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { runCli } from "@/lib/cli/run-cli";
import { openAccountStoreOf, readServerSecret } from "@/lib/people/accounts/store";
import { listViews, openViewStoreOf, renameView, saveView } from "@/lib/people/views";
import { freshSqlite } from "@/lib/store/database/postgres.fixture";
import { restoreCopy } from "@/lib/store/database/stored-copy.fixture";
import { bundleAnnotations } from "@/lib/testing/bundle.fixture";
import { mountDisk, remount } from "@/lib/testing/disk.fixture";

import { createAnnotation, openAnnotationStore, readAnnotationsState } from "./index";
import { subjectOf } from "./queues/queue.fixture";

const draft = { reviewerId: "Ana", reviewerDiscipline: null, judgment: "fail", categories: [], notes: "n" };

describe("a data folder on a read-only disk", () => {
  let data: string;
  let environment: { readonly ASSAY_DATA: string };

  beforeEach((context) => {
    const disk = mountDisk("size=20m");
    if (disk === null) return context.skip("no right to mount a disk");
    data = disk;
    environment = { ASSAY_DATA: data };
  });

  const openStore = () => {
    const target = {
      engine: "sqlite",
      file: join(data, "annotations.sqlite"),
      synchronous: "EXTRA",
    } as const;
    const store = openAnnotationStore(target);
    onTestFinished(() => store.close());
    return store;
  };

  async function run(...args: readonly string[]) {
    let [out, said] = ["", ""];
    const code = await runCli([...args], {
      stdout: { write: (text: string) => ((out += text), true), once: () => undefined },
      stderr: { write: (text: string) => ((said += text), true), once: () => undefined },
      env: environment,
    });
    return { code, out, said };
  }

  const judge = (store = openStore()) =>
    createAnnotation(store, { subject: subjectOf(1), draft, baseVersionId: null });

  it("is read, and refuses a save alone", async () => {
    const store = openStore();
    await judge(store);
    await store.close();
    const before = await run("annotations", "export");
    expect(before.out.trim().split("\n")).toHaveLength(1);
    remount(data, "ro");
    expect(await run("annotations", "export")).toEqual(before);
    expect(await readAnnotationsState(store)).toEqual({ nCurrent: 1, problem: null, isDamaged: false });
    const save = judge(store);
    await expect(save).rejects.toMatchObject({ code: "store_read_only" });
    await expect(save).rejects.toThrow(/cannot be written.*Give Assay write permission/);
    expect(readdirSync(data)).toEqual(["annotations.sqlite"]);
    remount(data, "rw");
    await createAnnotation(store, { subject: subjectOf(2), draft, baseVersionId: null });
    expect((await readAnnotationsState(store)).nCurrent).toBe(2);
  });

  it("is read as an earlier release left it, and backed up, but nothing is restored into it", async () => {
    const old = await restoreCopy(
      { name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) },
      join(import.meta.dirname, "release-006"),
      "assay",
    );
    if (old.engine !== "sqlite") throw new Error("No file.");
    const file = join(data, "annotations.sqlite");
    copyFileSync(old.file, file);
    const bytes = readFileSync(file);
    remount(data, "ro");
    const exported = await run("annotations", "export", "--history");
    expect([exported.code, exported.said]).toEqual([0, ""]);
    expect(exported.out.trim().split("\n").length).toBeGreaterThanOrEqual(5);
    const backup = join(dirname(old.file), "all.backup");
    expect((await run("backup", backup)).code).toBe(0);
    expect(readFileSync(file).equals(bytes)).toBe(true);

    const empty = mountDisk("size=20m") ?? "";
    data = empty;
    environment = { ASSAY_DATA: empty };
    const views = openViewStoreOf(environment);
    await views.write(() => Promise.resolve());
    await views.close();
    const store = openStore();
    await store.write(() => Promise.resolve());
    await store.close();
    remount(empty, "ro");
    const restored = await run("restore", backup);
    expect(restored.code).toBe(2);
    expect(restored.said).toContain("cannot be written");
  });

  it("gives its views and its secret, so that pages and sessions go on", async () => {
    const views = openViewStoreOf(environment);
    const accounts = openAccountStoreOf(environment);
    onTestFinished(async () => {
      await views.close();
      await accounts.close();
    });
    await saveView(views, { name: "Mine", href: "/jobs?q=a", createdBy: null });
    const secret = await readServerSecret(accounts);
    await views.close();
    await accounts.close();
    remount(data, "ro");
    expect((await listViews(views)).views).toMatchObject([{ name: "Mine" }]);
    expect(await readServerSecret(accounts)).toBe(secret);
    await expect(
      saveView(views, { name: "Other", href: "/jobs?q=b", createdBy: null }),
    ).rejects.toMatchObject({
      code: "store_read_only",
    });
  });

  it("gives views that an earlier release saved, also to a backup, and moves them once it can", async () => {
    const old = await restoreCopy(
      { name: "sqlite", freshTarget: () => Promise.resolve(freshSqlite()) },
      join(import.meta.dirname, "../views/release-002"),
      "assay_views",
    );
    if (old.engine !== "sqlite") throw new Error("No file.");
    copyFileSync(old.file, join(data, "views.sqlite"));
    remount(data, "ro");
    const views = openViewStoreOf(environment);
    onTestFinished(() => views.close());
    const list = async () => (await listViews(views)).views;
    const before = await list();
    expect(before).toMatchObject([{ href: "/jobs/tb2?pattern=flaky", createdBy: "Ada" }]);
    expect(readdirSync(data)).toEqual(["views.sqlite"]);
    const backup = join(dirname(old.file), "views.backup");
    expect(await run("backup", backup)).toMatchObject({ code: 0 });
    remount(data, "rw");
    await renameView(views, { id: before[0]?.id, name: "Renamed" });
    expect(await list()).toEqual([{ ...before[0], name: "Renamed" }]);
    environment = { ASSAY_DATA: join(dirname(old.file), "restored") };
    expect(await run("restore", backup)).toMatchObject({ code: 0 });
    const restored = openViewStoreOf(environment);
    onTestFinished(() => restored.close());
    expect((await listViews(restored)).views).toEqual(before);
  });

  it("says that a write which a crash cut short cannot be rolled back", async () => {
    const store = openStore();
    await judge(store);
    await store.close();
    const file = join(data, "annotations.sqlite");
    const bytes = readFileSync(file);
    const writer = new Database(file);
    writer.pragma("cache_size = 1");
    writer.exec(
      "begin; create table other (text); with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into other select hex(randomblob(900)) from n",
    );
    copyFileSync(file, `${file}.crashed`);
    copyFileSync(`${file}-journal`, `${file}.crashed-journal`);
    writer.close();
    copyFileSync(`${file}.crashed`, file);
    copyFileSync(`${file}.crashed-journal`, `${file}-journal`);
    expect(readFileSync(file).equals(bytes)).toBe(false);
    remount(data, "ro");
    const { problem } = await readAnnotationsState(store);
    expect(problem).toMatch(/unfinished write .*-journal.*Give Assay write permission/);
    expect(await run("annotations", "export")).toMatchObject({
      code: 2,
      out: "",
      said: expect.stringContaining("-journal") as string,
    });
    remount(data, "rw");
    expect((await readAnnotationsState(store)).nCurrent).toBe(1);
    await store.close();
    writeFileSync(`${file}-wal`, "what a crash left");
    remount(data, "ro");
    expect((await readAnnotationsState(store)).problem).toContain("-wal");
  });
});

it("is read by a user who may not write there", async (context) => {
  if (process.getuid?.() !== 0) return context.skip("only root becomes another user");
  const target = freshSqlite();
  const store = openAnnotationStore(target);
  await createAnnotation(store, { subject: subjectOf(1), draft, baseVersionId: null });
  await store.close();
  const bundle = await bundleAnnotations();
  for (let folder of [dirname(target.file), dirname(fileURLToPath(bundle))])
    for (; folder !== tmpdir() && folder !== "/"; folder = dirname(folder)) chmodSync(folder, 0o755);
  const script = `import { openAnnotationStore, createAnnotation, prepareExport } from ${JSON.stringify(bundle)};
    const store = openAnnotationStore(${JSON.stringify(target)});
    console.log([...(await prepareExport(store)).lines].length);
    await createAnnotation(store, { subject: ${JSON.stringify(subjectOf(2))}, draft: ${JSON.stringify(draft)}, baseVersionId: null }).catch((error) => console.log(error.code));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", "--input-type=module", "-e", script],
    { uid: 65_534, gid: 65_534, encoding: "utf8", cwd: import.meta.dirname },
  );
  expect([stdout, stderr]).toEqual(["1\nstore_read_only\n", ""]);
});
