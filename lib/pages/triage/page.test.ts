import { expect, it } from "vitest";

import { triageAddress } from "@/lib/pages/triage/address";
import {
  answerSuggestion,
  createAnnotation,
  dismissFinding,
  openAnnotationStore,
  readTriageNotes,
  restoreFinding,
} from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { attemptFiles, raised } from "@/lib/testing/attempts.fixture";
import { jobFiles, makeFolder, trialResult } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { getJudgedOrNull } from "../annotations/judged";
import { readClusters } from "../clusters/clusters";
import { readRuleAnswers } from "./answers";
import { makeHeatMap } from "./heat";
import { readFindingDetail, readTriagePage } from "./page";
import { readTriageBase } from "./parts";

const late = (name: string) =>
  trialResult(name, 0, {
    exception_info: {
      exception_type: "AgentTimeoutError",
      exception_message: "Agent execution timed out after 900.0 seconds",
      exception_traceback: "",
      occurred_at: "2026-05-01T17:09:00",
    },
  });
const FILES = {
  ...jobFiles("run", {
    alpha__aaaaaaa: 1,
    alpha__bbbbbbb: 0,
    beta__ccccccc: 0,
    gamma__ddddddd: 0.25,
    delta__eeeeeee: 0,
  }),
  "run/alpha__bbbbbbb/result.json": late("alpha__bbbbbbb"),
  "run/beta__ccccccc/result.json": late("beta__ccccccc"),
};

const SUBJECT = {
  trialId: "id-of-beta__ccccccc",
  jobUuid: "11111111-1111-4111-8111-111111111111",
  trialName: "beta__ccccccc",
  jobName: "run",
  rootLabel: "jobs",
  taskName: "beta",
  agent: "orca",
  model: "m1",
  outcomeSeen: "timeout" as const,
  rewardSeen: null,
};

describeQueries("the triage page", (engine) => {
  const open = async (files: Parameters<typeof makeFolder>[0] = FILES) => {
    const { store } = await indexFolders(engine, [makeFolder(files)]);
    const annotations = openAnnotationStore(await engine.freshTarget());
    const read = async (address: string) => {
      const [base, judged, clusters, notes] = await Promise.all([
        readTriageBase(store),
        getJudgedOrNull(store, annotations),
        readClusters(store, annotations),
        readTriageNotes(annotations),
      ]);
      const params = triageAddress.read(Object.fromEntries(new URLSearchParams(address)));
      const sources = { base, judged, clusters, notes, codebook: null, browserKeyHash: "a" };
      return readTriagePage(store, sources, params, () => 1);
    };
    return { store, annotations, read, close: () => annotations.close() };
  };

  it("counts each trial that did not pass once, out of all that ended, and finds by evidence", async () => {
    const { store, read, close } = await open();
    try {
      const page = await read("");
      expect(page.scope).toMatchObject({ nTrials: 5, nTasks: 4, nUnclassified: 0 });
      expect(page.scope.failures).toHaveLength(4);
      expect([...page.owners.values()].reduce((sum, n) => sum + n, 0)).toBe(4);
      const [first] = page.findings;
      // Both attempts that ran out of time are one finding; of the same agent at alpha the other attempt passed.
      expect(first).toMatchObject({ failureClass: "out_of_time", nTrials: 2, nTasks: 2 });
      expect(first?.bases).toMatchObject({ nSame: 1, nElsewhere: 1 });
      expect(page.causes.reduce((sum, { nTrials }) => sum + nTrials, 0) + page.rest.nTrials).toBe(4);

      if (first === undefined) throw new Error("No finding.");
      const { examples, tasks } = await readFindingDetail(store, page.scope, first);
      // Two tasks, although one alone has enough examples.
      expect(examples.map(({ taskName }) => taskName)).toEqual(["alpha", "beta"]);
      expect(examples[0]?.evidence[0]?.text).toContain("timed out after 900");
      expect(tasks.map(({ taskName, passed }) => [taskName, passed])).toMatchObject([
        ["alpha", { count: 1, n: 2 }],
        ["beta", { count: 0, n: 1 }],
      ]);
      const heat = makeHeatMap(page.scope, "task");
      expect(heat.sums.reduce((sum, n) => sum + n, 0)).toBe(4);
      expect(heat.lines.map(({ label, nFailures, passed }) => [label, nFailures, passed])).toMatchObject([
        ["alpha", 1, { count: 1, n: 2 }],
        ["beta", 1, { count: 0, n: 1 }],
        ["delta", 1, { count: 0, n: 1 }],
        ["gamma", 1, { count: 0, n: 1 }],
      ]);

      const found = await read("q=TIMED OUT AFTER");
      expect(found.scope.failures.map(({ taskName }) => taskName).toSorted()).toEqual(["alpha", "beta"]);
      // Text filters change no denominator.
      expect(found.scope.nTrials).toBe(5);
      expect((await read("task=alpha")).scope).toMatchObject({ nTrials: 2, nTasks: 1 });
    } finally {
      await close();
    }
  });

  it("shows points within one dataset only, which its address chooses", async () => {
    const far = attemptFiles("far", [
      { task: "alpha", reward: 1, over: { source: "other" } },
      { task: "alpha", reward: 0, over: { source: "other" } },
    ]);
    const { read, close } = await open({ ...FILES, ...far });
    try {
      const all = await read("");
      expect(all.scope.datasets.size).toBe(2);
      expect(all.findings.map(({ win }) => win.kind)).not.toContain("computed");
      expect(all.facets.datasets).toMatchObject([
        { id: "bench", count: 4 },
        { id: "other", count: 1 },
      ]);
      const bench = await read("dataset=bench");
      const alone = await open();
      const count = ({ findings }: typeof bench) =>
        findings.map(({ key, nTrials, win }) => [
          key,
          nTrials,
          win.kind === "computed" ? win.expected : null,
        ]);
      expect(count(bench)).toEqual(count(await alone.read("")));
      await alone.close();
      expect(bench.scope).toMatchObject({ nTrials: 5, nTasks: 4, nOtherJobs: 1 });
      expect(bench.scope.jobs.map(({ key }) => key)).toEqual(["run"]);
    } finally {
      await close();
    }
  });

  it("tells a dismissal of this browser from others, and who showed it again and why", async () => {
    const { read, annotations, close } = await open();
    try {
      const [finding] = (await read("")).findings;
      const key = finding?.key ?? "";
      const late = { key, title: "Late", reason: "Meant so", author: "Ben" };
      await dismissFinding(annotations, { ...late, base: 0 }, { browserKeyHash: "b" });
      const dismissed = (await read("")).causes.at(-1);
      expect(dismissed?.dismissal?.isOwn).toBe(false);
      const again = { key, reason: "It is not", author: "Ada", base: dismissed?.base };
      await restoreFinding(annotations, again, { browserKeyHash: "a" });
      const page = await read("");
      expect(page.causes.filter(({ dismissal }) => dismissal !== null)).toEqual([]);
      expect(page.findings.find((one) => one.key === key)?.history).toMatchObject([
        { reason: null, undoReason: "It is not", author: "Ada" },
        { reason: "Meant so", undoReason: null, author: "Ben" },
      ]);
    } finally {
      await close();
    }
  });

  it("says when unexplained trials could change the order, and lists many of them first", async () => {
    const slow = {
      reward: 0,
      over: raised("AgentTimeoutError", "Agent execution timed out after 900.0 seconds"),
    };
    const passes = Array.from({ length: 8 }, () => ({ task: "alpha", reward: 1 }));
    const timeouts = [1, 2, 3].map(() => ({ task: "alpha", ...slow }));
    // The first gain is about 3 of the trials, so one unexplained trial cannot be more, and four can.
    for (const [nOdd, canReorder] of [
      [1, false],
      [4, true],
    ] as const) {
      const odds = Array.from({ length: nOdd }, (_, at) => ({ task: `odd-${String(at)}`, reward: 0 }));
      const files = attemptFiles("run", [...passes, ...timeouts, ...odds]);
      // With a kept file that explains nothing; without one it would have no evidence.
      const kept = Object.keys(files).flatMap((path) =>
        path.includes("/odd-") ? [[path.replace("result.json", "agent/notes.bin"), "\0"] as const] : [],
      );
      const { read, close } = await open({ ...files, ...Object.fromEntries(kept) });
      const page = await read("");
      await close();
      expect(page.unexplained?.nTrials).toBe(nOdd);
      expect(page.canReorder).toBe(canReorder);
      expect(page.causes[0]?.failureClass).toBe("unexplained");
    }
  });

  it("counts answers about the rule of a finding, and tells whose they are", async () => {
    const { store, read, annotations, close } = await open();
    try {
      const page = await read("");
      const [finding] = page.findings;
      if (finding === undefined) throw new Error("No finding.");
      const { examples } = await readFindingDetail(store, page.scope, finding);
      const own = { reviewerKey: "ada", browserKeyHash: "a" };
      const readAnswers = () => readRuleAnswers(store, annotations, finding, examples, own);
      const [alpha] = (await readAnswers()).examples;
      const trial = { jobUuid: "11111111-1111-4111-8111-111111111111", jobName: "run" };
      const subject = { ...SUBJECT, ...trial, trialId: "id-of-alpha__bbbbbbb", trialName: "alpha__bbbbbbb" };
      const given = { ...alpha?.suggestion, answer: "rejected", author: "Ada" };
      await answerSuggestion(annotations, subject, given, { browserKeyHash: "a" });
      const { nChecked, right, examples: after } = await readAnswers();
      expect([nChecked, right]).toEqual([1, null]);
      expect(after.map((one) => one?.of.answers)).toMatchObject([[{ answer: "rejected", isOwn: true }], []]);
      expect(after.map((one) => one?.suggestion.version)).toEqual(["out_of_time", "out_of_time"]);
    } finally {
      await close();
    }
  });

  it("leaves dismissed findings in all counts, and knows which trials were judged", async () => {
    const { read, annotations, close } = await open();
    try {
      const [finding] = (await read("")).findings;
      const key = finding?.key ?? "";
      const late = { key, title: "Late", reason: "Meant so", author: "Ada", base: 0 };
      await dismissFinding(annotations, late, { browserKeyHash: "a" });
      const page = await read("");
      expect(page.causes.filter(({ dismissal }) => dismissal !== null)).toMatchObject([
        { key, nTrials: 2, dismissal: { reason: "Meant so", author: "Ada", isOwn: true }, history: [] },
      ]);
      expect(page.findings.map((one) => one.key)).not.toContain(key);
      expect(page.scope.failures).toHaveLength(4);

      const subject = SUBJECT;
      const draft = {
        reviewerId: "Ada",
        reviewerDiscipline: null,
        judgment: "fail",
        categories: [],
        notes: "",
      };
      await createAnnotation(annotations, { subject, draft, baseVersionId: null });
      expect((await read("reviewed=yes")).scope.failures.map(({ taskName }) => taskName)).toEqual(["beta"]);
      expect((await read("reviewed=no")).scope.failures).toHaveLength(3);
    } finally {
      await close();
    }
  });
});
