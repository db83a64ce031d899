import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { ForbiddenError, ValidationError } from "@/lib/core/domain/app-error";
import type { SuggestionAnswer } from "@/lib/core/domain/suggestion";
import { describeEngines } from "@/lib/store/database/postgres.fixture";

import {
  type AnnotationStore,
  answerSuggestion,
  openAnnotationStore,
  readAnnotationsState,
  readAnnotationsVersion,
  readSuggestionAnswers,
} from "..";
import { insertStatements } from "../statements/statement";

const TRIAL: AnnotationSubject = {
  trialId: "0f7b6a52-8f1d-4f9b-9d67-0a7d52c1e001",
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

describeEngines("answers to machines' suggestions", (engine) => {
  let store: AnnotationStore;
  beforeEach(async () => {
    store = openAnnotationStore(await engine.freshTarget());
  });
  afterEach(() => store.close());

  const say = (
    author: string,
    answer: SuggestionAnswer | null,
    { on = TRIAL, version = "out_of_time" }: { on?: AnnotationSubject; version?: string } = {},
  ) => answerSuggestion(store, on, { suggester: "rule:agent-timeout", version, answer, author });
  const list = async () =>
    (await readSuggestionAnswers(store)).standing
      .map(({ reviewerId, answer }) => `${reviewerId} ${answer}`)
      .toSorted();
  const countRows = async () =>
    store.read(0, async (db) => (await db.selectFrom("statement").selectAll().execute()).length);

  it("count the latest of each reviewer, and never replace another's", async () => {
    expect(await list()).toEqual([]);
    await say("Ana", "accepted");
    await say("Ben", "rejected");
    expect(await list()).toEqual(["Ana accepted", "Ben rejected"]);
    // The same reviewer, however the name was typed.
    await say(" ana ", "rejected");
    expect(await list()).toEqual(["Ben rejected", "ana rejected"]);
    await say("Ben", null);
    expect(await list()).toEqual(["ana rejected"]);
    await expect(say("Ben", null)).rejects.toThrow(ValidationError);
    await expect(say("Cleo", null)).rejects.toThrow(ValidationError);
    await say("Ben", "accepted");
    expect(await list()).toEqual(["Ben accepted", "ana rejected"]);
    expect(await countRows()).toBe(5);
    await say("Ben", "accepted");
    expect(await countRows()).toBe(5);
  });

  it("stay with a trial whose folder moved, and with no other of its name or version", async () => {
    await say("Ana", "accepted");
    await say("Ana", "rejected", { on: { ...TRIAL, jobName: "moved", rootLabel: "elsewhere" } });
    expect(await list()).toEqual(["Ana rejected"]);
    const other = { ...TRIAL, trialId: "0f7b6a52-8f1d-4f9b-9d67-0a7d52c1e002" };
    await say("Ana", "accepted", { on: other });
    await say("Ana", "accepted", { version: "provider" });
    expect(await list()).toEqual(["Ana accepted", "Ana accepted", "Ana rejected"]);
    await say("Ana", null, { on: other });
    expect(await list()).toEqual(["Ana accepted", "Ana rejected"]);
  });

  it("are changed and undone only by the browser that gave them, under any name", async () => {
    const give = (author: string, answer: SuggestionAnswer | null, browserKeyHash: string | null) =>
      answerSuggestion(
        store,
        TRIAL,
        { suggester: "judge:slow", version: "", answer, author },
        { browserKeyHash },
      );
    await give("Ana", "accepted", "a");
    for (const key of ["b", null]) {
      await expect(give("ana", "rejected", key)).rejects.toThrow(ForbiddenError);
      await expect(give("Ana", null, key)).rejects.toThrow(ForbiddenError);
    }
    await give("Ben", "rejected", "b");
    expect(await list()).toEqual(["Ana accepted", "Ben rejected"]);
    await give("Ana", null, "a");
    // Undone answers need no protection.
    await give("Ana", "rejected", "b");
    expect(await list()).toEqual(["Ana rejected", "Ben rejected"]);
    // An answer of an unknown browser belongs to the first browser that changes it.
    await say("Cleo", "accepted");
    await give("Cleo", "accepted", "c");
    const cleo = { suggester: "rule:agent-timeout", version: "out_of_time", author: "Cleo" };
    await answerSuggestion(store, TRIAL, { ...cleo, answer: "rejected" }, { browserKeyHash: "c" });
    await expect(
      answerSuggestion(store, TRIAL, { ...cleo, answer: null }, { browserKeyHash: "b" }),
    ).rejects.toThrow(ForbiddenError);
  });

  it("say of each field what is wrong, and store nothing then", async () => {
    const fields = async (input: object) =>
      answerSuggestion(store, TRIAL, {
        suggester: "rule:x",
        version: "",
        answer: "accepted",
        author: "Ana",
        ...input,
      }).then(
        () => [],
        (error: unknown) => (error instanceof ValidationError ? Object.keys(error.fields) : [String(error)]),
      );
    expect(await fields({ author: " " })).toEqual(["author"]);
    expect(await fields({ author: "A\u202Ena" })).toEqual(["author"]);
    expect(await fields({ answer: "maybe" })).toEqual(["answer"]);
    expect(await fields({ suggester: "" })).toEqual(["suggester"]);
    expect(await fields({ suggester: "x".repeat(301) })).toEqual(["suggester"]);
    expect(await list()).toEqual([]);
  });

  it("change nothing that is stored, and set a row aside that cannot be read", async () => {
    await say("Ana", "accepted");
    const before = await readAnnotationsVersion(store);
    await say("Ana", null);
    expect(await readAnnotationsVersion(store)).toBeGreaterThan(before ?? Infinity);
    await expect(
      store.write((db) => sql`update statement set author = 'Ben'`.execute(db).then(() => undefined)),
    ).rejects.toThrow(/append-only/u);
    await store.write(async (db) => {
      const trial = { trialId: null, jobUuid: null, trialName: "t", jobName: "j" };
      await insertStatements(db, [
        {
          id: "of another program",
          kind: "suggestion_answer",
          subject: "t",
          parent: null,
          author: "Ben",
          actor: null,
          at: "yesterday",
          body: JSON.stringify({ trial, suggester: "rule:x", version: "", answer: "accepted" }),
        },
      ]);
    });
    expect(await list()).toEqual([]);
    expect((await readAnnotationsState(store)).problem).toContain("suggestion_answer");
  });
});
