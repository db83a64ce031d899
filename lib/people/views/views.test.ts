import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { sql } from "kysely";
import { expect, it } from "vitest";

import { NotFoundError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines, freshSqlite } from "@/lib/store/database/postgres.fixture";

import { addStatements } from "../annotations/statements/statement";
import { deleteView, listViews, openViewStore, renameView, restoreView, saveView } from "./index";
import { parseViewHref } from "./saved";

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
    expect((await listViews(store)).views).toEqual([second, first]);

    await renameView(store, { id: first.id, name: "Flaky" });
    expect((await listViews(store)).views).toHaveLength(2);
    await deleteView(store, second.id);
    expect((await listViews(store)).views).toHaveLength(1);
    expect((await listViews(store)).views).toEqual([{ ...first, name: "Flaky" }]);
    await expect(renameView(store, { id: second.id, name: "Gone" })).rejects.toThrow(NotFoundError);
    await restoreView(store, second.id);
    await store.close();

    const again = openViewStore(target);
    expect((await listViews(again)).views).toEqual([second, { ...first, name: "Flaky" }]);
    await again.close();
  });

  it.each([
    { href: "javascript:alert(1)" },
    { href: "//example.org" },
    { created_at: "yesterday" },
    { name: "x".repeat(81) },
  ])("leave out and name a row that another program wrote with %o", async (wrong) => {
    const store = openViewStore(await engine.freshTarget());
    const kept = await saveView(store, { name: "Mine", href: "/errors", createdBy: null });
    const { created_at: at = kept.createdAt, ...content } = wrong;
    const body = { name: "Theirs", href: "/", isDeleted: false, ...content };
    const said = { kind: "view", subject: "", author: "", actor: null, at } as const;
    await store.write((db) => addStatements(db, [{ ...said, id: "row-of-another", body }]));
    const { views, problem } = await listViews(store);
    expect(views).toEqual([kept]);
    expect(problem).toContain("row-of-another");
    expect(problem).toContain(store.place);
    await store.close();
  });

  it("refuses what is not a page of this program, and names that say nothing", async () => {
    const store = openViewStore(await engine.freshTarget());
    const save = (name: string, href: string) => saveView(store, { name, href, createdBy: null });
    await expect(save("x", "https://example.org/")).rejects.toThrow(ValidationError);
    await expect(save(" \n", "/")).rejects.toThrow("Give it a name.");
    await expect(save("x".repeat(81), "/")).rejects.toThrow(ValidationError);
    await expect(saveView(store, null)).rejects.toThrow(ValidationError);
    await expect(deleteView(store, "../../x")).rejects.toThrow(ValidationError);
    expect((await listViews(store)).views).toEqual([]);
    await store.close();
  });
});

it.each([
  ["/", "/"],
  ["/?q=a%20b&agent=x", "/?q=a%20b&agent=x"],
  ["/jobs/a%2Fb?tab=trials#row", "/jobs/a%2Fb?tab=trials"],
  ["/compare?g=a:b", "/compare?g=a:b"],
  ["/diff?a=run/x&b=run/y", "/diff?a=run/x&b=run/y"],
  ["/beside?a=run/x&b=run/y", "/beside?a=run/x&b=run/y"],
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

it("makes nothing until something is saved, and says so when the file is taken away", async () => {
  const target = freshSqlite();
  const store = openViewStore(target);
  expect((await listViews(store)).views).toEqual([]);
  expect((await listViews(store)).views).toHaveLength(0);
  expect(existsSync(target.file)).toBe(false);
  await saveView(store, { name: "One", href: "/", createdBy: null });
  rmSync(target.file);
  expect((await listViews(store)).problem).toContain(target.file);
  const saving = saveView(store, { name: "Two", href: "/", createdBy: null });
  await expect(saving).rejects.toMatchObject({ code: "store_corrupt" });
  expect(existsSync(target.file)).toBe(false);
  await store.close();
});

it("works again after a failure that its handle was stuck in", async () => {
  const store = openViewStore(freshSqlite());
  await saveView(store, { name: "One", href: "/", createdBy: null });
  await store.write((db) => sql`pragma query_only = on`.execute(db));
  const refused = saveView(store, { name: "Two", href: "/", createdBy: null });
  await expect(refused).rejects.toMatchObject({ code: "store_read_only" });
  await saveView(store, { name: "Three", href: "/", createdBy: null });
  expect((await listViews(store)).views.map(({ name }) => name).toSorted()).toEqual(["One", "Three"]);
  await store.close();
});

it("says that a file is damaged, and leaves it as it is", async () => {
  const target = freshSqlite();
  mkdirSync(dirname(target.file), { recursive: true });
  writeFileSync(target.file, "");
  const store = openViewStore(target);
  const { views, problem } = await listViews(store);
  expect(views).toEqual([]);
  expect(problem).toContain(target.file);
  await expect(saveView(store, { name: "One", href: "/", createdBy: null })).rejects.toMatchObject({
    code: "store_corrupt",
  });
  expect(statSync(target.file).size).toBe(0);
});
