import { realpathSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { listIssues, makeFolder, readOnlyJob, writeFiles } from "@/lib/testing/folder.fixture";

import { EXPERIMENT, SECOND, secondRecord, written, WRITTEN } from "./ledger.fixture";
import { readTrialJudgments } from "./read-judgments";

const ANNOTATION = "feedback/annotations/trial-001/a0.json";
const DECISION = "feedback/adjudications/trial-001/decision-1.json";
const TRIAGE = `${EXPERIMENT}/_annotations/trial-001.json`;

function readAll(folder: string) {
  return readOnlyJob(folder).recordedJudgments;
}

describe("judgments in files", () => {
  it("are those that the ledger's own writers left, adjudication first", () => {
    const [trial, ...others] = readAll(makeFolder(WRITTEN));
    expect(others).toEqual([]);
    expect(trial?.trialKey).toBe("trial-001");
    expect(
      trial?.judgments.map(({ kind, reviewerId, judgment, file }) => [kind, reviewerId, judgment, file]),
    ).toEqual([
      ["adjudication", "r0", "fail", DECISION],
      ["feedback", "r0", "pass", ANNOTATION],
      ["feedback", "r1", "fail", "feedback/annotations/trial-001/a1.json"],
      ["evaluation", "rev-1", "fail", SECOND],
      ["triage", null, "fail", TRIAGE],
    ]);
    expect(trial?.judgments[0]).toMatchObject({
      status: "adjudicated",
      categories: ["instruction.clarity", "verifier.output"],
      notes: null,
      time: { text: "2026-11-21T20:41:48.073709Z", zoned: true },
    });
    expect(trial?.judgments[4]).toMatchObject({ notes: "kV vs V", time: { text: "2026-03-13T10:00:00Z" } });
  });

  it("change no reward and no outcome", () => {
    const { trials, report } = readOnlyJob(makeFolder(WRITTEN));
    expect(trials.map(({ outcome, rewards }) => [outcome, rewards?.get("reward")])).toEqual([
      ["partial", 0.93],
      ["partial", 0.93],
    ]);
    expect(report.groups.map(({ metrics }) => metrics[0]?.value?.get("mean"))).toEqual([0.93, 0.93]);
  });

  it("may be a note without a judgment, and a decision that is still open", () => {
    const folder = makeFolder({
      ...WRITTEN,
      [TRIAGE]: { verdict: "note", notes: "check by hand", timestamp: "2026-03-13T10:00:00Z" },
      [DECISION]: { ...written(DECISION), status: "contested", final_judgment: null, decided_by: null },
    });
    const judgments = readAll(folder)[0]?.judgments ?? [];
    expect(judgments.at(0)).toMatchObject({ kind: "adjudication", status: "contested", judgment: null });
    expect(judgments.at(-1)).toMatchObject({ kind: "triage", judgment: null, notes: "check by hand" });
    expect(listIssues(folder)).toEqual([]);
  });

  it.each<[string, string, string | Readonly<Record<string, unknown>>, string, string]>([
    ["a torn annotation", ANNOTATION, "{", "json_torn", "Not readable as JSON"],
    ["a list", ANNOTATION, "[]", "field_invalid", "An annotation was expected"],
    [
      "a judgment that is none",
      ANNOTATION,
      { judgment: "note" },
      "field_invalid",
      "judgment: Input should be 'pass'",
    ],
    [
      "an annotation of another trial",
      ANNOTATION,
      { trial_id: "other" },
      "field_invalid",
      "is filed under trial-001",
    ],
    ["a decision without a known status", DECISION, { status: "done" }, "field_invalid", "status"],
    ["a verdict that is none", TRIAGE, { verdict: "maybe" }, "field_invalid", "verdict"],
  ])("%s is reported and left out, and the others stay", (_, path, change, code, words) => {
    const content = typeof change === "string" ? change : { ...written(path), ...change };
    const folder = makeFolder({ ...WRITTEN, [path]: content });
    const { recordedJudgments, issues } = readOnlyJob(folder);
    expect(recordedJudgments[0]?.judgments).toHaveLength(4);
    expect(recordedJudgments[0]?.judgments.map(({ file }) => file)).not.toContain(path);
    expect(issues[0]).toMatchObject({ code, path: `jobs/${path}` });
    expect(issues[0]?.detail).toContain(words);
  });

  it("of a trial with the same id in another experiment are not those of this one", () => {
    const folder = makeFolder({ ...WRITTEN, [ANNOTATION]: { ...written(ANNOTATION), experiment_id: "e2" } });
    expect(readAll(folder)[0]?.judgments.map(({ file }) => file)).not.toContain(ANNOTATION);
    expect(listIssues(folder)).toEqual([]);
  });

  it("are never looked for where a trial's id leads", () => {
    const folder = makeFolder({
      ...WRITTEN,
      "feedback/secret.json": written(ANNOTATION),
      [SECOND]: secondRecord({ trial_id: "..", evaluation: null }),
    });
    expect(readAll(folder)).toEqual([]);
  });

  it("name reviewers whose calibration the feedback folder knows", () => {
    const folder = makeFolder({
      ...WRITTEN,
      "feedback/reviewers/r0.json": { ...written("feedback/reviewers/reviewer-001.json"), reviewer_id: "r0" },
      "feedback/calibrations/r1/v2.json": { calibration_version: "v2", total_cases: 5, agreement_rate: 0.8 },
      "feedback/reviewers/rev-1.json": "{",
    });
    const { trials } = readOnlyJob(folder);
    const root = { index: 0, label: "jobs", path: realpathSync(folder) };
    const trial = trials.find(({ id }) => id === "trial-001");
    if (trial === undefined) throw new Error("expected a trial");
    const { reviewers, issues } = readTrialJudgments(root, EXPERIMENT, trial);
    expect(reviewers).toMatchObject([
      { reviewerId: "r0", calibrationStatus: "uncalibrated", calibrations: [] },
      {
        reviewerId: "r1",
        file: null,
        calibrationStatus: null,
        calibrations: [{ version: "v2", nCases: 5, agreementRate: 0.8 }],
      },
    ]);
    expect(issues).toMatchObject([{ code: "json_torn", path: "jobs/feedback/reviewers/rev-1.json" }]);
    expect(listIssues(folder)).toEqual(["json_torn jobs/feedback/reviewers/rev-1.json"]);
  });

  it("belong to the nearest feedback folder", () => {
    const folder = makeFolder({ "feedback/annotations/trial-001/x.json": "{" });
    writeFiles(`${folder}/deep`, WRITTEN);
    expect(listIssues(folder)).toEqual([]);
    expect(readAll(folder)[0]?.judgments).toHaveLength(5);
  });
});
