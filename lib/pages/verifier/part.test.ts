import { describe, expect, test } from "vitest";

import { OUTCOMES } from "@/lib/core/domain/trial";
import { findPart } from "@/lib/people/labels/draws";
import { chooseSample, countLeftOut, findDrawReason, describeDrawReason } from "@/lib/people/labels/sample";

import { drawnFrom, type ReferenceTrial, toDraw, toPopulationOf, toScopeTrial } from "./draws.fixture";
import { correctRuns } from "./groups";
import { readRate, reviewVerifier } from "./review";
import { describeLeftOut, describeVerdict } from "./view";

/** 40 trials of one agent in one job; the verifier passed 10. */
const TRIALS = Array.from({ length: 40 }, (_, at): ReferenceTrial => {
  const passed = at < 10;
  return { job: 1, key: `t${String(at)}`, agent: "orca", family: "a", passed, human: passed, state: "" };
});
const WHOLE = toPopulationOf(TRIALS);
const NOT_PASSED = toPopulationOf(TRIALS.slice(10));

/** Ten labels of not passed trials; humans pass three. */
const LABELS = TRIALS.slice(10, 20).map((trial, at) => toScopeTrial(trial, at < 3 ? "pass" : "fail"));
const OF_PART = toDraw("part", drawnFrom(NOT_PASSED, "random"), NOT_PASSED, LABELS, WHOLE);
const ALL = { jobs: [], agents: [], families: [] };

function review(...draws: readonly (typeof OF_PART)[]) {
  const chosen = chooseSample(draws, draws, (list) => list);
  if (chosen === null) throw new Error("no sample");
  return { ...reviewVerifier(chosen.sample), queueId: chosen.draw.queue.queueId };
}

function groupOf(nPassed: number, nFailed: number): Parameters<typeof correctRuns>[1][number] {
  const none = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]));
  return {
    job: { rowId: 1, key: "job-1" },
    summary: {
      group: { key: "orca", agent: "orca", model: null },
      counts: { ...none, passed: nPassed, failed: nFailed },
    },
  } as unknown as Parameters<typeof correctRuns>[1][number]; // Only the correction of a group.
}

describe("labels of trials that did not pass alone", () => {
  const found = review(OF_PART);

  test("correct no score and give no TPR or TNR, because passed trials were not sampled", () => {
    expect(found.score).toEqual({ kind: "unavailable", reason: "chosen-by-result" });
    expect(found.agents.map(({ score }) => score)).toEqual([found.score]);
    for (const row of [found.all, ...found.jobs.map(({ rate }) => rate())]) {
      expect(readRate(row, "tpr")).toEqual(found.score);
      expect(readRate(row, "tnr")).toEqual(found.score);
    }
    expect(found.plan.kind).toBe("unavailable");
  });

  test("give the share that humans pass, under their own name", () => {
    const npv = readRate(found.all, "npv");
    // Seven of ten.
    expect(npv).toMatchObject({ kind: "computed", n: 10 });
    if (npv.kind === "computed") expect(npv.rate).toBeCloseTo(0.7, 12);
    const { headline, sentences } = describeVerdict(found);
    expect(headline).toBe("Sampled only from trials that did not pass: no score can be corrected.");
    expect(sentences.join(" ")).toMatch(/^Of those that it did not pass humans pass 30\.0 % \(/);
    expect(sentences.join(" ")).toContain("The list has 30 of 40 trials");
  });

  test("have the same words on the pages of queue, job, comparison and verifier", () => {
    const words = "sampled only from trials that did not pass";
    const reason = findDrawReason(OF_PART);
    expect(reason === null ? "" : describeDrawReason(reason)).toContain(words);
    const draws = { draws: [OF_PART], judged: LABELS };
    expect(correctRuns(draws, [groupOf(10, 30)])).toMatchObject({
      kind: "left-out",
      nLabels: 10,
      reasons: [`10 labels were ${words}`],
    });
    expect(describeLeftOut(countLeftOut(draws, null, ALL).counts)).toEqual([
      `10 labels were ${words}: left out`,
    ]);
  });

  test("do not take the place of fewer labels of the whole list", () => {
    const some = TRIALS.slice(30, 32).map((trial) => toScopeTrial(trial, "fail"));
    const whole = toDraw("whole", drawnFrom(WHOLE, "random"), WHOLE, some);
    expect(review(OF_PART, whole).queueId).toBe("whole");
    expect(review(whole, OF_PART).queueId).toBe("whole");
  });

  test("correct the score of a group without passes, on its page and the job's", () => {
    const part = toDraw("all", drawnFrom(NOT_PASSED, "random"), NOT_PASSED, LABELS, NOT_PASSED);
    const { score } = review(part);
    const group = correctRuns({ draws: [part], judged: LABELS }, [groupOf(0, 30)]);
    if (score.kind !== "computed" || group?.kind !== "computed") throw new Error("refused");
    expect(score.corrected).toBeCloseTo(0.3, 12);
    expect(group.corrected).toBe(score.corrected);
  });
});

test("a list is a part only if trials were left out", () => {
  expect(findPart(WHOLE, WHOLE)).toBeNull();
  expect(findPart(toPopulationOf(TRIALS.slice(0, 10)), WHOLE)).toMatchObject({ kind: "only-passed" });
  expect(findPart(toPopulationOf(TRIALS.slice(5, 20)), WHOLE)).toEqual({
    kind: "by-result",
    nTrials: 15,
    nWhole: 40,
  });
  // Some not passed trials of a list without passes.
  expect(findPart(toPopulationOf(TRIALS.slice(10, 20)), NOT_PASSED)).toMatchObject({ kind: "by-result" });
});
