import { expect, it, onTestFinished } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { QueueSettings } from "@/lib/core/domain/review";
import { queueAddress } from "@/lib/pages/queues/address";
import { createAnnotation, createQueue, openAnnotationStore, parseQueueDraw } from "@/lib/people/annotations";
import { addStatements } from "@/lib/people/annotations/statements/statement";
import { isDrawnFrom, nameMember } from "@/lib/people/labels/draws";
import { collectSample, listLabels } from "@/lib/people/labels/sample";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { readHead, readPopulation } from "@/lib/store/tables";
import { EVERY_TRIAL } from "@/lib/store/tables/read/selection.fixture";
import { jobResult, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders, openCounted } from "@/lib/testing/index.fixture";

import { drawQueue, openQueueSource } from "../queues/new-queue";
import { readQueuePage } from "../queues/queue";
import { getDraws, readListPopulation, readWholeList } from "./groups";

const TRIALS = { a__aaaaaaa: 1, b__aaaaaaa: 0, c__aaaaaaa: 1 };

describeQueries("draws", (engine) => {
  it("from all trials count each copy of a trial once, as the form that made them did", async () => {
    const files = Object.entries(TRIALS).flatMap(([name, reward]) =>
      ["one", "z copy"].map((job) => [`${job}/${name}/result.json`, trialResult(name, reward)] as const),
    );
    const folder = makeFolder({
      "one/result.json": jobResult(TRIALS),
      "z copy/result.json": jobResult(TRIALS),
      ...Object.fromEntries(files),
    });
    const store = await openCounted(await indexFolders(engine, [folder]));
    const annotations = openAnnotationStore(await engine.freshTarget());
    onTestFinished(() => annotations.close());
    const source = { job: null, list: null, picks: [], judgments: [], judged: null };
    const form = { source, method: "random", size: 3, seed: 1, order: "random", doubleShare: 0 };
    const list = await openQueueSource(store, source, annotations);
    const { trials, strata } = await drawQueue(store, list, parseQueueDraw(form), annotations);
    expect(strata.map(({ nTrials }) => nTrials)).toEqual([2, 1]);
    const population = await readListPopulation({ store, generation: 1, version: "" }, "/trials");
    expect([...(population?.keys() ?? [])].toSorted()).toEqual(trials.map(nameMember).toSorted());
    expect(isDrawnFrom(strata, population ?? new Map(), false)).toBe(true);
  });

  it("are read with the current state of the sampled list, and with judgments", async () => {
    const files = Object.entries(TRIALS).map(
      ([name, reward]) =>
        [`one/${name}/result.json`, trialResult(name, reward, { task_name: name.split("__")[0] })] as const,
    );
    const folder = makeFolder({ "one/result.json": jobResult(TRIALS), ...Object.fromEntries(files) });
    const { store } = await indexFolders(engine, [folder]);
    const head = await readHead(store, "one");
    if (head === null) throw new Error("It was just stored.");
    const rows = await readPopulation(store, head.rowId, EVERY_TRIAL);
    expect(rows.map(({ key, outcome }) => `${key} ${outcome}`).toSorted()).toEqual([
      "a__aaaaaaa passed",
      "b__aaaaaaa failed",
      "c__aaaaaaa passed",
    ]);
    expect(await readPopulation(store, null, { ...EVERY_TRIAL, outcomes: ["failed"] })).toHaveLength(1);

    const annotations = openAnnotationStore(await engine.freshTarget());
    onTestFinished(() => annotations.close());
    const [first] = rows;
    if (first === undefined) throw new Error("no trial");
    const { agent, model } = first;
    const subject = (trialName: string, outcomeSeen: "passed" | "failed"): AnnotationSubject => ({
      trialId: null,
      jobUuid: null,
      trialName,
      jobName: "one",
      rootLabel: "jobs",
      taskName: trialName.slice(0, 1),
      agent,
      model,
      outcomeSeen,
      rewardSeen: null,
    });
    const settings = (sourceHref: string | null, nPassed: number): QueueSettings => ({
      name: "Draw",
      goal: "corrected-score",
      method: "stratified",
      seed: 1,
      order: "random",
      source: "Trials",
      sourceHref,
      reviewers: [],
      doubleShare: 0,
      hides: [],
      isOpenCoding: false,
      strata: [
        { agent, model, hasPassed: true, nTrials: nPassed, nDrawn: 1 },
        { agent, model, hasPassed: false, nTrials: 1, nDrawn: 0 },
      ],
    });
    const items = [{ subject: subject("a__aaaaaaa", "passed"), nReviewers: 1 as const }];
    const make = (sourceHref: string | null, nPassed: number) =>
      createQueue(annotations, { settings: settings(sourceHref, nPassed), items, author: "Ada" });
    const queueId = await make("/jobs/one?tab=trials", 2);
    await make("/trials?job=one", 2);
    await make("/trials", 7);
    await make("/jobs/gone?tab=trials", 2);
    await make("/annotations", 2);
    await make(null, 2);
    const at = { store, generation: 1, version: "" };
    for (const href of ["/jobs/one?tab=trials&outcome=failed", "/trials?outcome=failed", "/trials?max=0"])
      expect(
        [...((await readWholeList(at, href))?.keys() ?? [])].map((name) => name.split(" ")[1]).toSorted(),
      ).toEqual(["a__aaaaaaa", "b__aaaaaaa", "c__aaaaaaa"]);
    expect((await readWholeList(at, "/trials?task=a"))?.size).toBe(1);
    expect((await readWholeList(at, "/trials?task=a&outcome=failed"))?.size).toBe(1);
    const read = async () => (await getDraws(store, annotations)).draws.toReversed();
    expect((await read()).map(({ problem }) => problem)).toEqual([
      null,
      null,
      "changed-list",
      "unknown-list",
      "unknown-list",
      "unknown-list",
    ]);
    await createAnnotation(annotations, {
      subject: subject("a__aaaaaaa", "passed"),
      draft: {
        reviewerId: "Ada",
        reviewerDiscipline: null,
        judgment: "fail",
        categories: [],
        notes: "Wrong file.",
        confidence: null,
        evidence: [],
      },
      baseVersionId: null,
      queue: { queueId, position: 0, hidden: [] },
    });
    const after = await read();
    const population = after[0]?.population ?? new Map();
    const labels = listLabels(collectSample(population, after));
    expect(labels.map(({ verifier, human }) => [verifier, human])).toEqual([[true, false]]);

    // An unreadable trial was sampled but cannot be counted.
    await annotations.write(async (db) => {
      const made = { author: "Ana", actor: null, at: new Date().toISOString() };
      const place = { subject: "-1", parent: queueId };
      await addStatements(db, [{ ...made, ...place, kind: "queue_item", body: { position: -1 } }]);
    });
    await make(null, 2);
    expect((await read()).map(({ problem }) => problem).slice(0, 2)).toEqual(["unreadable-trials", null]);
    const request = {
      queueId,
      params: queueAddress.read({}),
      reviewer: { reviewerId: "", reviewerDiscipline: null, reviewerKey: "" },
      ownIds: null,
      identityOf: () => 0,
      now: new Date(),
    };
    const page = await readQueuePage(store, request, annotations);
    expect(page.noCorrection).toContain("unreadable");
    expect(page.problem).toContain("1 trial of this queue cannot be read");
    expect(page.counts.nTrials).toBe(1);
  });
});
