import { describe, expect, it } from "vitest";

import { agreementOf, calibrate, resolveAdjudication, type Judgment } from "./index";

const judged = (...judgments: Judgment[]): { judgment: Judgment }[] =>
  judgments.map((judgment) => ({ judgment }));

describe("adjudication", () => {
  it("knows no names where the annotations carry none", () => {
    expect(resolveAdjudication(judged("pass"))).toEqual({
      ok: true,
      value: {
        decision_id: null,
        trial_id: null,
        experiment_id: null,
        task_id: null,
        task_visibility: null,
        status: "agreed",
        final_judgment: "pass",
        categories: [],
        decided_by: null,
        rationale: null,
        source_annotation_ids: [],
      },
    });
  });

  it("is not settled by a majority", () => {
    expect(resolveAdjudication(judged("pass", "pass", "pass", "fail"))).toMatchObject({
      value: { status: "needs_adjudication", final_judgment: null },
    });
  });

  it("asks for a decider with a name only where there is something to decide", () => {
    const decision = { final_judgment: "fail", decided_by: " " } as const;
    expect(resolveAdjudication(judged("pass", "fail"), decision)).toEqual({
      ok: false,
      issues: [
        { path: ["decided_by"], code: "value_error", message: "Value error, value must not be blank" },
      ],
    });
    expect(resolveAdjudication(judged("pass", "pass"), decision)).toMatchObject({
      value: { status: "agreed", final_judgment: "pass", decided_by: null },
    });
  });

  it("names the annotation whose judgment is none", () => {
    const annotations: unknown = [{ judgment: "pass" }, { judgment: "note" }];
    expect(Reflect.apply(resolveAdjudication, null, [annotations])).toMatchObject({
      issues: [{ path: [1, "judgment"], code: "enum", message: "Input should be 'pass', 'fail' or 'defer'" }],
    });
  });

  it("keeps the id that a decision was given", () => {
    const annotations = [{ judgment: "pass", trial_id: "t" }] as const;
    expect(resolveAdjudication(annotations, { decision_id: "d" })).toMatchObject({
      value: { decision_id: "d" },
    });
    expect(resolveAdjudication(annotations)).toMatchObject({ value: { decision_id: "t:adjudication" } });
  });
});

describe("agreement", () => {
  it("leaves out what is no judgment", () => {
    expect(Reflect.apply(agreementOf, null, [["pass", "note", 1, "fail"]])).toBe(0.5);
    expect(agreementOf([])).toBeNull();
  });
});

describe("calibration", () => {
  const right = { judgment: "pass", reference: "pass" } as const;
  const wrong = { judgment: "pass", reference: "fail" } as const;

  it("passes at the threshold, and never without a case", () => {
    expect(calibrate([right, right, right, right, wrong])).toMatchObject({
      agreement_rate: 0.8,
      passed: true,
    });
    expect(calibrate([right, wrong], { pass_threshold: 0.5 }).status).toBe("calibrated");
    expect(calibrate([], { pass_threshold: 0 }).passed).toBe(false);
  });

  it("counts only cases with a known judgment", () => {
    const cases = [right, { ...wrong, in_references: false }, { judgment: "pass" as const }];
    expect(calibrate(cases)).toMatchObject({ total_cases: 1, agreement_rate: 1 });
  });
});
