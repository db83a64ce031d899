import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import { createAnnotation, openAnnotationStore } from "@/lib/annotations";
import { openCatalog } from "@/lib/catalog";
import type { Judgment } from "@/lib/domain/annotation";
import type { CatalogSnapshot } from "@/lib/domain/catalog";
import { writeSampleJobs } from "@/lib/testing/generate";

import { nameAgent, prepareErrorsPage, selectErrorsScope } from "./errors-page";
import type { ErrorsFilter, ErrorsScope } from "./errors-page";
import { groupErrorsByAgent } from "./errors-page-agents";
import { readReviewerTags } from "./errors-page-tags";

const NONE: ErrorsFilter = { jobs: [], agents: [], causes: [], text: "" };
const JOB = "tb2-baseline";

/** The parts of Harbor's result.json that this page counts, read without any of the code under test. */
const resultSchema = z.object({
  agent_info: z.object({ name: z.string() }),
  exception_info: z.object({ exception_type: z.string() }).nullish(),
  verifier_result: z.object({ rewards: z.record(z.string(), z.number()).nullish() }).nullish(),
});

let folder = "";
let snapshot: CatalogSnapshot;
let results: z.output<typeof resultSchema>[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "errors-"));
  writeSampleJobs(join(folder, "jobs"), { seed: 1 });
  snapshot = openCatalog({ roots: [join(folder, "jobs")], summation: "cpython-3.12" }).snapshot();
  const job = join(folder, "jobs", JOB);
  results = readdirSync(job)
    .map((name) => join(job, name, "result.json"))
    .filter((path) => existsSync(path))
    .map((path) => resultSchema.parse(JSON.parse(readFileSync(path, "utf8"))));
  // The samples are thousands of files, which a busy machine takes its time to write.
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scopeOf(change: Partial<ErrorsFilter>): ErrorsScope {
  return selectErrorsScope(snapshot, { ...NONE, ...change }, () => 1);
}

function pageOf(change: Partial<ErrorsFilter>) {
  return prepareErrorsPage(snapshot, scopeOf(change), { ...NONE, ...change });
}

const failed = () => results.filter((result) => result.exception_info != null);
const typeOf = (result: (typeof results)[number]) => result.exception_info?.exception_type ?? "";
const rewardOf = (result: (typeof results)[number]) => result.verifier_result?.rewards?.["reward"] ?? null;

describe("exceptions", () => {
  test("are counted by type and agent as the result files have them", () => {
    const page = pageOf({ jobs: [JOB] });
    expect(page.nErrors).toBe(failed().length);
    expect(page.scope.trials).toHaveLength(results.length);
    const types = [...new Set(failed().map(typeOf))].sort();
    expect(page.rows.map(({ type }) => type).sort()).toEqual(types);
    for (const row of page.rows) {
      const own = failed().filter((result) => typeOf(result) === row.type);
      expect([row.type, row.nTrials]).toEqual([row.type, own.length]);
      const byAgent = row.counts.map(({ contender, count }) => [contender.split(" ")[0], count]);
      const expected = page.columns.map(({ agent }) => [
        agent,
        own.filter(({ agent_info }) => agent_info.name === agent).length,
      ]);
      expect(byAgent).toEqual(expected);
      expect(row.nOthers + row.counts.reduce((sum, { count }) => sum + count, 0)).toBe(own.length);
    }
  });

  test("show which reward stood beside them, and a missing one apart from 0", () => {
    const page = pageOf({ jobs: [JOB] });
    for (const row of page.rows) {
      const rewards = failed()
        .filter((result) => typeOf(result) === row.type)
        .map(rewardOf);
      expect([row.type, row.rewards]).toEqual([
        row.type,
        {
          none: rewards.filter((reward) => reward === null).length,
          zero: rewards.filter((reward) => reward === 0).length,
          partial: rewards.filter((reward) => reward !== null && reward > 0 && reward < 1).length,
          one: rewards.filter((reward) => reward === 1).length,
        },
      ]);
    }
    expect(page.nPassed).toBe(failed().filter((result) => rewardOf(result) === 1).length);
    expect(page.nPassed).toBeGreaterThan(0);
  });

  test("carry a rate out of the finished trials with Wilson's interval", () => {
    const timeouts = pageOf({ jobs: [JOB] }).rows.find(({ type }) => type === "AgentTimeoutError");
    // The two q with |18/360 - q| = z sqrt(q (1 - q) / 360), found by bisection in Python.
    expect(timeouts?.rate).toMatchObject({ count: 18, n: 360 });
    if (timeouts?.rate.kind === "computed") {
      expect(timeouts.rate.low).toBeCloseTo(0.0318583, 6);
      expect(timeouts.rate.high).toBeCloseTo(0.0776439, 6);
    }
  });

  test("of a filter keep their rates, since only the list is filtered by cause and text", () => {
    const page = pageOf({ jobs: [JOB], causes: ["limit"], text: "timed out" });
    expect(page.rows.map(({ type }) => type)).toEqual(["AgentTimeoutError"]);
    expect(page.scope.trials).toHaveLength(results.length);
    expect(pageOf({ jobs: [JOB], text: "no such words" }).rows).toEqual([]);
  });

  test("of other jobs are counted as elsewhere", () => {
    const all = pageOf({});
    const one = pageOf({ jobs: [JOB] });
    expect(one.scope.nElsewhere).toBe(all.nErrors - one.nErrors);
    expect(one.scope.nOtherJobs).toBe(snapshot.jobs.length - 1);
    expect(all.scope.nOtherJobs).toBe(0);
  });
});

describe("agents", () => {
  test("have one row each, with or without exceptions, and the causes add up", () => {
    const { agents } = groupErrorsByAgent(scopeOf({ jobs: [JOB] }));
    expect(agents).toHaveLength(3);
    for (const { contender, rate, causes } of agents) {
      const own = failed().filter(({ agent_info }) => agent_info.name === contender.agent);
      expect(rate).toMatchObject({ count: own.length, n: 120 });
      expect(Object.values(causes).reduce((sum, count) => sum + count, 0)).toBe(own.length);
    }
  });

  test("show what their missing rewards could do to the mean", () => {
    for (const { contender, nMissing, asScored, leftOut, asOne } of groupErrorsByAgent(
      scopeOf({ jobs: [JOB] }),
    ).effects) {
      const rewards = results.filter(({ agent_info }) => agent_info.name === contender.agent).map(rewardOf);
      const known = rewards.filter((reward) => reward !== null);
      const sum = known.reduce((total, reward) => total + reward, 0);
      expect(nMissing).toBe(rewards.length - known.length);
      expect(
        [asScored, leftOut, asOne].map((mean) =>
          mean.kind === "computed" ? mean.mean.toFixed(9) : mean.reason,
        ),
      ).toEqual(
        [sum / rewards.length, sum / known.length, (sum + nMissing) / rewards.length].map((mean) =>
          mean.toFixed(9),
        ),
      );
    }
  });
});

describe("reviewers' categories", () => {
  test("count trials judged fail or defer, once a category, out of those trials", async () => {
    const store = openAnnotationStore({ dataFolder: join(folder, "data") });
    const scope = scopeOf({ jobs: [JOB] });
    const judge = async (
      at: number,
      reviewerId: string,
      judgment: Judgment,
      categories: readonly string[],
    ): Promise<void> => {
      const scoped = scope.trials[at];
      if (scoped === undefined) throw new Error("too few trials");
      const { entry, trial } = scoped;
      const subject = {
        trialId: trial.id,
        jobId: trial.jobId,
        trialName: trial.trialName,
        jobName: entry.job.name,
        rootLabel: "",
        taskName: trial.taskName,
        agent: trial.agent,
        model: trial.model,
        outcomeSeen: trial.outcome,
        rewardSeen: null,
      };
      const draft = { reviewerId, reviewerDiscipline: null, judgment, categories, notes: null };
      await createAnnotation(store, { subject, draft, baseVersionId: null });
    };
    await judge(0, "Ana", "fail", ["Stopped early", "Wrong file"]);
    await judge(0, "Ben", "fail", ["Stopped early"]);
    await judge(1, "Ana", "defer", ["Unclear task"]);
    await judge(2, "Ana", "pass", ["Lucky"]);
    const tags = await readReviewerTags(scope, store);
    await store.close();
    expect(tags).toMatchObject({ nReviewed: 3, nFailedOrDeferred: 2, problem: null });
    expect(
      tags.rows.map(({ category, nTrials, rate }) => [
        category,
        nTrials,
        rate.kind === "computed" ? rate.n : 0,
      ]),
    ).toEqual([
      ["Stopped early", 1, 2],
      ["Unclear task", 1, 2],
      ["Wrong file", 1, 2],
    ]);
  });
});

test("an agent is named with its model", () => {
  expect([nameAgent({ agent: "orca", model: "m" }), nameAgent({ agent: "oracle", model: null })]).toEqual([
    "orca m",
    "oracle",
  ]);
});
