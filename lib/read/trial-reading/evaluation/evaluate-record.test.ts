import { realpathSync } from "node:fs";

import { describe, expect, it } from "vitest";

import {
  evaluation,
  FIRST,
  firstRecord,
  MANIFEST,
  SECOND,
  secondRecord,
  WRITTEN,
} from "@/lib/read/loader/ledger/ledger.fixture";
import { makeFolder, readOnlyJob } from "@/lib/testing/folder.fixture";

import { readEvaluation } from "./read-evaluation";

type Options = Parameters<typeof readEvaluation>;

/** The evaluation of the trial of one record. */
async function evaluate(
  folder: string,
  record: string,
  judgments: Options[0]["judgments"] = [],
  contract?: Options[1],
) {
  const trial = readOnlyJob(folder).trials.find((one) => one.folder === record);
  if (trial === undefined) throw new Error(`no trial of ${record}`);
  return readEvaluation({ trial, path: `${realpathSync(folder)}/${record}`, judgments }, contract);
}

function judge(reviewerId: string): Options[0]["judgments"][number] {
  return {
    versionId: "v-1",
    version: 1,
    subject: {
      trialId: "trial-001",
      jobUuid: null,
      trialName: "trial-001",
      jobName: "experiment-001",
      rootLabel: "jobs",
      taskName: "t",
      agent: "a",
      model: null,
      outcomeSeen: "partial",
      rewardSeen: "0.93",
    },
    reviewerId,
    reviewerDiscipline: null,
    timestamp: "2026-11-20T10:00:00.000Z",
    judgment: "defer",
    categories: ["odd"],
    notes: null,
    confidence: null,
    evidence: [],
    queue: null,
    hidden: null,
    codebookVersion: null,
    fingerprint: null,
    status: "current",
    withdrawnAt: null,
    savedBy: null,
    withdrawnBy: null,
  };
}

describe("the evaluation of a ledger's record", () => {
  it("is what the record states, with reviewers' files and Assay's own judgments behind it", async () => {
    const result = await evaluate(makeFolder(WRITTEN), SECOND, [judge("zoe")]);
    expect(result.issues).toEqual([]);
    expect(result.evaluation).toMatchObject({
      reward: 0.93,
      breakdown: { voltage_drop_v: { score: 0.95 } },
      error_taxonomy: [
        { category: "unit mismatch", source: "mechanical" },
        { category: "odd", source: "human" },
      ],
      confidence: { annotator_count: 2, inter_rater_agreement: 0.5 },
    });
    const names = result.evaluation?.annotations?.map(
      ({ reviewer_id, judgment }) => `${reviewer_id} ${judgment}`,
    );
    expect(names).toEqual(["rev-1 fail", "r0 pass", "r1 fail", "zoe defer"]);
    expect(result.provenance.annotations.map(({ from, versionId }) => [from, versionId])).toEqual([
      [SECOND, null],
      ["feedback/annotations/trial-001/a0.json", null],
      ["feedback/annotations/trial-001/a1.json", null],
      ["assay", "v-1"],
    ]);
    expect(result.unknown).toEqual([]);
    expect(result.gates.map(({ met, file }) => [met, file])).toEqual(Array(3).fill([true, SECOND]));
  });

  it("says what the record leaves open instead of filling it", async () => {
    const result = await evaluate(makeFolder(WRITTEN), FIRST);
    expect(result.evaluation).toMatchObject({ reward: 0.93, error_taxonomy: null, annotations: null });
    expect(result.unknown).toEqual(["error_taxonomy", "confidence", "annotations"]);
  });

  it("takes tags and agreement of reviewers where the record states none, and its reward stays", async () => {
    const result = await evaluate(makeFolder(WRITTEN), FIRST, [judge("zoe"), judge("yan")]);
    expect(result.evaluation).toMatchObject({
      reward: 0.93,
      error_taxonomy: [{ category: "odd", description: null, source: "human" }],
      confidence: { annotator_count: 2, inter_rater_agreement: 1 },
    });
    expect(result.provenance.confidence.from).toBe("assay");
    expect(result.provenance.error_taxonomy).toEqual([{ from: "assay", rule: "Chosen by zoe." }]);
  });

  it.each<[string, object | null, string]>([
    ["without an evaluation", null, "no_evaluation"],
    ["with a reward that the contract refuses", evaluation({ reward: 1.2 }), "value_error"],
  ])("of a record %s is none, with the reason", async (_, stated, code) => {
    const folder = makeFolder({
      [SECOND]: secondRecord({ evaluation: stated }),
      [MANIFEST]: WRITTEN[MANIFEST],
    });
    const result = await evaluate(folder, SECOND);
    expect(result.evaluation).toBeNull();
    expect(result.issues).toMatchObject([{ code, file: SECOND }]);
    expect(result.gates.map(({ met }) => met)).toEqual([null, null, null]);
  });

  it("of an unreadable record is none, with what the load report says", async () => {
    const result = await evaluate(makeFolder({ ...WRITTEN, [SECOND]: "{" }), SECOND);
    expect(result).toMatchObject({ evaluation: null, issues: [{ code: "json_torn", file: SECOND }] });
  });

  it("follows the contract that is asked for", async () => {
    const validity = { output_parseable: true, schema_valid: false, verifier_completed: true, errors: [] };
    const folder = makeFolder({ [FIRST]: firstRecord({ evaluation: evaluation({ validity }) }) });
    expect((await evaluate(folder, FIRST)).evaluation?.reward).toBe(0.93);
    const head = await evaluate(folder, FIRST, [], "head");
    expect(head).toMatchObject({ evaluation: null, issues: [{ code: "value_error" }] });
  });
});
