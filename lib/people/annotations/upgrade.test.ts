import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import { restoreCopy } from "@/lib/store/database/stored-copy.fixture";

import {
  createAnnotation,
  importAnnotations,
  listDecisions,
  listQueues,
  openAnnotationStore,
  prepareExport,
  readCodebook,
  readQueue,
  readHistory,
  readSuggestionAnswers,
  readTriageNotes,
  takeNext,
} from "./index";
import { subjectOf } from "./queues/queue.fixture";

const COPY = join(import.meta.dirname, "release-006");
const ANA = { browserKeyHash: "a".repeat(64), isAdmin: false };
const BEN = { browserKeyHash: "b".repeat(64), isAdmin: false };

describeEngines("a store of the release before", (engine) => {
  it("answers as that release did, and goes on", async () => {
    const store = openAnnotationStore(await restoreCopy(engine, COPY, "assay"));
    onTestFinished(() => store.close());
    // What that release exported of it, line by line; what this one adds to a line is its own.
    const exported = async () =>
      [...(await prepareExport(store, { history: true })).lines].map((one) => JSON.parse(one) as object);
    const before = readFileSync(`${COPY}.fixture.jsonl`, "utf8").trim().split("\n");
    expect(before).toHaveLength(5);
    expect(await exported()).toEqual(
      expect.arrayContaining(
        before.map((one) => expect.objectContaining(JSON.parse(one) as object) as unknown),
      ),
    );
    const { codebook } = await readCodebook(store);
    expect([codebook.version, codebook.categories.at(-1)?.label]).toEqual([1, "Wrong branch"]);
    const { queues } = await listQueues(store);
    expect(queues).toMatchObject([{ settings: { name: "Verifier audit" } }]);
    const [{ queueId } = { queueId: "" }] = queues;
    expect(await readQueue(store, queueId)).toMatchObject({
      items: [0, 1, 2].map((place) => ({ subject: subjectOf(place) })),
      skips: [{ position: 2, reviewerKey: "ana" }],
    });
    expect([...(await readTriageNotes(store)).names].map(([key, { name }]) => [key, name])).toEqual([
      ["00112233aabbccdd", "Slow"],
    ]);
    const { standing } = await readSuggestionAnswers(store);
    expect(standing).toMatchObject([{ suggester: "rule:agent-timeout", answer: "accepted" }]);
    expect(await listDecisions(store, subjectOf(7))).toMatchObject([
      { finalJudgment: "fail", decidedBy: "Cleo" },
    ]);

    // Chains belong to whom they belonged, and continue.
    const history = await readHistory(store, subjectOf(7));
    const ana = history.find(({ reviewerId }) => reviewerId === "Ana");
    const draft = {
      reviewerId: "Ana",
      reviewerDiscipline: null,
      judgment: "fail",
      categories: [],
      notes: "later",
    };
    const next = { subject: subjectOf(7), draft, baseVersionId: ana?.headVersionId ?? null };
    await expect(createAnnotation(store, { ...next, actor: BEN })).rejects.toThrow("another browser");
    expect(await createAnnotation(store, { ...next, actor: ANA })).toMatchObject({ version: 3 });
    const work = { queueId, reviewerId: "Ben", actor: BEN, from: null };
    expect(await takeNext(store, work)).toMatchObject({ kind: "item", lease: { position: 0 } });
    // What that release did not have.
    const tag = JSON.stringify({ trial: "t1", job: "nightly", category: "gave up", source: "my-judge" });
    const files = [{ name: "in.jsonl", bytes: [Buffer.from(tag)] }];
    const report = await importAnnotations(store, files, { isDryRun: false, actor: ANA });
    expect([report.nNewTags, report.nErrors]).toEqual([1, 0]);
    // An export also holds the queue and its three trials.
    expect(await exported()).toHaveLength(before.length + 2 + 1 + 1 + (1 + 3));
  });
});
