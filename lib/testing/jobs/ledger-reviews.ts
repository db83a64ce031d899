import type { Json } from "../json-text";

type Fields = Readonly<Record<string, Json>>;

/** The trial under review. */
interface ReviewedExperiment {
  readonly folder: string;
  readonly experiment: string;
  readonly task: string;
}

const DISPUTED = "submain-meridian-2";

/** Files of reviewers about the disputed trial: annotations, a decision, profiles, a calibration, verdicts of triage. */
export function* listReviews({
  folder,
  experiment,
  task,
}: ReviewedExperiment): Generator<readonly [string, Fields]> {
  const about = {
    trial_id: DISPUTED,
    experiment_id: experiment,
    task_id: task,
    task_visibility: "public",
  };
  const [pass, fail] = ["panel-0001", "panel-0002"];
  const annotate = (id: string, reviewer: string, judgment: string, notes: string, category: string) =>
    [
      `feedback/annotations/${DISPUTED}/${id}.json`,
      {
        annotation_id: id,
        ...about,
        reviewer_id: reviewer,
        reviewer_discipline: "electrical",
        judgment,
        categories: [category],
        notes,
        created_at: "2026-10-07T09:05:00Z",
        is_calibration: false,
        calibration_version: null,
      },
    ] as const;
  yield annotate(pass, "j.lindqvist", "pass", "The drop is right to two digits.", "verifier.tolerance");
  yield annotate(fail, "m.okafor", "fail", "The unit of the second column is wrong.", "instruction.units");
  yield [
    `feedback/adjudications/${DISPUTED}/panel-decision-1.json`,
    {
      decision_id: "panel-decision-1",
      ...about,
      status: "adjudicated",
      final_judgment: "fail",
      categories: ["instruction.units", "verifier.tolerance"],
      decided_by: "s.arakawa",
      rationale: "A wrong unit fails the submission, whatever the digits.",
      source_annotation_ids: [pass, fail],
      created_at: "2026-10-08T08:30:00.120000Z",
    },
  ];
  yield* listReviewers();
  yield [
    `${folder}/_annotations/${DISPUTED}.json`,
    { verdict: "fail", notes: "kV vs V", timestamp: "2026-10-06T14:00:00Z" },
  ];
  yield [
    `${folder}/_annotations/lighting-meridian-2.json`,
    {
      verdict: "note",
      notes: "Evaluate again once the verifier is back.",
      timestamp: "2026-10-06T14:02:00Z",
    },
  ];
}

function* listReviewers(): Generator<readonly [string, Fields]> {
  const weighting = { calibration_score: 0.5, discipline_score: 1.0, experience_score: 0.5 };
  for (const [reviewer, status] of [
    ["m.okafor", "calibrated"],
    ["j.lindqvist", "uncalibrated"],
  ] as const) {
    const isCalibrated = status === "calibrated";
    yield [
      `feedback/reviewers/${reviewer}.json`,
      {
        reviewer_id: reviewer,
        discipline: "electrical",
        calibration_status: status,
        calibration_version: isCalibrated ? "v1" : null,
        can_review_holdout: false,
        weighting,
        created_at: "2026-10-01T08:00:00Z",
        updated_at: "2026-10-02T08:00:00Z",
      },
    ];
  }
  yield [
    "feedback/calibrations/m.okafor/v1.json",
    {
      reviewer_id: "m.okafor",
      calibration_version: "v1",
      total_cases: 12n,
      agreement_rate: 0.9166666666666666,
      passed: true,
    },
  ];
}
