import { expect, it, onTestFinished } from "vitest";

import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { NotFoundError } from "@/lib/core/domain/app-error";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import type { Shown } from "@/lib/store/visibility";

import { changeRow } from "./damage.fixture";
import {
  answerSuggestion,
  closeQueue,
  createAnnotation,
  createQueue,
  decide,
  listAll,
  listDecisions,
  listQueues,
  nameCluster,
  openAnnotationStore,
  readExport,
  readAnnotationsState,
  readHistory,
  readQueue,
  readSuggestionAnswers,
  readTriageNotes,
} from "./index";
import { NO_ACTOR } from "./owner";
import { SETTINGS, subjectOf } from "./queues/queue.fixture";

const CLUSTER = { kind: "exception", scope: "OddError", pattern: "came off" };
const KEYS = ["00112233aabbccdd", "ffeeddccbbaa9988"] as const;

/** Shows the trials that are in the list, and the first of the two clusters. */
function show(trials: readonly TrialIdentity[], state: { version: number }): Shown {
  return {
    version: () => Promise.resolve(state.version),
    findTrials: (names) => {
      const asked = new Set(names);
      return Promise.resolve(trials.filter(({ trialName }) => asked.has(trialName)));
    },
    findJobs: () => Promise.resolve([]),
    findClusters: () => Promise.resolve(new Set([KEYS[0]])),
    findHiddenNames: (texts) => Promise.resolve(new Set(texts.filter((text) => text === "vault"))),
  };
}

describeEngines("judgments of trials, some of them visible", (engine) => {
  const open = async () => {
    const target = await engine.freshTarget();
    const store = openAnnotationStore(target);
    onTestFinished(() => store.close());
    const judge = (to: typeof store, place: number, name = "Ana") =>
      createAnnotation(to, {
        subject: subjectOf(place),
        draft: {
          reviewerId: name,
          reviewerDiscipline: null,
          judgment: "fail",
          categories: [],
          notes: `note ${place}`,
        },
        baseVersionId: null,
      });
    const trials = [subjectOf(0), subjectOf(2)];
    const state = { version: 1 };
    const limited = store.limit({ name: "some", shown: show(trials, state) });
    return { store, limited, target, trials, state, judge };
  };

  it("have damaged rows named without what is in them", async () => {
    const { store, limited, target, judge } = await open();
    await judge(store, 0);
    await judge(store, 1);
    await changeRow(target, "statement", "author", "Changed.");
    await store.close();
    const { nCurrent, problem } = await readAnnotationsState(limited);
    expect([nCurrent, problem]).toEqual([0, expect.stringContaining("row 1 of the table statement")]);
    const { judgments, unreadable } = await readExport(limited);
    expect([judgments.length, unreadable.length]).toEqual([0, 1]);
    expect(JSON.parse(unreadable[0] ?? "")).toMatchObject({ row: 1, columns: {} });
    expect(unreadable[0]).not.toContain(subjectOf(0).trialName);
    await judge(limited, 2);
    expect((await readAnnotationsState(limited)).nCurrent).toBe(1);
  });

  it("are told of the trials that are seen alone, in every list, count and export", async () => {
    const { store, limited, judge } = await open();
    for (const place of [0, 1, 2]) {
      const { versionId } = await judge(store, place);
      await judge(store, place, "Ben");
      const draft = {
        finalJudgment: "pass",
        categories: [],
        reason: `reason ${place}`,
        basedOn: "own",
        codebookNote: null,
        decidedBy: "Cleo",
      };
      const sources = [{ versionId, reviewerId: "Ana" }];
      await decide(store, {
        subject: subjectOf(place),
        sources,
        draft,
        baseDecisionId: null,
        queueId: null,
        actor: NO_ACTOR,
      });
      await answerSuggestion(store, subjectOf(place), {
        suggester: "rule:x",
        version: "1",
        answer: "accepted",
        author: "Ana",
      });
    }
    for (const [at, key] of KEYS.entries())
      await nameCluster(store, { key, name: `name ${at}`, cluster: CLUSTER, author: "Ana", base: 0 });
    const queue = (...places: readonly number[]) =>
      createQueue(store, {
        settings: { ...SETTINGS, name: `queue ${places.join()}` },
        items: places.map((place) => ({ subject: subjectOf(place), nReviewers: 1 as const })),
        author: "Ana",
      });
    const whole = await queue(0, 2);
    const mixed = await queue(0, 1);

    const read = async (of: typeof store) => ({
      trials: (await listAll(of)).map(({ subject }) => subject.trialName).toSorted(),
      nCurrent: (await readAnnotationsState(of)).nCurrent,
      decisions: (await listDecisions(of)).map(({ reason }) => reason).toSorted(),
      queues: (await listQueues(of)).queues.map(({ settings }) => settings.name).toSorted(),
      answers: (await readSuggestionAnswers(of)).standing.length,
      names: [...(await readTriageNotes(of)).names.values()].map(({ name }) => name),
    });
    expect(await read(store)).toMatchObject({ nCurrent: 6, answers: 3, names: ["name 0", "name 1"] });
    expect(await read(limited)).toEqual({
      trials: [0, 2].map((place) => subjectOf(place).trialName),
      nCurrent: 4,
      decisions: ["reason 0", "reason 2"],
      queues: ["queue 0,2"],
      answers: 2,
      names: ["name 0"],
    });
    expect(await readHistory(limited, subjectOf(1))).toEqual([]);
    expect(JSON.stringify(await readExport(limited))).not.toContain(subjectOf(1).trialName);
    expect((await readQueue(limited, whole))?.items).toHaveLength(2);
    expect(await readQueue(limited, mixed)).toBeNull();
    const close = { queueId: mixed, isClosed: true, reviewerId: "Ana", actor: NO_ACTOR };
    await expect(closeQueue(limited, close)).rejects.toThrow(NotFoundError);
    await expect(closeQueue(store, close)).resolves.not.toThrow();
  });

  it("are not told of what was said on a copy that they do not see", async () => {
    const { store, limited, judge } = await open();
    await judge(store, 0);
    const { versionId } = await judge(store, 2);
    const copy = { ...subjectOf(0), jobName: "hidden copy" };
    const draft = {
      reviewerId: "Ben",
      reviewerDiscipline: null,
      judgment: "pass" as const,
      categories: [],
      notes: "on the copy",
    };
    await createAnnotation(store, { subject: copy, draft, baseVersionId: null });
    const moved = { ...subjectOf(2), jobName: "hidden copy" };
    const base = { ...draft, reviewerId: "Ana", notes: "moved" };
    await createAnnotation(store, { subject: moved, draft: base, baseVersionId: versionId });
    expect(JSON.stringify(await readExport(store))).toContain("hidden copy");
    for (const read of [readExport, listAll])
      expect(JSON.stringify(await read(limited))).not.toMatch(/hidden copy|on the copy|moved/);
    expect(await listAll(limited)).toHaveLength(2);
  });

  it("follow what is saved, and folders that come and go", async () => {
    const { store, limited, trials, state, judge } = await open();
    const list = async () => (await listAll(limited)).map(({ subject }) => subject.trialName).toSorted();
    await judge(store, 0);
    await judge(store, 1);
    expect(await list()).toEqual([subjectOf(0).trialName]);
    // A chain continues unchanged through the limited store.
    const again = await judge(limited, 0, "Ben");
    expect(again.version).toBe(1);
    await judge(store, 2);
    expect(await list()).toEqual([0, 2].map((place) => subjectOf(place).trialName));
    trials.splice(0, trials.length, subjectOf(1));
    state.version += 1;
    expect(await list()).toEqual([subjectOf(1).trialName]);
  });

  it("are not told of a copy with the names of the one that is seen, in a folder that is hidden", async () => {
    const { store, limited, judge } = await open();
    await judge(store, 0);
    const subject = { ...subjectOf(0), rootLabel: "vault" };
    const draft = {
      reviewerId: "Ben",
      reviewerDiscipline: null,
      judgment: "pass",
      categories: [],
      notes: "secret",
    };
    await createAnnotation(store, { subject, draft, baseVersionId: null });
    const settings = { ...SETTINGS, name: "copies" };
    await createQueue(store, { settings, items: [{ subject, nReviewers: 1 }], author: "Ana" });
    expect((await listQueues(store)).queues).toHaveLength(1);
    const lines = async (of: typeof store) => JSON.stringify(await readExport(of));
    for (const text of ["vault", "secret"]) expect(await lines(store)).toContain(text);
    expect(await lines(limited)).not.toMatch(/vault|secret|Ben/);
    expect(await lines(limited)).toContain("Ana");
    expect((await listQueues(limited)).queues).toEqual([]);
  });
});
