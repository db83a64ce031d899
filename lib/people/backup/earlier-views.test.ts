import { writeFileSync } from "node:fs";

import { describe, expect, it, onTestFinished } from "vitest";

import { ANNOTATION_STORE } from "@/lib/people/annotations";
import { EARLIER_VIEW_STORE, listViews, openViewStoreOf, readRunSets, restoreView } from "@/lib/people/views";
import { type DataEnvironment, openDatabase, migrate, resolveTarget } from "@/lib/store/database";

import { EARLIER_VIEWS, freshEnvironment, freshFile, HEADER, makeBackup } from "./backup.fixture";
import { restoreBackup, writeBackup } from "./index";

const [FIRST = ""] = Object.keys(ANNOTATION_STORE.listMigrations("sqlite"));
const TABLE = JSON.stringify({
  table: "annotation_version",
  columns: [
    ...[
      "seq",
      "version_id",
      "kind",
      "withdraws",
      "trial_id",
      "job_id",
      "trial_name",
      "job_name",
      "root_label",
    ],
    ...["task_name", "agent", "model", "outcome_seen", "reward_seen", "reviewer_key", "reviewer_id"],
    ...["reviewer_discipline", "created_at", "judgment", "categories", "notes", "schema_version"],
  ],
});

async function expectViews(environment: DataEnvironment): Promise<void> {
  const store = openViewStoreOf(environment);
  onTestFinished(() => store.close());
  expect(await listViews(store)).toMatchObject({ views: [{ name: "Old", createdBy: "Ada" }], problem: null });
  const set = { id: "358e9ea1", name: "apart", createdBy: null };
  expect(await readRunSets(store)).toMatchObject({ sets: [], apart: [set], problem: null });
  await restoreView(store, "76f775bd-94b9-435d-878a-2a924403deb1");
  expect((await listViews(store)).views).toHaveLength(2);
}

describe.each(["sqlite", "postgres"] as const)("views and run sets of an earlier release on %s", (engine) => {
  it.each([
    ["alone", []],
    ["beside judgments", [JSON.stringify({ store: "annotations", migrations: [FIRST] }), TABLE]],
  ])("are restored %s", async (_, others) => {
    const there = await freshEnvironment(engine);
    const file = makeBackup([HEADER, ...others, ...EARLIER_VIEWS]);
    await restoreBackup(file, there);
    await expectViews(there);
    await expect(restoreBackup(file, there)).rejects.toThrow("is not empty");
  });

  it("are in a backup, and are not restored over", async () => {
    const here = await freshEnvironment(engine);
    const open = await openDatabase<Readonly<Record<string, never>>>(
      resolveTarget(EARLIER_VIEW_STORE.place, here),
    );
    await migrate(open, EARLIER_VIEW_STORE.listMigrations(engine));
    let table = { table: "", columns: [] as readonly string[] };
    for (const line of EARLIER_VIEWS.slice(1)) {
      const value = JSON.parse(line) as typeof table | readonly string[];
      if ("table" in value) table = value;
      else await open.insertRows(open.db, table.table, table.columns, [value]);
    }
    await open.close();
    const earlier = makeBackup([HEADER, ...EARLIER_VIEWS]);
    await expect(restoreBackup(earlier, here)).rejects.toThrow(/is not empty.*statement/);
    const file = freshFile();
    const pieces: Uint8Array[] = [];
    for await (const piece of writeBackup(here, "0.1.0")) pieces.push(piece);
    writeFileSync(file, Buffer.concat(pieces));
    const there = await freshEnvironment(engine);
    const { parts } = await restoreBackup(file, there);
    expect(parts.map(({ name }) => name)).not.toContain("views");
    await expectViews(there);
  });
});
