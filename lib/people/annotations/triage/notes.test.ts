import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";

import { ConflictError, ForbiddenError, ValidationError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";

import {
  type AnnotationStore,
  dismissFinding,
  nameCluster,
  openAnnotationStore,
  readAnnotationsState,
  readAnnotationsVersion,
  readTriageNotes,
  restoreFinding,
} from "..";
import { NO_ACTOR } from "../owner";
import { insertStatements } from "../statements/statement";

const KEY = "00112233aabbccdd";
const CLUSTER = {
  kind: "exception",
  scope: "AgentTimeoutError",
  pattern: "timed out after ⟨number⟩ seconds",
};

describeEngines("what people say of clusters and findings", (engine) => {
  let store: AnnotationStore;
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });
  afterEach(() => store.close());

  const name = (text: string, author: string, base: number) =>
    nameCluster(store, { key: KEY, name: text, cluster: CLUSTER, author, base });
  const readName = async () => (await readTriageNotes(store)).names.get(KEY);
  const lastSeq = async () => (await readName())?.history.at(-1)?.seq ?? 0;

  it("names a cluster again and takes the name back, and says who called it what and when", async () => {
    expect(await readName()).toBeUndefined();
    const at = new Date("2026-03-01T10:00:00Z");
    await nameCluster(
      store,
      { key: KEY, name: " Slow\nmodel ", cluster: CLUSTER, author: "Ana", base: 0 },
      NO_ACTOR,
      at,
    );
    await name("Timeouts", "Ben", await lastSeq());
    expect((await readName())?.name).toBe("Timeouts");
    await name("", "Cleo", await lastSeq());
    const { cluster, history = [], name: last } = (await readName()) ?? {};
    expect(last).toBeNull();
    expect(cluster).toEqual(CLUSTER);
    expect(history.map(({ text, author }) => [text, author])).toEqual([
      ["Slow model", "Ana"],
      ["Timeouts", "Ben"],
      [null, "Cleo"],
    ]);
    expect(history[0]?.createdAt).toBe(at.toISOString());
  });

  it("refuses a name based on one that another user changed meanwhile, and keeps theirs", async () => {
    await name("Slow model", "Ana", 0);
    await expect(name("Timeouts", "Ben", 0)).rejects.toThrow(ConflictError);
    await expect(name("Timeouts", "Ben", 0)).rejects.toThrow("Ana");
    expect((await readName())?.name).toBe("Slow model");
  });

  it("dismisses a finding for a reason and restores it, each once", async () => {
    const dismiss = {
      key: "rule agent-timeout task-1",
      title: "Timeouts in task-1: 9 trials",
      author: "Ana",
    };
    const read = async () => (await readTriageNotes(store)).dismissals.get(dismiss.key);
    await dismissFinding(store, { ...dismiss, reason: "Known: the limit is meant.", base: 0 });
    const made = await read();
    expect(made).toMatchObject({ reason: "Known: the limit is meant.", title: dismiss.title });
    const base = made?.history[0]?.seq ?? 0;
    await restoreFinding(store, { key: dismiss.key, author: "Ben", base });
    expect(await read()).toMatchObject({ reason: null, title: dismiss.title });
    const again = (await read())?.history.at(-1)?.seq ?? 0;
    await expect(restoreFinding(store, { key: dismiss.key, author: "Ben", base: again })).rejects.toThrow(
      ValidationError,
    );
    await dismissFinding(store, { ...dismiss, reason: "Still meant.", base: again });
    expect((await read())?.history.map(({ author }) => author)).toEqual(["Ana", "Ben", "Ana"]);
  });

  it("lets others answer a dismissal with a reason, under their own name, never under its author's", async () => {
    const [anas, bens] = [{ browserKeyHash: "a" }, { browserKeyHash: "b" }];
    const finding = { key: "out_of_time k", title: "Late", author: "Ana", reason: "Meant so." };
    const read = async () => (await readTriageNotes(store)).dismissals.get(finding.key);
    const base = async () => (await read())?.history.at(-1)?.seq ?? 0;
    const restore = async (author: string, reason: string, actor = bens) =>
      restoreFinding(store, { key: finding.key, author, reason, base: await base() }, actor);
    await dismissFinding(store, { ...finding, base: 0 }, anas);
    await expect(restore("Ben", " ")).rejects.toThrow("Enter a reason (visible to others): Ana");
    await expect(restore("Ana", "It is not.")).rejects.toThrow(ForbiddenError);
    await expect(
      restoreFinding(store, { key: finding.key, author: " ana", reason: "x", base: await base() }),
    ).rejects.toThrow(ForbiddenError);
    expect((await read())?.reason).toBe("Meant so.");
    await restore("Ben", "It is not.");
    expect((await read())?.history.at(-1)).toMatchObject({
      text: null,
      undoReason: "It is not.",
      author: "Ben",
    });
    // The user who dismissed it can restore it without a reason.
    await dismissFinding(store, { ...finding, base: await base() }, anas);
    await restore("Ana", "", anas);
    expect((await read())?.reason).toBeNull();
    await nameCluster(store, { key: KEY, name: "A", cluster: CLUSTER, author: "Ana", base: 0 }, anas);
    const rename = async (author: string) =>
      nameCluster(store, { key: KEY, name: "B", cluster: CLUSTER, author, base: await lastSeq() }, bens);
    await expect(rename("ANA")).rejects.toThrow(ForbiddenError);
    await rename("Ben");
    expect((await readName())?.history.map(({ author }) => author)).toEqual(["Ana", "Ben"]);
  });

  it("names the problem of each field, and stores nothing", async () => {
    const fields = async (work: Promise<void>) =>
      work.then(
        () => [],
        (error: unknown) => (error instanceof ValidationError ? Object.keys(error.fields) : [String(error)]),
      );
    const cluster = { key: KEY, name: "A", cluster: CLUSTER, author: "Ana", base: 0 };
    expect(await fields(nameCluster(store, { ...cluster, author: " " }))).toEqual(["author"]);
    expect(await fields(nameCluster(store, { ...cluster, name: "a".repeat(121) }))).toEqual(["name"]);
    expect(await fields(nameCluster(store, { ...cluster, name: "a\u202Eb" }))).toEqual(["name"]);
    expect(await fields(nameCluster(store, { ...cluster, key: "../x" }))).toEqual(["key"]);
    const finding = { key: "k", title: "t", reason: " ", author: "Ana", base: 0 };
    expect(await fields(dismissFinding(store, finding))).toEqual(["reason"]);
    expect(await fields(dismissFinding(store, "nonsense"))).toEqual(["whole"]);
    expect((await readTriageNotes(store)).version).toBe(0);
  });

  it("changes nothing stored, and tells callers that cache it", async () => {
    await name("Slow model", "Ana", 0);
    const before = await readAnnotationsVersion(store);
    await name("Timeouts", "Ana", await lastSeq());
    expect(await readAnnotationsVersion(store)).toBeGreaterThan(before ?? Infinity);
    await expect(
      store.write((db) => sql`update statement set body = 'x'`.execute(db).then(() => undefined)),
    ).rejects.toThrow(/append-only/u);
  });

  it("sets a row aside that cannot be read, and names it above pages", async () => {
    const row = {
      id: "of another program",
      kind: "triage_note",
      subject: KEY,
      parent: null,
      author: "Ana",
      actor: null,
      at: "2026-03-01T10:00:00Z",
      body: "no JSON",
    } as const;
    await store.write(async (db) => {
      await insertStatements(db, [row]);
    });
    await name("B", "Ben", 0);
    expect((await readName())?.name).toBe("B");
    expect((await readAnnotationsState(store)).problem).toContain("triage_note");
  });
});
