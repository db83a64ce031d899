import { expect, it } from "vitest";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { QueueSettings } from "@/lib/core/domain/review";
import {
  type AnnotationStore,
  answerSuggestion,
  createAnnotation,
  createQueue,
  importAnnotations,
  openAnnotationStore,
} from "@/lib/people/annotations";
import { describeQueries, type EngineUnderTest } from "@/lib/store/database/postgres.fixture";
import { type IndexStore, readPlacesOfTrials } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { readTrialSuggestions } from "../annotations/suggestions";
import { readTaxonomyBase } from "./categories";
import { readTaxonomyPage } from "./page";

const NONE = { jobs: [], agents: [] };

const list = (letter: string, n: number) =>
  Array.from({ length: n }, (_, nth) => `${letter}${String(nth)}__aaaaaaa`);
const [TIMEOUTS, WRONG, PASSED] = [list("t", 6), list("w", 6), list("p", 10)];

const timeout = (name: string) =>
  trialResult(name, 0, {
    exception_info: {
      exception_type: "AgentTimeoutError",
      exception_message: "Agent execution timed out after 900.0 seconds",
      exception_traceback: "",
      occurred_at: "2026-05-01T17:09:00Z",
    },
  });

function makeJobs(): string {
  const rewards = Object.fromEntries([
    ...[...TIMEOUTS, ...WRONG].map((name) => [name, 0] as const),
    ...PASSED.map((name) => [name, 1] as const),
  ]);
  const oracle = trialResult("o0__aaaaaaa", 0);
  return makeFolder({
    ...jobFiles("run", rewards),
    ...Object.fromEntries(TIMEOUTS.map((name) => [`run/${name}/result.json`, timeout(name)])),
    // A judge tags exactly the timeouts as slow.
    ...Object.fromEntries(
      TIMEOUTS.map((name) => [`run/${name}/analysis.json`, { checks: { slow: { outcome: "fail" } } }]),
    ),
    // The verifier gives a failed and a passed trial the same tag.
    ...Object.fromEntries(
      [WRONG[0], PASSED[0]].map((name) => [
        `run/${name ?? ""}/verifier/details.json`,
        { speed: 1, error_tags: ["slow"] },
      ]),
    ),
    ...jobFiles("reference", { o0__aaaaaaa: 0 }),
    "reference/o0__aaaaaaa/result.json": {
      ...oracle,
      config: { ...(oracle["config"] as object), agent: { name: "oracle" } },
      agent_info: { name: "oracle", version: "1" },
    },
  });
}

async function open(engine: EngineUnderTest) {
  const { store } = await indexFolders(engine, [makeJobs()]);
  const annotations = openAnnotationStore(await engine.freshTarget());
  const trials = await store.db.selectFrom("trials").selectAll().execute();
  const subjectOf = (name: string): AnnotationSubject => {
    const trial = trials.find(({ trialName }) => trialName === name);
    if (trial === undefined) throw new Error(`no trial ${name}`);
    const { uuid, runUuid, trialName, taskName, agent, model, outcome } = trial;
    const names = { trialName, taskName, agent, model, jobName: "run", rootLabel: "" };
    return { ...names, trialId: uuid, jobUuid: runUuid, outcomeSeen: outcome, rewardSeen: null };
  };
  return { store, annotations, subjectOf };
}

async function readPage(store: IndexStore, annotations: AnnotationStore, filter = {}) {
  return readTaxonomyPage(store, await readTaxonomyBase(store), { ...NONE, ...filter }, annotations);
}

describeQueries("tags of all sources", (engine) => {
  it("are listed together, each out of the trials that its source read", async () => {
    const { store, annotations, subjectOf } = await open(engine);
    const judge = (name: string, judgment: "pass" | "fail", categories: readonly string[]) =>
      createAnnotation(annotations, {
        subject: subjectOf(name),
        draft: { reviewerId: "Ana", reviewerDiscipline: null, judgment, categories, notes: null },
        baseVersionId: null,
      });
    await judge(TIMEOUTS[0] ?? "", "fail", ["slow"]);
    await judge(PASSED[0] ?? "", "pass", []);
    const page = await readPage(store, annotations);
    // 22 trials of one agent ended, 12 of them did not pass; those of oracle are in no rate.
    expect(page).toMatchObject({ nReviewed: 2, scope: { nFinished: 22, nFailed: 12 } });
    const rate = (count: number, n: number) => ({ kind: "computed", count, n });
    const find = (source: string, category: string) =>
      page.categories.find((row) => row.source === source && row.category === category);
    expect(find("rule", "out_of_time")).toMatchObject({
      nTrials: 6,
      ofAll: rate(6, 22),
      ofFailed: rate(6, 12),
      ofReviewed: rate(1, 2),
    });
    expect(find("judge", "slow")).toMatchObject({ nTrials: 6, ofAll: rate(6, 22), ofFailed: rate(6, 12) });
    expect(find("verifier", "slow")).toMatchObject({
      nTrials: 2,
      ofAll: rate(2, 22),
      ofFailed: rate(1, 12),
      ofReviewed: rate(1, 2),
    });
    expect(find("reviewer", "slow")).toMatchObject({ ofAll: null, ofFailed: null, ofReviewed: rate(1, 2) });
    // Six and six of twelve, all six together: one way in C(12, 6) = 924, and four pairs were tested.
    expect(page.together).toHaveLength(1);
    expect(page.together[0]).toMatchObject({
      failureClass: "out_of_time",
      source: "judge",
      nBoth: 6,
      share: 1,
      expected: 3,
    });
    await annotations.close();
  });

  it("are answered, and counted by who suggested them", async () => {
    const { store, annotations, subjectOf } = await open(engine);
    const rule = { suggester: "rule:agent-timeout", version: "out_of_time" };
    const say = (name: string, author: string, answer: "accepted" | "rejected" | null, of: object = rule) =>
      answerSuggestion(annotations, subjectOf(name), { ...of, answer, author });
    for (const name of TIMEOUTS.slice(0, 5)) await say(name, "Ana", "accepted");
    await say(TIMEOUTS[5] ?? "", "Ana", "rejected");
    await say(TIMEOUTS[0] ?? "", "Ben", "rejected");
    await say(TIMEOUTS[0] ?? "", "Ana", "accepted", { suggester: "judge:slow", version: "" });
    // Of a class that the rule does not give any more.
    await say(TIMEOUTS[1] ?? "", "Ben", "rejected", { ...rule, version: "provider" });
    const find = async (id: string, filter = {}) =>
      (await readPage(store, annotations, filter)).suggesters.find(({ suggester }) => suggester === id);
    expect(await find("rule:agent-timeout")).toMatchObject({
      nTrials: 6,
      nAccepted: 4,
      nRejected: 1,
      nDisputed: 1,
      rate: { kind: "computed", count: 4, n: 5 },
    });
    expect(await find("judge:slow")).toMatchObject({ nAccepted: 1, rate: null });
    expect(await find("rule:oracle-failed")).toMatchObject({ nTrials: 1, nAccepted: 0, rate: null });
    expect(await find("rule:agent-timeout", { jobs: ["reference"] })).toBeUndefined();
    // Undone, four are too few.
    await say(TIMEOUTS[5] ?? "", "Ana", null);
    expect(await find("rule:agent-timeout")).toMatchObject({ nRejected: 0, rate: null });
    await annotations.close();
  });

  it("include those of other tools, each tool's its own, and answered like any other", async () => {
    const { store, annotations, subjectOf } = await open(engine);
    const line = (trial: string, source: string, change: object = {}) =>
      JSON.stringify({ trial, source, category: "slow", ...change });
    const content = [
      ...TIMEOUTS.map((name) => line(name, "judge-a")),
      line(TIMEOUTS[0] ?? "", "judge-a", { description: "Said twice, is one." }),
      line(PASSED[0] ?? "", "judge-b"),
      // By id.
      line(subjectOf(PASSED[1] ?? "").trialId ?? "", "judge-b"),
    ];
    const bytes = new TextEncoder().encode(content.join("\n"));
    const report = await importAnnotations(annotations, [{ name: "tags.jsonl", bytes: [bytes] }], {
      isDryRun: false,
      actor: { browserKeyHash: null, isAdmin: false },
      findTrials: async (names) =>
        (await readPlacesOfTrials(store, names)).map(({ id, ...place }) => ({ ...place, trialId: id })),
    });
    expect(report).toMatchObject({ nErrors: 0, nNewTags: 9 });
    const say = { suggester: "import:judge-a", version: "slow", answer: "accepted", author: "Ana" };
    for (const name of TIMEOUTS.slice(0, 5)) await answerSuggestion(annotations, subjectOf(name), say);
    const page = await readPage(store, annotations);
    const rows = page.categories.filter(({ category }) => category === "slow");
    expect(rows.map(({ source, tool, nTrials }) => [source, tool, nTrials])).toEqual([
      ["judge", null, 6],
      ["verifier", null, 2],
      ["import", "judge-a", 6],
      ["import", "judge-b", 2],
    ]);
    // It is unknown which trials the tools read.
    expect(rows.at(-1)).toMatchObject({ ofAll: null, ofFailed: null, ofReviewed: null });
    expect(page.together.every(({ source }) => source === "judge")).toBe(true);
    const find = (kind: string, id: string) =>
      page.suggesters.find((row) => row.kind === kind && row.id === id);
    expect(find("import", "judge-a")).toMatchObject({
      version: "slow",
      nTrials: 6,
      nAccepted: 5,
      rate: { kind: "computed", count: 5, n: 5 },
    });
    expect(find("import", "judge-b")).toMatchObject({ nTrials: 2, nAccepted: 0, rate: null });
    expect(find("judge", "slow")).toMatchObject({ nAccepted: 0 });
    await annotations.close();
  });

  it("of reviewers are weighted by randomly sampled queues, and have no rate without one", async () => {
    const { store, annotations, subjectOf } = await open(engine);
    const drawn = [...PASSED.slice(0, 2), ...TIMEOUTS];
    const { agent, model } = subjectOf(PASSED[0] ?? "");
    const settings: QueueSettings = {
      name: "Draw",
      goal: "failure-causes",
      method: "stratified",
      seed: 1,
      order: "random",
      source: "Trials",
      sourceHref: "/jobs/run?tab=trials",
      reviewers: [],
      doubleShare: 0,
      hides: [],
      isOpenCoding: false,
      strata: [
        { agent, model, hasPassed: true, nTrials: 10, nDrawn: 2 },
        { agent, model, hasPassed: false, nTrials: 12, nDrawn: 6 },
      ],
    };
    const items = drawn.map((name) => ({ subject: subjectOf(name), nReviewers: 1 as const }));
    const find = async () =>
      (await readPage(store, annotations)).categories.find(({ source }) => source === "reviewer");
    const judge = (position: number, queueId: string | null) =>
      createAnnotation(annotations, {
        subject: subjectOf(drawn[position] ?? ""),
        draft: {
          reviewerId: "Ana",
          reviewerDiscipline: null,
          judgment: "fail",
          // One of the two that passed, and all that did not.
          categories: position === 0 ? [] : ["slow"],
          notes: null,
        },
        baseVersionId: null,
        ...(queueId === null ? {} : { queue: { queueId, position, hidden: [] } }),
      });
    await judge(1, null);
    expect(await find()).toMatchObject({ ofAll: null, ofFailed: null });
    const queueId = await createQueue(annotations, { settings, items, author: "Ana" });
    for (const position of drawn.keys()) if (position !== 1) await judge(position, queueId);
    // The one that was judged elsewhere is open in its queue.
    const page = await find();
    expect(page).toMatchObject({
      ofAll: { kind: "computed", n: 7, rate: 12 / 22 },
      ofFailed: { kind: "computed", n: 6, rate: 1 },
      ofReviewed: { kind: "computed", count: 7, n: 8 },
    });
    await annotations.close();
  });

  it("are the suggestions of a trial that can be answered", async () => {
    const { store, annotations } = await open(engine);
    const { jobRowId, position } = await store.db
      .selectFrom("trials")
      .selectAll()
      .where("trialName", "=", TIMEOUTS[0] ?? "")
      .executeTakeFirstOrThrow();
    expect(await readTrialSuggestions(store, { jobRowId, position }, annotations)).toEqual([
      { suggester: "rule:agent-timeout", version: "out_of_time" },
      { suggester: "judge:slow", version: "" },
    ]);
    await annotations.close();
  });
});
