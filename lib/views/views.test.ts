import { existsSync, rmSync } from "node:fs";

import { sql } from "kysely";
import { expect, it } from "vitest";

import { NotFoundError, ValidationError } from "@/lib/domain/app-error";
import { describeEngines, freshSqlite } from "@/lib/database/postgres.fixture";

import { countViews, deleteView, listViews, openViewStore, renameView, restoreView, saveView } from "./index";
import { parseViewHref } from "./view-schema";

describeEngines("saved views", (engine) => {
  it("are listed newest first, renamed, deleted and brought back", async () => {
    const target = await engine.freshTarget();
    const store = openViewStore(target);
    const first = await saveView(
      store,
      { name: " Flaky tasks ", href: "/jobs/tb2?pattern=flaky#t", createdBy: "Ada" },
      new Date("2026-03-01T10:00:00Z"),
    );
    expect(first).toMatchObject({ name: "Flaky tasks", href: "/jobs/tb2?pattern=flaky", createdBy: "Ada" });
    const second = await saveView(
      store,
      { name: "All errors", href: "/errors", createdBy: "" },
      new Date("2026-03-02T10:00:00Z"),
    );
    expect(second.createdBy).toBeNull();
    expect(await listViews(store)).toEqual([second, first]);

    await renameView(store, { id: first.id, name: "Flaky" });
    expect(await countViews(store)).toBe(2);
    await deleteView(store, second.id);
    expect(await countViews(store)).toBe(1);
    expect(await listViews(store)).toEqual([{ ...first, name: "Flaky" }]);
    await expect(renameView(store, { id: second.id, name: "Gone" })).rejects.toThrow(NotFoundError);
    await restoreView(store, second.id);
    await store.close();

    const again = openViewStore(target);
    expect(await listViews(again)).toEqual([second, { ...first, name: "Flaky" }]);
    await again.close();
  });

  it("refuses what is not a page of this program, and names that say nothing", async () => {
    const store = openViewStore(await engine.freshTarget());
    const save = (name: string, href: string) => saveView(store, { name, href, createdBy: null });
    await expect(save("x", "https://example.org/")).rejects.toThrow(ValidationError);
    await expect(save(" \n", "/")).rejects.toThrow("Give it a name.");
    await expect(save("x".repeat(81), "/")).rejects.toThrow(ValidationError);
    await expect(saveView(store, null)).rejects.toThrow(ValidationError);
    await expect(deleteView(store, "../../x")).rejects.toThrow(ValidationError);
    expect(await listViews(store)).toEqual([]);
    await store.close();
  });
});

it.each([
  ["/", "/"],
  ["/?q=a%20b&agent=x", "/?q=a%20b&agent=x"],
  ["/jobs/a%2Fb?tab=trials#row", "/jobs/a%2Fb?tab=trials"],
  ["/compare?g=a:b", "/compare?g=a:b"],
  ["//example.org", null],
  ["/\\example.org", null],
  ["/\t/example.org", null],
  ["https://example.org/", null],
  ["javascript:alert(1)", null],
  ["/api/events", null],
  ["/jobs/../api/events", null],
  ["jobs", null],
  ["", null],
  [`/?q=${"x".repeat(5000)}`, null],
])("%j is saved as %j", (text, href) => {
  expect(parseViewHref(text)).toBe(href);
});

it("makes nothing until something is saved, and starts anew when the file is taken away", async () => {
  const target = freshSqlite();
  const store = openViewStore(target);
  expect(await listViews(store)).toEqual([]);
  expect(await countViews(store)).toBe(0);
  expect(existsSync(target.file)).toBe(false);
  await saveView(store, { name: "One", href: "/", createdBy: null });
  for (const end of ["", "-wal", "-shm"]) rmSync(`${target.file}${end}`, { force: true });
  expect(await listViews(store)).toEqual([]);
  await saveView(store, { name: "Two", href: "/", createdBy: null });
  expect((await listViews(store)).map(({ name }) => name)).toEqual(["Two"]);
  await store.close();
});

it("works again after a failure that its handle was stuck in", async () => {
  const store = openViewStore(freshSqlite());
  await saveView(store, { name: "One", href: "/", createdBy: null });
  await store.write((db) => sql`pragma query_only = on`.execute(db));
  const refused = saveView(store, { name: "Two", href: "/", createdBy: null });
  await expect(refused).rejects.toMatchObject({ code: "store_read_only" });
  await saveView(store, { name: "Three", href: "/", createdBy: null });
  expect((await listViews(store)).map(({ name }) => name).toSorted()).toEqual(["One", "Three"]);
  await store.close();
});
