import { expect, it } from "vitest";

import { computeExpectedWin } from "@/lib/core/stats";
import { triageAddress } from "@/lib/pages/triage/address";
import { createAnnotation, openAnnotationStore, readCodebook } from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { type Attempt, attemptFiles, raised } from "@/lib/testing/attempts.fixture";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";

import { getJudgedOrNull } from "../annotations/judged";
import { readClusters } from "../clusters/clusters";
import { readTriagePage } from "./page";
import { readTriageBase } from "./parts";

const OLD = { task_checksum: "0".repeat(64), started_at: "2025-01-01T00:00:00Z" };
const RUN: readonly Attempt[] = [
  { task: "alpha", reward: 1 },
  { task: "alpha", reward: 0 },
  { task: "alpha", reward: 1 },
  { task: "beta", reward: 0 },
  { task: "beta", reward: 0, agent: "lamp" },
  { task: "gamma", reward: 1 },
  { task: "gamma", reward: 0, agent: "lamp" },
  { task: "delta", reward: 0 },
  { task: "delta", reward: 0 },
  { task: "delta", reward: 0 },
  { task: "delta", reward: 0 },
];
const RUN_FILES = {
  ...attemptFiles("run", RUN),
  ...attemptFiles("old", [{ task: "beta", reward: 0, over: OLD }]),
};

describeQueries("findings about tasks", (engine) => {
  const read = async (
    files: Parameters<typeof makeFolder>[0],
    said: Readonly<Record<string, { judgment: "pass" | "fail"; categories?: readonly string[] }>> = {},
    address = "",
  ) => {
    const { store } = await indexFolders(engine, [makeFolder(files)]);
    const annotations = openAnnotationStore(await engine.freshTarget());
    try {
      for (const [trialName, { judgment, categories = [] }] of Object.entries(said))
        await createAnnotation(annotations, {
          subject: {
            trialId: `id-run-${trialName}`,
            jobUuid: "11111111-1111-4111-8111-111111111111",
            trialName,
            jobName: "run",
            rootLabel: "jobs",
            taskName: "delta",
            agent: "orca",
            model: null,
            outcomeSeen: "failed",
            rewardSeen: "0",
          },
          draft: {
            reviewerId: "Ada",
            reviewerDiscipline: null,
            judgment,
            categories: [...categories],
            notes: "",
          },
          baseVersionId: null,
        });
      const sources = {
        base: await readTriageBase(store),
        judged: await getJudgedOrNull(store, annotations),
        clusters: await readClusters(store, annotations),
        notes: null,
        codebook: await readCodebook(annotations),
        browserKeyHash: null,
      };
      const params = triageAddress.read(Object.fromEntries(new URLSearchParams(address)));
      return await readTriagePage(store, sources, params, () => 1);
    } finally {
      await annotations.close();
    }
  };

  it("call a task broken if the oracle failed it and no agent passed, at the oracle's version", async () => {
    const ref = attemptFiles("ref", [
      { task: "beta", reward: 0, agent: "oracle" },
      { task: "beta", reward: 0, agent: "oracle" },
      // A broken environment is no evidence about the task.
      { task: "delta", reward: null, agent: "oracle", over: raised("DaytonaError", "no sandbox") },
      { task: "alpha", reward: 1, agent: "oracle" },
      { task: "gamma", reward: 0, agent: "oracle" },
    ]);
    const page = await read({ ...RUN_FILES, ...ref });
    const broken = page.findings.filter(({ kind }) => kind === "broken");
    expect(
      broken.map(({ tasks, nTrials, oracle }) => [tasks, nTrials, oracle?.nOracleFailed, oracle?.nPassed]),
    ).toEqual([
      [["beta"], 2, 2, 0],
      [["gamma"], 1, 1, 1],
    ]);
    const [beta] = broken;
    expect(page.scope.jobs.find(({ id }) => id === beta?.oracle?.place.jobRowId)?.key).toBe("ref");
    // orca passed 3 of its 8 trials at other tasks; lamp 0 of 1.
    expect(beta?.win).toEqual(
      computeExpectedWin(
        [
          { nTrials: 1, n: 8, reward: 3 },
          { nTrials: 1, n: 1, reward: 0 },
        ],
        0,
        12,
      ),
    );
    // The evidence is of all jobs under any filter; the trials are filtered.
    const chosen = await read({ ...RUN_FILES, ...ref }, {}, "job=run&agent=lamp");
    const ofLamp = chosen.findings.filter(({ kind }) => kind === "broken");
    expect(ofLamp.map(({ tasks, nTrials }) => [tasks[0], nTrials]).toSorted()).toEqual([
      ["beta", 1],
      ["gamma", 1],
    ]);
  });

  it("exclude tasks that the oracle passed or never ran", async () => {
    const ref = attemptFiles("ref", [{ task: "beta", reward: 1, agent: "oracle" }]);
    const page = await read({ ...RUN_FILES, ...ref });
    expect(page.findings.map(({ kind }) => kind)).not.toContain("broken");
  });

  it("list verifiers that reviewers call too strict, and win the share they passed", async () => {
    const strict = { judgment: "fail", categories: ["Verifier too strict"] } as const;
    const page = await read(RUN_FILES, {
      delta__run0008: { judgment: "pass" },
      delta__run0009: strict,
      delta__run0010: { judgment: "fail" },
    });
    const found = page.findings.filter(({ kind }) => kind === "strict");
    expect(found).toMatchObject([
      { tasks: ["delta"], nTrials: 4, strict: { nJudged: 3, nSaid: 2 }, failureClass: "verifier" },
    ]);
    expect(found[0]?.win).toEqual(computeExpectedWin([{ nTrials: 4, n: 3, reward: 2 }], 0, 12));

    // One judgment speaks of its own trial alone, and one that agrees with the verifier of nothing.
    const one = await read(RUN_FILES, {
      delta__run0008: { judgment: "pass" },
      beta__run0003: { judgment: "fail" },
    });
    const [alone, ...more] = one.findings.filter(({ kind }) => kind === "strict");
    expect(more).toEqual([]);
    expect(alone?.win).toEqual(computeExpectedWin([{ nTrials: 1, n: 1, reward: 1 }], 0, 12));
  });
});
