import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ValidationError } from "@/lib/core/domain/app-error";
import { BLIND_PARTS, type QueueSettings } from "@/lib/core/domain/review";
import type { Trial } from "@/lib/core/domain/trial";
import { writePick } from "@/lib/pages/annotations/review-address";
import { queueAddress, type QueueParams } from "@/lib/pages/queues/address";
import {
  type AnnotationStore,
  createAnnotation,
  createQueue,
  decide,
  openAnnotationStore,
  parseQueueDraw,
  readOwnQueueIds,
  type QueueDraw,
  resolveAnnotationTarget,
} from "@/lib/people/annotations";
import type { OpenIndex } from "@/lib/store/indexer";
import { readAllTrials, readHead, readListedJobs } from "@/lib/store/tables";
import { openSamples } from "@/lib/testing/samples.fixture";

import { type DrawnTrial, drawQueue, explainNoCorrection, openQueueSource } from "./new-queue";
import { readQueuePage } from "./queue";

const JOB = "tb2-baseline";

let folder = "";
let index: OpenIndex;
let annotations: AnnotationStore;
let trials: readonly Trial[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "queue-draw-"));
  index = await openSamples();
  annotations = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: join(folder, "annotations") }));
  const head = await readHead(index.store, JOB);
  if (head === null) throw new Error(`${JOB} is not open`);
  trials = await readAllTrials(index.store, head.rowId);
});

afterAll(async () => {
  await annotations.close();
  rmSync(folder, { recursive: true, force: true });
});

const NO_SOURCE: QueueDraw["source"] = { job: null, list: null, picks: [], judgments: [], judged: null };

async function draw(change: Partial<QueueDraw>) {
  return (await drawFrom(change)).drawn;
}

async function drawFrom(change: Partial<QueueDraw>) {
  const request = parseQueueDraw({
    source: { ...NO_SOURCE, job: JOB },
    method: "random",
    size: 20,
    seed: 11,
    order: "random",
    doubleShare: 0,
    ...change,
  });
  const source = await openQueueSource(index.store, request.source, annotations);
  return { source, request, drawn: await drawQueue(index.store, source, request, annotations) };
}

const finished = () => trials.filter(({ state }) => state === "finished");
const keys = (drawn: readonly DrawnTrial[]) => drawn.map(({ key }) => key);

describe("drawing a queue", () => {
  test("takes all finished trials of a list in its order", async () => {
    const { trials: drawn, nMatching, seed } = await draw({ method: "all", order: "list" });
    expect(new Set(keys(drawn))).toEqual(new Set(finished().map(({ key }) => key)));
    expect(nMatching).toBe(finished().length);
    expect(seed).toBeNull();
    const tasks = drawn.map(({ taskName }) => taskName);
    expect(tasks).toEqual(tasks.toSorted());
  });

  test("keeps to the filter of the list", async () => {
    const { trials: drawn } = await draw({
      source: { ...NO_SOURCE, job: JOB, list: "outcome=failed" },
      method: "all",
    });
    expect(new Set(keys(drawn))).toEqual(
      new Set(finished().flatMap(({ key, outcome }) => (outcome === "failed" ? [key] : []))),
    );
  });

  test("warns before a queue is made that its labels would correct no score", async () => {
    const explain = async (change: Partial<QueueDraw>) => {
      const { source, request, drawn } = await drawFrom(change);
      return explainNoCorrection(index.store, source, request, drawn, annotations);
    };
    const failed = { ...NO_SOURCE, job: JOB, list: "outcome=failed" };
    expect(await explain({ source: failed })).toContain("sampled only from trials that did not pass");
    expect(await explain({ source: failed, method: "all" })).toContain("not randomly sampled");
    expect(await explain({})).toBeNull();
    expect(await explain({ method: "stratified" })).toBeNull();
  });

  test("draws the same trials for the same seed and others for another one", async () => {
    const [first, again, other] = [await draw({}), await draw({}), await draw({ seed: 12 })];
    expect(keys(first.trials)).toHaveLength(20);
    expect(keys(again.trials)).toEqual(keys(first.trials));
    expect(keys(other.trials)).not.toEqual(keys(first.trials));
    const inOrder = await draw({ order: "list" });
    expect(new Set(keys(inOrder.trials))).toEqual(new Set(keys(first.trials)));
    expect(keys(inOrder.trials)).not.toEqual(keys(first.trials));
  });

  test("takes the same number per agent and verdict, and records their population", async () => {
    const { trials: drawn, strata, pool } = await draw({ method: "stratified", size: 12 });
    const counts = Map.groupBy(pool, ({ agent, model, outcome }) =>
      JSON.stringify([agent, model, outcome === "passed"]),
    );
    expect(
      strata
        .map(({ agent, model, hasPassed, nTrials }) => [JSON.stringify([agent, model, hasPassed]), nTrials])
        .toSorted(),
    ).toEqual([...counts].map(([name, own]) => [name, own.length]).toSorted());
    expect(strata.reduce((sum, { nDrawn }) => sum + nDrawn, 0)).toBe(12);
    const even = Math.floor(12 / strata.length);
    for (const { nDrawn, nTrials } of strata) expect(nDrawn).toBeGreaterThanOrEqual(Math.min(even, nTrials));
    expect(drawn).toHaveLength(12);
  });

  test("takes trials of tasks that the same agent passed sometimes", async () => {
    const { pool } = await draw({ method: "flaky", size: 500 });
    const byTask = Map.groupBy(
      finished().filter(({ outcome }) => !["missing", "unreadable", "unscored"].includes(outcome)),
      ({ agent, model, taskName }) => JSON.stringify([agent, model, taskName]),
    );
    const flaky = [...byTask.values()].filter(
      (own) => new Set(own.map(({ outcome }) => outcome === "passed")).size === 2,
    );
    expect(flaky.length).toBeGreaterThan(0);
    const expected = new Set(flaky.flatMap((own) => own.map(({ key }) => key)));
    expect(new Set(keys(pool.filter(({ hasPassed }) => hasPassed !== null)))).toEqual(expected);
  });

  test("takes selected trials by job and key, and skips missing ones", async () => {
    const [one, two] = finished();
    const picks = [one, two].map((trial) => writePick(JOB, trial?.key ?? ""));
    const { trials: drawn, strata } = await draw({
      source: { ...NO_SOURCE, picks: [...picks, writePick(JOB, "gone"), writePick("no such job", "x")] },
      method: "selection",
      order: "list",
    });
    expect(new Set(keys(drawn))).toEqual(new Set([one?.key, two?.key]));
    expect(strata).toEqual([]);
  });

  test("takes trials of all jobs, copies once", async () => {
    const { trials: drawn } = await draw({ source: NO_SOURCE, method: "all" });
    const jobs = await readListedJobs(index.store);
    expect(new Set(drawn.map(({ jobRowId }) => jobRowId)).size).toBeGreaterThan(jobs.length / 2);
    const ids = drawn.flatMap(({ uuid, trialName }) => (uuid === null ? [] : [`${uuid} ${trialName}`]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("refuses a filter that it does not know, in place of taking all", async () => {
    const source = { ...NO_SOURCE, job: JOB, list: "outcome=lucky" };
    await expect(draw({ source })).rejects.toThrow(ValidationError);
    await expect(draw({ source: { ...NO_SOURCE, job: "no such job" } })).rejects.toThrow("not open");
    await expect(draw({ size: 0 })).rejects.toThrow(ValidationError);
  });
});

describe("what reviewers said", () => {
  const SETTINGS: QueueSettings = {
    name: "Audit",
    goal: "corrected-score",
    method: "random",
    seed: 1,
    order: "random",
    source: "Trials of tb2-baseline",
    sourceHref: null,
    reviewers: [],
    doubleShare: 1,
    hides: [...BLIND_PARTS],
    isOpenCoding: false,
    strata: [],
  };
  const PARAMS: QueueParams = queueAddress.read({});

  function subjectOf(trial: Trial) {
    return {
      trialId: trial.id,
      jobUuid: trial.jobUuid,
      trialName: trial.trialName,
      jobName: JOB,
      rootLabel: "jobs",
      taskName: trial.taskName,
      agent: trial.agent,
      model: trial.model,
      outcomeSeen: trial.outcome,
      rewardSeen: null,
    };
  }

  async function judge(
    trial: Trial,
    by: string,
    judgment: "pass" | "fail",
    queue?: { queueId: string; position: number },
    browserKeyHash: string | null = null,
  ) {
    const actor = { browserKeyHash, isAdmin: false };
    await createAnnotation(annotations, {
      subject: subjectOf(trial),
      draft: { reviewerId: by, reviewerDiscipline: null, judgment, categories: ["Lucky guess"], notes: null },
      baseVersionId: null,
      actor,
      ...(queue === undefined ? {} : { queue: { ...queue, hidden: SETTINGS.hides } }),
    });
  }

  async function readPage(
    queueId: string,
    reviewerId: string,
    params: Partial<QueueParams> = {},
    browserKeyHash: string | null = null,
  ) {
    const reviewer = { reviewerId, reviewerDiscipline: null, reviewerKey: reviewerId.toLowerCase() };
    const request = {
      queueId,
      params: { ...PARAMS, ...params },
      reviewer,
      ownIds: await readOwnQueueIds(annotations, queueId, { browserKeyHash }),
      identityOf: () => 1,
      now: new Date(),
    };
    return readQueuePage(index.store, request, annotations);
  }

  test("hides parts from a reviewer until their own judgment is saved", async () => {
    const some = finished()
      .filter(({ outcome }) => outcome === "failed")
      .slice(0, 3);
    const items = some.map((trial) => ({ subject: subjectOf(trial), nReviewers: 2 as const }));
    const queueId = await createQueue(annotations, { settings: SETTINGS, items, author: "Ada" });
    const [first, second, third] = some;
    if (first === undefined || second === undefined || third === undefined) throw new Error("too few trials");
    await judge(first, "Ines", "pass", { queueId, position: 0 });

    const before = await readPage(queueId, "Ada");
    const [group] = before.groups;
    expect(group?.standing).toBe("todo");
    expect(group?.rows[0]).toMatchObject({
      agent: null,
      verifier: "hidden",
      categories: [],
      lastChange: null,
      others: [{ reviewerId: "Ines", judgment: null }],
    });
    expect(before.isSourceShown).toBe(false);
    // The page's data names neither agent nor verdict.
    const sent = JSON.stringify(before.groups);
    expect(sent).not.toContain("Lucky guess");
    expect(sent).not.toContain(JSON.stringify(first.agent));
    expect(before.facets.categories).toEqual([]);
    expect((await readPage(queueId, "Ada", { categories: ["Lucky guess"] })).nMatching).toBe(0);

    await judge(first, "Ada", "fail", { queueId, position: 0 });
    const after = await readPage(queueId, "Ada");
    expect(after.groups.map(({ standing, rows }) => [standing, rows.length])).toEqual([
      ["conflict", 1],
      ["todo", 2],
    ]);
    expect(after.groups[0]?.rows[0]).toMatchObject({
      agent: { agent: first.agent, model: first.model },
      verifier: { outcome: "failed" },
      mine: "fail",
      others: [{ reviewerId: "Ines", judgment: "pass" }],
      categories: ["Lucky guess"],
    });
    expect(after.counts).toMatchObject({ nTrials: 3, nReviewed: 1, nDouble: 1, nAgreed: 0, nConflicts: 1 });
    expect(after.mine).toMatchObject({ nReviewed: 1, nLeft: 2, byJudgment: { pass: 0, fail: 1, defer: 0 } });
    // No one decides about their own judgment.
    expect(after.mine.nToDecide).toBe(0);
    expect((await readPage(queueId, "Cleo")).mine.nToDecide).toBe(1);

    await judge(second, "Ada", "fail", { queueId, position: 1 });
    const waiting = await readPage(queueId, "Ada", { standings: ["waiting"] });
    expect(waiting.groups.map(({ rows }) => rows.map(({ taskName }) => taskName))).toEqual([
      [second.taskName],
    ]);
    // Counts by agent and verdict would reveal the last trial.
    expect(waiting.coverage).toBeNull();
    await judge(third, "Ada", "fail", { queueId, position: 2 });
    const done = await readPage(queueId, "Ada");
    const sum = (name: "nTrials" | "nReviewed" | "nComplete") =>
      done.coverage?.map(({ failed }) => failed[name]).reduce((a, b) => a + b, 0);
    expect([sum("nTrials"), sum("nReviewed"), sum("nComplete")]).toEqual([3, 3, 1]);
    expect((await readPage(queueId, "Ines")).coverage).toBeNull();

    const read = async (who: string) =>
      (await readPage(queueId, who)).groups.flatMap(({ rows }) =>
        rows.flatMap(({ position, decided }) => (position === 0 ? [decided] : [])),
      );
    expect(await read("Ada")).toEqual([null]);
    const settle = (finalJudgment: "fail" | null, baseDecisionId: string | null) =>
      decide(annotations, {
        subject: subjectOf(first),
        draft: {
          ...{ finalJudgment, categories: [], reason: "Read the file.", basedOn: null },
          ...{ codebookNote: null, decidedBy: "Dora" },
        },
        sources: [],
        ...{ baseDecisionId, queueId, actor: { browserKeyHash: null, isAdmin: false } },
      });
    const { decisionId } = await settle(null, null);
    expect(await read("Ada")).toEqual(["left open"]);
    await settle("fail", decisionId);
    expect(await read("Ada")).toEqual(["fail"]);
    // A reviewer with trials left sees no judgments or decisions.
    expect(await read("Cleo")).toEqual([null]);
  });

  test("shows an errored trial without a reward as that, and counts it as not passed", async () => {
    const errored = finished().find(({ outcome, rewards }) => outcome === "errored" && rewards === null);
    if (errored === undefined) throw new Error("no such trial");
    const items = [{ subject: subjectOf(errored), nReviewers: 1 as const }];
    const settings = { ...SETTINGS, hides: [] };
    const queueId = await createQueue(annotations, { settings, items, author: "Ada" });
    const { groups, coverage } = await readPage(queueId, "Ada");
    expect(groups[0]?.rows[0]?.verifier).toEqual({ outcome: "errored", reward: null });
    expect(coverage?.map(({ failed, unknown }) => [failed.nTrials, unknown.nTrials])).toEqual([[1, 0]]);
  });

  test("shows nothing if a reviewer's name is typed in another browser", async () => {
    const some = finished()
      .filter(({ outcome }) => outcome === "failed")
      .slice(5, 7);
    const items = some.map((trial) => ({ subject: subjectOf(trial), nReviewers: 2 as const }));
    const queueId = await createQueue(annotations, { settings: SETTINGS, items, author: "Ada" });
    const judgeAll = async (by: string, key: string) => {
      for (const [position, trial] of some.entries())
        await judge(trial, by, "fail", { queueId, position }, key);
    };
    await judgeAll("Cy", "key of Cy");
    const own = await readPage(queueId, "Cy", {}, "key of Cy");
    expect(own.groups[0]?.rows[0]).toMatchObject({
      verifier: { outcome: "failed" },
      mine: "fail",
      categories: ["Lucky guess"],
    });
    expect(own.mine.byJudgment.fail).toBe(2);
    expect([own.isSourceShown, own.coverage?.length === 0]).toEqual([true, false]);
    const other = await readPage(queueId, "Cy", {}, "another key");
    expect(other.groups.flatMap(({ rows }) => rows)).toHaveLength(2);
    for (const row of other.groups.flatMap(({ rows }) => rows))
      expect(row).toMatchObject({
        agent: null,
        verifier: "hidden",
        mine: null,
        categories: [],
        lastChange: null,
      });
    expect(other.mine.byJudgment.fail).toBe(0);
    expect([other.isSourceShown, other.coverage]).toEqual([false, null]);
    expect(other.facets.categories).toEqual([]);
    // Once all is judged, no reviewer can be swayed.
    await judgeAll("Di", "key of Di");
    const over = await readPage(queueId, "Cy", {}, "another key");
    expect(over.groups[0]?.rows[0]).toMatchObject({ verifier: { outcome: "failed" }, mine: "fail" });
    expect(over.isSourceShown).toBe(true);
  });

  test("plans only on samples of the whole list, since a sample of a part does not represent the rest", async () => {
    const drawAndJudge = async (list: string | null) => {
      const request = { source: { ...NO_SOURCE, job: JOB, list }, size: 3, seed: 4 };
      const { trials: drawn, strata } = await draw(request);
      const { href } = await openQueueSource(index.store, request.source, annotations);
      const own = drawn.flatMap(({ key }) => trials.find((trial) => trial.key === key) ?? []);
      const queueId = await createQueue(annotations, {
        settings: { ...SETTINGS, sourceHref: href, strata },
        items: own.map((trial) => ({ subject: subjectOf(trial), nReviewers: 1 as const })),
        author: "Ada",
      });
      for (const [position, trial] of own.entries()) await judge(trial, "Eve", "fail", { queueId, position });
      return own.filter(({ outcome }) => ["passed", "failed"].includes(outcome)).map(({ key }) => key);
    };
    const part = await drawAndJudge("outcome=failed");
    const whole = (await drawAndJudge(null)).filter((key) => !part.includes(key));
    expect([part.length, whole.length > 0]).toEqual([3, true]);
    const planned = await draw({ method: "planned", size: 500 });
    const keysDrawn = keys(planned.trials);
    for (const key of part) expect(keysDrawn).toContain(key);
    for (const key of whole) expect(keysDrawn).not.toContain(key);
  });

  test("takes trials where a reviewer differs from the verifier or another reviewer", async () => {
    const passed = finished().filter(({ outcome }) => outcome === "passed");
    const [against, agreeing] = passed;
    if (against === undefined || agreeing === undefined) throw new Error("too few trials");
    await judge(against, "Bo", "fail");
    await judge(agreeing, "Bo", "pass");
    const drawn = keys((await draw({ method: "disagreements", size: 500 })).trials);
    expect(drawn).toContain(against.key);
    expect(drawn).not.toContain(agreeing.key);
    // Trials that Bo judged outside queues may be sampled, and strata are whole, so all samples of a list can be pooled.
    const planned = await draw({ method: "planned", size: 30 });
    expect(planned.trials).toHaveLength(30);
    const stratified = await draw({ method: "stratified", size: 30 });
    expect(planned.strata.map(({ nTrials }) => nTrials)).toEqual(
      stratified.strata.map(({ nTrials }) => nTrials),
    );
    expect(planned.strata.reduce((sum, { nDrawn }) => sum + nDrawn, 0)).toBe(30);
  });

  test("plans no labels for a list filtered by result, because they correct no score", async () => {
    const filtered = { ...NO_SOURCE, job: JOB, list: "outcome=failed" };
    const refused = await draw({ method: "planned", source: filtered }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ValidationError);
    expect(Object.keys((refused as ValidationError).fields)).toEqual(["method"]);
    const ofOneAgent = { ...filtered, list: `agent=${encodeURIComponent(finished()[0]?.agent ?? "")}` };
    expect((await draw({ method: "planned", source: ofOneAgent, size: 5 })).trials).toHaveLength(5);
  });
});
