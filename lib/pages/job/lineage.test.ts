import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { parseTrialsParams } from "@/lib/pages/trials/address";
import { describeQueries, type EngineUnderTest } from "@/lib/store/database/postgres.fixture";
import { type IndexStore, type JobHead, readHead } from "@/lib/store/tables";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { indexFolders } from "@/lib/testing/index.fixture";
import { diffFiles, regradeFiles } from "@/lib/testing/lineage.fixture";

import { getJobLineage, type JobLineage } from "./lineage";
import { getTrialsPanel } from "./trials";

async function openJob(
  engine: EngineUnderTest,
  files: Parameters<typeof makeFolder>[0],
  name: string,
): Promise<{ store: IndexStore; job: JobHead; lineage: JobLineage | null }> {
  const { store } = await indexFolders(engine, [makeFolder(files)]);
  const job = await readHead(store, name);
  if (job === null) throw new Error(`no job ${name}`);
  return { store, job, lineage: await getJobLineage(store, job) };
}

function withoutJob(files: Parameters<typeof makeFolder>[0], job: string): Parameters<typeof makeFolder>[0] {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(`${job}/`)));
}

describeQueries("the lineage of a job", (engine) => {
  it("counts every regraded trial as one flip, with both means over trials that have a reward on both sides", async () => {
    const { lineage } = await openJob(engine, regradeFiles(), "regrade");
    expect(lineage?.flips?.total).toEqual({
      counts: {
        up: 1,
        down: 1,
        unchanged: 3,
        "newly-scored": 1,
        "no-longer-scored": 1,
        "never-scored": 1,
        unfinished: 0,
        "source-not-open": 0,
      },
      nTrials: 8,
      nCommon: 5,
      // 1, 0, 0, 1, 0.5 became 1, 1, 0, 0, 0.5.
      meanBefore: 0.5,
      meanAfter: 0.5,
    });
    expect(lineage?.flips?.versions).toEqual([{ source: "1.0.0", own: "1.1.0" }]);
    expect(lineage?.flips?.changed.map(({ taskName }) => taskName).sort()).toEqual([
      "alpha",
      "beta",
      "delta",
      "gamma",
    ]);
    expect(lineage?.sources).toEqual([
      { action: "regrade", name: "source", open: expect.objectContaining({ key: "source" }) as unknown },
    ]);
  });

  it("links each count to exactly its trials", async () => {
    const { store, job, lineage } = await openJob(engine, regradeFiles(), "regrade");
    const list = async (flip: string) => {
      const panel = await getTrialsPanel(store, job, parseTrialsParams({ flip }));
      return panel.rows.map(({ trial }) => trial.key).sort();
    };
    expect(await list("up")).toEqual(["alpha__aaaaaabr"]);
    expect(await list("down")).toEqual(["beta__bbbbbbbr"]);
    expect(await list("unchanged")).toEqual(["alpha__aaaaaaar", "beta__bbbbbbar", "gamma__gggggar"]);
    expect(await list("newly-scored")).toEqual(["gamma__gggggbr"]);
    expect(await list("no-longer-scored")).toEqual(["delta__dddddar"]);
    for (const [flip, count] of Object.entries(lineage?.flips?.total.counts ?? {})) {
      expect(await list(flip), flip).toHaveLength(count);
    }
    expect((await getTrialsPanel(store, job, parseTrialsParams({}))).nMatching).toBe(8);
  });

  it("reports unknown rewards of a source that is not open, and finds it once it is", async () => {
    const { lineage } = await openJob(engine, withoutJob(regradeFiles(), "source"), "regrade");
    expect(lineage?.sources).toEqual([{ action: "regrade", name: "source", open: null }]);
    expect(lineage?.flips?.total).toMatchObject({ nCommon: 0, meanBefore: null, meanAfter: null });
    expect(lineage?.flips?.total.counts).toMatchObject({
      "source-not-open": 8,
      unchanged: 0,
      "newly-scored": 0,
    });
  });

  it("links the source to the jobs that regraded it", async () => {
    const { lineage } = await openJob(engine, regradeFiles(), "source");
    expect(lineage?.flips).toBeNull();
    expect(lineage?.regradedIn).toEqual([expect.objectContaining({ key: "regrade", nTrials: 8 })]);
  });

  it("knows that the cost of a regrade is its source's, in whole and in part", async () => {
    const regrade = await openJob(engine, regradeFiles(), "regrade");
    expect(regrade.job).toMatchObject({ costUsd: 4, regraded: { nTrials: 8, costUsd: 4 } });
    const diff = await openJob(engine, diffFiles(), "diff");
    expect(diff.job).toMatchObject({ costUsd: 4, regraded: { nTrials: 1, costUsd: 0.5 } });
    const source = await openJob(engine, regradeFiles(), "source");
    expect(source.job.regraded).toEqual({ nTrials: 0, costUsd: null });
  });

  it("derives reused, regraded and rerun trials of a diff job from both plans", async () => {
    const { lineage } = await openJob(engine, diffFiles(), "diff");
    const { diff } = lineage ?? {};
    expect(
      diff?.tasks.map(({ taskName, nReused, nRegraded, nRerun }) => [taskName, nReused, nRegraded, nRerun]),
    ).toEqual([
      ["alpha", 2, 0, 0],
      ["beta", 0, 1, 1],
      ["gamma", 0, 0, 2],
      ["delta", 0, 0, 2],
      ["omega", 0, 0, 2],
    ]);
    expect(diff).toMatchObject({ nReused: 2, nRegraded: 1, nRerun: 7, isIncomplete: false });
    expect(diff?.tasks.find(({ taskName }) => taskName === "alpha")).toMatchObject({
      sourceVersions: ["1.0.0"],
      isAssumed: true,
    });
    const reasons = new Map(diff?.tasks.map(({ taskName, reason }) => [taskName, reason]));
    expect(reasons.get("alpha")).toBeNull();
    expect(reasons.get("gamma")).toContain("major");
    expect(reasons.get("delta")).toContain("no version");
    expect(reasons.get("omega")).toContain("not in the source");
  });

  it("says what is unknown of a diff whose source is not open", async () => {
    const { lineage } = await openJob(engine, withoutJob(diffFiles(), "source"), "diff");
    expect(lineage?.diff).toMatchObject({ nReused: 0, nRegraded: 1, nRerun: 7, isIncomplete: true });
    expect(lineage?.diff?.tasks.map(({ taskName }) => taskName)).not.toContain("alpha");
    // If tasks are listed individually, a task without a trial was reused from any source.
    const listed = withoutJob(
      diffFiles({
        tasks: ["alpha", "beta", "gamma", "delta", "omega"].map((name) => ({ path: `/data/tasks/${name}` })),
      }),
      "source",
    );
    const { diff } = (await openJob(engine, listed, "diff")).lineage ?? {};
    expect(diff).toMatchObject({ nReused: 2, isIncomplete: false });
    expect(diff?.tasks[0]).toMatchObject({ taskName: "alpha", nReused: 2, isAssumed: false });
  });

  it("does not count tasks of the source that the config does not list", async () => {
    const files = diffFiles({
      tasks: ["beta", "gamma", "delta", "omega"].map((name) => ({ path: `/t/${name}` })),
    });
    const { diff } = (await openJob(engine, files, "diff")).lineage ?? {};
    expect(diff).toMatchObject({ nReused: 0, nRegraded: 1, nRerun: 7 });
  });
});

const CORPUS = join(import.meta.dirname, "../../core/verification/corpus", "jobs", "0.24.0");

interface WrittenResult {
  readonly id: string;
  readonly verifier_result: { readonly rewards: { readonly reward: number } } | null;
  readonly config: { readonly source_trial?: { readonly trial_id: string } | null };
}

/** Results of the trials of a job that Harbor wrote, read without the loader. */
function readWritten(job: string): readonly WrittenResult[] {
  return globSync(join(CORPUS, job, "*", "result.json")).map(
    (file) => JSON.parse(readFileSync(file, "utf8")) as WrittenResult,
  );
}

describeQueries("the lineage of jobs that Harbor 0.24.0 wrote", (engine) => {
  const open = async (scenario: string, name: string) => {
    const { store } = await indexFolders(engine, [join(CORPUS, scenario)]);
    const job = await readHead(store, name);
    if (job === null) throw new Error(`no job ${name}`);
    return { entry: job, lineage: await getJobLineage(store, job) };
  };

  it.each(["regrade", "regrade-of-unlisted-dataset"])(
    "counts the flips of %s as the two results state them",
    async (scenario) => {
      const old = new Map(
        readWritten(`${scenario}/source`).map((result) => [
          result.id,
          result.verifier_result?.rewards.reward,
        ]),
      );
      const pairs = readWritten(`${scenario}/regraded`).map(
        (result) =>
          [
            old.get(result.config.source_trial?.trial_id ?? ""),
            result.verifier_result?.rewards.reward,
          ] as const,
      );
      const count = (fits: (a: number, b: number) => boolean) =>
        pairs.filter(([a, b]) => a !== undefined && b !== undefined && fits(a, b)).length;
      const { entry: job, lineage } = await open(scenario, "regraded");
      expect(pairs.length).toBeGreaterThan(0);
      expect(lineage?.flips?.total).toMatchObject({
        nTrials: pairs.length,
        counts: {
          up: count((a, b) => b > a),
          down: count((a, b) => b < a),
          unchanged: count((a, b) => a === b),
          "newly-scored": pairs.filter(([a, b]) => a === undefined && b !== undefined).length,
          "no-longer-scored": pairs.filter(([a, b]) => a !== undefined && b === undefined).length,
          "source-not-open": 0,
        },
      });
      expect(job.regraded).toEqual({ nTrials: pairs.length, costUsd: job.costUsd });
    },
  );

  it("derives from both locks what Harbor's diff did", async () => {
    const { lineage } = await open("diff", "diff");
    // Wanted are 2 attempts each: alpha changed a patch, beta a minor version, gamma and omega a major one.
    expect(
      lineage?.diff?.tasks.map(({ taskName, nReused, nRegraded, nRerun }) => [
        taskName.replace(/.*\//, ""),
        nReused,
        nRegraded,
        nRerun,
      ]),
    ).toEqual([
      ["alpha", 2, 0, 0],
      ["beta", 0, 2, 0],
      ["gamma", 0, 0, 2],
      ["omega", 0, 0, 2],
    ]);
  });
});
