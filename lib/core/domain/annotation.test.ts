import { describe, expect, it } from "vitest";

import { computeReviewerKey, disagreesWithVerifier, findDraftProblems, isSameTrial } from "./annotation";
import type { AnnotationDraft } from "./annotation";

const draft: AnnotationDraft = {
  reviewerId: "Ana",
  reviewerDiscipline: null,
  judgment: "pass",
  categories: [],
  notes: null,
  confidence: null,
  evidence: [],
};

describe("disagreement", () => {
  it.each([
    ["pass", "passed", false],
    ["pass", "partial", true],
    ["pass", "failed", true],
    ["pass", "errored", true],
    ["pass", "timeout", true],
    ["fail", "passed", true],
    ["fail", "partial", false],
    ["fail", "cancelled", false],
    ["defer", "passed", false],
    ["pass", "running", false],
    ["fail", "missing", false],
    ["pass", "unscored", false],
    ["pass", "unreadable", false],
  ] as const)("%s against %s: %s", (judgment, outcome, expected) => {
    expect(disagreesWithVerifier(judgment, outcome)).toBe(expected);
  });
});

describe("a draft", () => {
  it("of pass or fail needs no reason, a defer needs a category or a note", () => {
    expect(findDraftProblems(draft)).toEqual({});
    expect(findDraftProblems({ ...draft, judgment: "fail" })).toEqual({});
    expect(Object.keys(findDraftProblems({ ...draft, judgment: "defer" }))).toEqual(["notes"]);
    expect(findDraftProblems({ ...draft, judgment: "defer", categories: ["Broken task"] })).toEqual({});
    expect(findDraftProblems({ ...draft, judgment: "defer", notes: "Ask." })).toEqual({});
  });

  it("gets the problems of every field at once", () => {
    const bad = { ...draft, reviewerId: " ", judgment: null, notes: "x".repeat(20_001) };
    expect(Object.keys(findDraftProblems(bad)).sort()).toEqual(["judgment", "notes", "reviewerId"]);
  });
});

describe("the same trial", () => {
  const trial = { trialId: "t", jobUuid: "j", trialName: "a__b", jobName: "job" };
  it.each([
    ["other job name", { jobName: "copy" }, true],
    ["no trial id", { trialId: null, jobName: "copy" }, true],
    ["no ids, same job name", { trialId: null, jobUuid: null }, true],
    ["no ids, other job name", { trialId: null, jobUuid: null, jobName: "copy" }, false],
    ["other trial id", { trialId: "u" }, false],
    ["other job id", { jobUuid: "k" }, false],
    ["other name", { trialName: "a__c" }, false],
  ])("%s", (_case, change, expected) => {
    expect(isSameTrial(trial, { ...trial, ...change })).toBe(expected);
    expect(isSameTrial({ ...trial, ...change }, trial)).toBe(expected);
  });
});

it("takes two spellings of a name for one reviewer", () => {
  expect(computeReviewerKey("  Jos\u00e9  Ruiz ")).toBe(computeReviewerKey("jose\u0301 ruiz"));
  expect(computeReviewerKey("Ana")).not.toBe(computeReviewerKey("Anna"));
});
