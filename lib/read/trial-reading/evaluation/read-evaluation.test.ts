import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, test } from "vitest";

import type { Annotation } from "@/lib/core/domain/annotation";
import { parseEvaluationResult } from "@/lib/core/evaluation";
import { writeEvaluationLine } from "@/lib/core/trial-evaluation";
import type { TrialDecision } from "@/lib/core/trial-evaluation/types";
import {
  type FolderFiles,
  jobFiles,
  makeFolder,
  readOnlyJob,
  trialResult,
} from "@/lib/testing/folder.fixture";

import { readEvaluation } from ".";

const NAME = "drop__aaaaaaa";

/** The evaluation of the only trial of a folder in which a job was written, from its files as they are on disk. */
async function evaluate(
  files: FolderFiles,
  judgments: readonly Annotation[] = [],
  decision: TrialDecision | null = null,
) {
  const result = trialResult(NAME, null);
  const folder = makeFolder({ [`run/${NAME}/result.json`]: result, "run/job.log": "", ...prefix(files) });
  return evaluateOnly(folder, judgments, decision);
}

function prefix(files: FolderFiles): FolderFiles {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`run/${NAME}/${path}`, content]));
}

async function evaluateOnly(
  folder: string,
  judgments: readonly Annotation[] = [],
  decision: TrialDecision | null = null,
) {
  const { job, trials } = readOnlyJob(folder);
  const [trial] = trials;
  if (trial === undefined) throw new Error("there is no trial");
  const path = trial.folder === "" ? null : join(folder, trial.folder);
  const result = await readEvaluation({ trial, path, judgments, decision });
  // Everything written must be valid by the contract when it is read again.
  const written: unknown = JSON.parse(writeEvaluationLine({ job, root: "jobs", trial, result }));
  const { evaluation, partial_evaluation: partial } = written as Record<string, unknown>;
  if (evaluation !== null) expect(parseEvaluationResult(evaluation)).toMatchObject({ ok: true });
  // No reader of the contract can take a partial evaluation for a complete one.
  if (partial !== null) expect(parseEvaluationResult(partial)).toMatchObject({ ok: false });
  expect([evaluation, partial]).toContain(null);
  return { ...result, written, shown: result.evaluation ?? result.partial };
}

const codes = (result: Awaited<ReturnType<typeof evaluate>>) =>
  result.issues.map(({ code, field, file }) => `${code} ${field} ${file ?? ""}`.trim());

const REWARD = "verifier/reward.json";
const DETAILS = "verifier/details.json";

describe("the reward", () => {
  it("is that of reward.json, regardless of result.json and details.json", async () => {
    const result = await evaluate({
      "result.json": trialResult(NAME, 0.5),
      [REWARD]: '{"reward": 0.123456789012345678}',
      [DETAILS]: { reward: 1, drop: 1 },
    });
    expect(result.shown).toMatchObject({
      reward: 0.12345678901234568,
      breakdown: { reward: 1, drop: 1 },
    });
    expect(result.provenance.reward).toEqual({ from: REWARD, rule: "As recorded." });
  });

  it("is that of result.json where no reward file is left, and says so", async () => {
    const result = await evaluate({ "result.json": trialResult(NAME, 0.7) });
    expect(result.shown?.reward).toBe(0.7);
    expect(result.shown?.validity.verifier_completed).toBe(true);
    expect(result.provenance.reward.from).toBe("result.json");
  });

  it("is 0.0 with verifier_completed false where the verifier left none", async () => {
    const { shown } = await evaluate({});
    expect(shown).toMatchObject({ reward: 0, validity: { verifier_completed: false } });
    expect(shown?.validity.errors).toContain("missing verifier reward artifact");
  });

  it.each([
    ["1.2", "value_error reward verifier/reward.json"],
    ["93", "value_error reward verifier/reward.json"],
    ["NaN", "value_error reward verifier/reward.json"],
    ['"93%"', "ValueError reward verifier/reward.json"],
    ["null", "TypeError reward verifier/reward.json"],
  ])(
    "of %s leaves the trial without an evaluation, with a coded issue that names the file",
    async (reward, issue) => {
      const result = await evaluate({ [REWARD]: `{"reward": ${reward}}` });
      expect(result.shown).toBeNull();
      expect(codes(result)).toEqual([issue]);
    },
  );

  it.each([["{"], [""], ["[1]"]])("of a file that holds %j is not guessed", async (text) => {
    const result = await evaluate({ [REWARD]: text });
    expect(result.shown).toBeNull();
    expect(result.issues).toMatchObject([{ field: "reward", file: REWARD }]);
  });

  it("of several keys without a `reward` is none, where the reference reads an unwritten zero", async () => {
    const result = await evaluate({ [REWARD]: { precision: 0.5, recall: 1 } });
    expect(result.shown).toBeNull();
    expect(codes(result)).toEqual(["reward_key_absent reward verifier/reward.json"]);
    expect(result.issues[0]?.message).toContain('"precision", "recall"');
  });

  it("of the only key counts under any name", async () => {
    const result = await evaluate({ [REWARD]: { correctness: 0.25 } });
    expect(result.shown?.reward).toBe(0.25);
    expect(result.provenance.reward.rule).toContain('"correctness"');
  });

  it.each([
    ["trial_without_result", {}],
    ["trial_unreadable", { "result.json": "{" }],
  ])("of a trial without a readable result is none, which is no zero: %s", async (code, files) => {
    const folder = makeFolder({ "run/job.log": "", [`run/${NAME}/trial.log`]: "", ...prefix(files) });
    const result = await evaluateOnly(folder);
    expect(result.shown).toBeNull();
    expect(result.issues[0]?.code).toBe(code);
  });
});

describe("validity", () => {
  it("is unknown where nothing states it: null, and no evaluation that says yes or no", async () => {
    const result = await evaluate({ "result.json": trialResult(NAME, 1) });
    expect(result.unknown).toEqual([
      "validity.output_parseable",
      "validity.schema_valid",
      "breakdown",
      "error_taxonomy",
      "confidence",
      "annotations",
    ]);
    expect(result.gates.map(({ met }) => met)).toEqual([null, null, true]);
    expect(result.evaluation).toBeNull();
    expect(result.partial).toMatchObject({
      reward: 1,
      validity: { output_parseable: null, schema_valid: null, verifier_completed: true, errors: [] },
    });
    expect(result.issues).toEqual([]);
  });

  it("of a reward that no answer would allow is refused, not known in part", async () => {
    const result = await evaluate({
      [REWARD]: { reward: 0.5 },
      [DETAILS]: { validity: { output_parseable: false } },
    });
    expect(result).toMatchObject({ evaluation: null, partial: null });
    expect(result.issues[0]?.message).toContain("unparseable outputs must have reward 0.0");
  });

  it("says by the contract that no verifier completed that left no reward, on the page as in the file", async () => {
    const result = await evaluate({ [DETAILS]: { validity: { verifier_completed: true } } });
    expect(result.gates[2]).toMatchObject({ name: "verifier_completed", met: false });
    expect(result.shown?.validity.verifier_completed).toBe(false);
  });

  it("follows from the agent's own file as in the reference: there, not blank, and no exception", async () => {
    const result = await evaluate({ "result.json": trialResult(NAME, 1), "agent/output.md": "42 V\n" });
    expect(result.evaluation?.validity).toEqual({
      output_parseable: true,
      schema_valid: true,
      verifier_completed: true,
      errors: [],
    });
    expect(result.provenance.output_parseable.from).toBe("agent/output.md");
  });

  it("of a blank output is no, and with a reward above 0 that is refused", async () => {
    const zero = await evaluate({ "result.json": trialResult(NAME, 0), "agent/output.md": " \n" });
    expect(zero.shown).toMatchObject({ reward: 0, validity: { output_parseable: false } });
    const paid = await evaluate({ "result.json": trialResult(NAME, 0.5), "agent/output.jsonl": "" });
    expect(paid.shown).toBeNull();
    expect(paid.issues[0]?.message).toContain("unparseable outputs must have reward 0.0");
  });

  it("of JSON Lines with one invalid line, anywhere, is no", async () => {
    const fine = '{"drop": 7.31}\n\n{"drop": NaN}\n';
    const whole = await evaluate({ "result.json": trialResult(NAME, 0), "agent/output.jsonl": fine });
    expect(whole.shown?.validity).toMatchObject({ output_parseable: true, schema_valid: true });
    const torn = await evaluate({ "result.json": trialResult(NAME, 0), "agent/output.jsonl": `${fine}{"dr` });
    expect(torn.shown?.validity).toMatchObject({ output_parseable: false, schema_valid: false });
    expect(torn.gates[0]?.basis).toBe("Line 4 of agent/output.jsonl is not JSON.");
    const prose = await evaluate({ "result.json": trialResult(NAME, 1), "agent/output.md": '{"dr' });
    expect(prose.shown).toMatchObject({ reward: 1, validity: { output_parseable: true } });
  });

  it("of an output that an exception cut short is unknown", async () => {
    const over = { exception_info: { exception_type: "AgentTimeoutError", exception_message: "900 s" } };
    const result = await evaluate({ "result.json": trialResult(NAME, 0, over), "agent/output.md": "half" });
    expect(result.gates[0]).toMatchObject({ met: null });
    expect(result.gates[0]?.basis).toContain("AgentTimeoutError");
  });

  it("is what details.json states, first of all", async () => {
    const result = await evaluate({
      [REWARD]: { reward: 0 },
      [DETAILS]: { validity: { output_parseable: false, schema_valid: true, verifier_completed: false } },
      "agent/output.md": "text",
    });
    expect(result.shown?.validity).toMatchObject({
      output_parseable: false,
      schema_valid: true,
      verifier_completed: false,
    });
  });
});

describe("the breakdown", () => {
  it("that is broken is an issue, and the reward stays", async () => {
    const result = await evaluate({ [REWARD]: { reward: 0.4 }, [DETAILS]: '{"a": 0.' });
    expect(result.shown).toMatchObject({ reward: 0.4, breakdown: null });
    expect(codes(result)).toEqual([`JSONDecodeError breakdown ${DETAILS}`]);
  });

  it("of a multi-step trial is listed by step name", async () => {
    const result = await evaluate({
      "result.json": trialResult(NAME, 0.5),
      "steps/plan/verifier/details.json": { a: 1 },
      "steps/build/verifier/details.json": { b: 0 },
    });
    expect(result.shown?.breakdown).toEqual({ build: { b: 0 }, plan: { a: 1 } });
  });
});

describe("error tags", () => {
  const none = { [REWARD]: { reward: 0 } };

  it("are null if unchecked and empty if a check found nothing", async () => {
    expect((await evaluate(none)).shown?.error_taxonomy).toBeNull();
    const checked = await evaluate({ ...none, [DETAILS]: { error_taxonomy: [] } });
    expect(checked.shown?.error_taxonomy).toEqual([]);
  });

  it("come from details, analysis, exception and reviewers, each with its source", async () => {
    const over = {
      exception_info: { exception_type: "VerifierTimeoutError", exception_message: "600 s\nmore" },
    };
    const result = await evaluate(
      {
        "result.json": trialResult(NAME, 0, over),
        [DETAILS]: { error_taxonomy: [{ category: "unit mismatch", source: "mechanical" }] },
        "analysis.json": { checks: { reward_hacking: { outcome: "fail", explanation: "edited a test" } } },
      },
      [judged("ann", "fail", ["wrong unit"])],
    );
    expect(result.shown?.error_taxonomy).toEqual([
      { category: "unit mismatch", description: null, source: "mechanical" },
      { category: "reward_hacking", description: "edited a test", source: "judge" },
      { category: "VerifierTimeoutError", description: "600 s", source: "mechanical" },
      { category: "wrong unit", description: null, source: "human" },
    ]);
    expect(result.provenance.error_taxonomy.map(({ from }) => from)).toEqual([
      DETAILS,
      "analysis.json",
      "result.json",
      "assay",
    ]);
  });
});

describe("reviewers", () => {
  it("change no reward, and their agreement is the confidence", async () => {
    const result = await evaluate({ [REWARD]: { reward: 1 } }, [
      judged("ann", "fail"),
      judged("bob", "pass"),
    ]);
    expect(result.shown).toMatchObject({
      reward: 1,
      annotations: [
        { reviewer_id: "ann", judgment: "fail" },
        { reviewer_id: "bob", judgment: "pass" },
      ],
      confidence: {
        annotator_count: 2,
        inter_rater_agreement: 0.5,
        confidence_method: "human_review_consensus",
      },
    });
    expect(result.provenance.annotations.map(({ versionId }) => versionId)).toEqual(["v-ann", "v-bob"]);
  });

  it("who differ and were decided over say so, and those who agree need no decision", async () => {
    const decision: TrialDecision = {
      decisionId: "d-1",
      finalJudgment: "fail",
      categories: ["wrong output"],
      reason: "The table is empty.",
      decidedBy: "cy",
      decidedAt: "2026-05-02T10:00:00.000Z",
      sources: ["v-ann", "v-bob"],
    };
    const differ = [judged("ann", "fail"), judged("bob", "pass")];
    const decided = await evaluate({ [REWARD]: { reward: 1 } }, differ, decision);
    expect(decided.shown).toMatchObject({
      reward: 1,
      confidence: {
        annotator_count: 2,
        inter_rater_agreement: 0.5,
        confidence_method: "adjudicated_human_review",
      },
    });
    expect(decided.written).toMatchObject({
      adjudication: {
        decision_id: "d-1",
        status: "adjudicated",
        final_judgment: "fail",
        decided_by: "cy",
        rationale: "The table is empty.",
        source_annotation_ids: ["v-ann", "v-bob"],
      },
    });
    const open = await evaluate({ [REWARD]: { reward: 1 } }, differ, { ...decision, finalJudgment: null });
    expect(open.written).toMatchObject({ adjudication: { status: "contested", final_judgment: null } });
    expect(open.shown?.confidence?.confidence_method).toBe("human_review_consensus");
    const agreed = await evaluate({ [REWARD]: { reward: 1 } }, [judged("ann", "fail")], decision);
    expect(agreed.written).toMatchObject({ adjudication: null });
    expect(agreed.shown?.confidence?.confidence_method).toBe("human_review_consensus");
  });

  it("do not replace a confidence that a file states", async () => {
    const files = { [REWARD]: { reward: 1 }, [DETAILS]: { confidence: { annotator_count: 7 } } };
    const result = await evaluate(files, [judged("ann", "pass")]);
    expect(result.shown?.confidence?.annotator_count).toBe(7);
    expect(result.provenance.confidence.from).toBe(DETAILS);
  });

  it("are kept next to an invalid confidence, which is an issue", async () => {
    const files = { [REWARD]: { reward: 1 }, [DETAILS]: { confidence: { inter_rater_agreement: 2 } } };
    const result = await evaluate(files);
    expect(result.shown?.confidence).toBeNull();
    expect(codes(result)).toEqual([`value_error confidence ${DETAILS}`]);
  });
});

test("a folder of links out of it is refused and its trial stays", async () => {
  const folder = makeFolder(jobFiles("run", { [NAME]: 1 }));
  symlinkSync("/etc/hostname", join(folder, "run", NAME, DETAILS));
  const result = await evaluateOnly(folder);
  expect(result.shown).toMatchObject({ reward: 1, breakdown: null });
  expect(codes(result)).toEqual([`link_outside_root breakdown ${DETAILS}`]);
});

type FileText = string | null | { readonly $bytes_hex: string };

interface IngestionVector {
  readonly id: string;
  readonly input: Readonly<Record<"reward_json" | "details_json", FileText>> &
    Readonly<
      Record<"output_parseable" | "schema_valid" | "reward_path_given" | "details_path_given", boolean>
    >;
  readonly expected: { readonly ok: boolean; readonly result?: { reward: number; breakdown: unknown } };
}

function readIngestionVectors(): readonly IngestionVector[] {
  const file = join(import.meta.dirname, "../../../core/evaluation/conformance/vectors.json");
  const vectors = JSON.parse(readFileSync(file, "utf8"), readFloat) as {
    ingestion: { read_verifier_artifacts: readonly IngestionVector[] };
  };
  // Harbor has both files at fixed places, so a vector without a path is one without the file; gates are tested above.
  return vectors.ingestion.read_verifier_artifacts.filter(
    ({ input }) => input.output_parseable && input.schema_valid && input.details_path_given,
  );
}

/** The vectors name floats that JSON has not. */
function readFloat(_key: string, value: unknown): unknown {
  return JSON.stringify(value) === '{"$float":"nan"}' ? NaN : value;
}

function toFile(path: string, text: FileText): FolderFiles {
  if (text === null) return {};
  return { [path]: typeof text === "string" ? text : Buffer.from(text.$bytes_hex, "hex") };
}

/** Intended differences of the mapping from the reference, with its results; README.md has the reasons. */
const DEPARTURES: Readonly<Record<string, string>> = {
  "no-reward-key-multi-metric": "reward_key_absent reward",
  "details-invalid": "JSONDecodeError breakdown",
  "details-list": "dict_type breakdown",
};

describe("a trial whose verifier left the files of a vector", () => {
  it.each(readIngestionVectors())(
    "is evaluated as the reference does: $id",
    async ({ id, input, expected }) => {
      const { shown, issues } = await evaluate({
        ...toFile(REWARD, input.reward_json),
        ...toFile(DETAILS, input.details_json),
      });
      const departure = DEPARTURES[id];
      if (departure !== undefined) {
        expect(`${issues[0]?.code ?? ""} ${issues[0]?.field ?? ""}`).toBe(departure);
      } else if (expected.ok) {
        const { reward, breakdown } = expected.result ?? {};
        expect(shown).toMatchObject({ reward, breakdown });
      } else {
        expect(shown).toBeNull();
        expect(issues).not.toEqual([]);
      }
    },
  );
});

function judged(
  reviewerId: string,
  judgment: Annotation["judgment"],
  categories: readonly string[] = [],
): Annotation {
  return {
    versionId: `v-${reviewerId}`,
    version: 1,
    subject: {
      trialId: null,
      jobUuid: null,
      trialName: NAME,
      jobName: "run",
      rootLabel: "jobs",
      taskName: "drop",
      agent: "orca",
      model: null,
      outcomeSeen: "failed",
      rewardSeen: "0",
    },
    reviewerId,
    reviewerDiscipline: null,
    timestamp: "2026-05-01T10:00:00.000Z",
    judgment,
    categories,
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
