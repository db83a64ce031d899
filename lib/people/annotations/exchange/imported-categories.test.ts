import { afterEach, beforeEach, expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { describeEngines } from "@/lib/store/database/postgres.fixture";

import {
  type AnnotationStore,
  changeCodebook,
  createAnnotation,
  decide,
  importAnnotations,
  listAll,
  listDecisions,
  mapForward,
  openAnnotationStore,
  prepareExport,
  readCodebook,
} from "../index";
import { NO_ACTOR } from "../owner";

const subject: AnnotationSubject = {
  trialId: null,
  jobUuid: null,
  trialName: "tidy-ledger__aB3dE7x",
  jobName: "nightly",
  rootLabel: "runs",
  taskName: "tidy-ledger",
  agent: "orca",
  model: null,
  outcomeSeen: "failed",
  rewardSeen: "0.0",
};

describeEngines("categories of imported judgments", ({ freshTarget }) => {
  let source: AnnotationStore;
  let target: AnnotationStore;

  beforeEach(async () => {
    source = openAnnotationStore(await freshTarget());
    target = openAnnotationStore(await freshTarget());
  });
  afterEach(async () => {
    await source.close();
    await target.close();
  });

  const change = async (store: AnnotationStore, one: object) => {
    const { version: baseVersion } = (await readCodebook(store)).codebook;
    await changeCodebook(store, { change: one, author: "Ada", baseVersion });
  };
  const rename = (store: AnnotationStore, id: string, label: string) =>
    change(store, { kind: "edit", id, text: { label, contexts: ["fail"] } });
  const add = (store: AnnotationStore, id: string, label: string) =>
    change(store, { kind: "add", categories: [{ id, label, contexts: ["fail"] }] });
  const judge = async (categories: readonly string[]) => {
    const draft = { reviewerId: "Ana", reviewerDiscipline: null, judgment: "fail", categories, notes: null };
    await createAnnotation(source, { subject, draft, baseVersionId: null });
    await decide(source, {
      subject,
      draft: {
        finalJudgment: "fail",
        categories,
        reason: "r",
        basedOn: null,
        codebookNote: null,
        decidedBy: "Cy",
      },
      sources: [],
      baseDecisionId: null,
      queueId: null,
      actor: NO_ACTOR,
    });
  };
  const carry = async () => {
    const bytes = [new TextEncoder().encode([...(await prepareExport(source)).lines].join(""))];
    return importAnnotations(target, [{ name: "in.jsonl", bytes }], { isDryRun: false, actor: NO_ACTOR });
  };
  /** The categories of the judgment and the decision. */
  const listIds = async (store: AnnotationStore) => {
    const history = await readCodebook(store);
    const judged = (await listAll(store)).flatMap(({ chains }) =>
      chains.flatMap(({ current }) => current ?? []),
    );
    const all = [...judged, ...(await listDecisions(store))];
    return all.map((one) => mapForward(history, one).map(({ id }) => id));
  };

  it("are those of their ids, regardless of the exporter's version numbers", async () => {
    for (const store of [source, target]) await add(store, "loops", "Loops");
    for (const label of ["A", "B", "C"]) await add(source, label, label);
    await judge(["Loops"]);
    // Here the name belongs to another category from the first change on, and to this one before.
    await rename(target, "loops", "Circles");
    await add(target, "other", "Loops");
    expect(await carry()).toMatchObject({ state: "done", notes: [] });
    expect(await listIds(target)).toEqual([["loops"], ["loops"]]);
    expect(await carry()).toMatchObject({ nNew: 0, nNewDecisions: 0, nConflicts: 0 });
  });

  it("do not change when the codebook here comes to the exporter's number", async () => {
    for (const label of ["A", "B", "C"]) await add(source, label, label);
    await judge(["Wrong output"]);
    await carry();
    await rename(target, "wrong-output", "Off by one");
    await add(target, "new", "Wrong output");
    await add(target, "D", "D");
    expect(await listIds(target)).toEqual([["wrong-output"], ["wrong-output"]]);
  });

  it("get the name of here where the exporter's is another, which the report notes", async () => {
    for (const store of [source, target]) await add(store, "loops", "Loops");
    await rename(source, "loops", "Goes round");
    await add(target, "round", "Goes round");
    await judge(["Goes round"]);
    const report = await carry();
    expect(report.notes).toEqual([expect.stringContaining("2 category names do not match the id")]);
    expect((await listAll(target))[0]?.chains[0]?.current?.categories).toEqual(["Loops"]);
    expect(await listIds(target)).toEqual([["loops"], ["loops"]]);
    expect(await carry()).toMatchObject({ nNew: 0, nKnown: 2, nConflicts: 0, notes: [] });
  });
});
