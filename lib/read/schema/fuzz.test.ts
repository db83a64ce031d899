import fc from "fast-check";
import { expect, it } from "vitest";

import { countValues } from "@/lib/core/domain/count-values";
import { parsePythonJson, PythonError, type PyValue } from "@/lib/core/scoring";
import { jobResult, trialResult } from "@/lib/testing/folder.fixture";
import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { parseDownloadManifest } from "./download-manifest";
import {
  parseJobConfig,
  parseJobLock,
  parseJobResult,
  parseTrialLock,
  parseRecordedStats,
} from "./job-files";
import { parseAdjudication, parseCalibration, parseReviewer, parseTriage } from "./ledger-feedback";
import { parseLedgerManifest, parseLedgerRecord } from "./ledger-record";
import { copyPlainValue, toPlainValue } from "./plain-value";
import { recogniseForeignDocument, recogniseHarborDocument } from "./recognise";
import { skimDocument } from "./skim-document";
import { parseStepResult, parseTrialConfig, parseTrialResult } from "./trial-files";

const NAME = "alpha__aaaaaaa";
const STEPS = [
  { step_name: "one", verifier_result: { rewards: { reward: 0.5 } }, exception_info: null },
  { step_name: "two", verifier_result: null, agent_result: { n_input_tokens: 3 } },
];
const EXCEPTION = {
  exception_type: "AgentTimeoutError",
  exception_message: "x",
  exception_traceback: "",
  occurred_at: "2026-05-01T10:00:00",
};
const RESULTS = [
  trialResult(NAME, 0.5),
  trialResult(NAME, null, { exception_info: EXCEPTION, verifier_result: null }),
  trialResult(NAME, 1, { step_results: STEPS }),
].map((document) => JSON.stringify(document));
const OTHERS = [
  jobResult({ [NAME]: 1, beta__bbbbbbb: 0 }, { status: { n_retries: 1 } }),
  { job_name: "j", n_attempts: 2, retry: { max_retries: 1 }, agents: [{ name: "orca", kwargs: { a: 1 } }] },
  { schema_version: 3, harbor: { version: "0.22.0" }, trials: [{ task: { name: "a", digest: "sha256:0" } }] },
  { trial_name: NAME, task: { path: "tasks/a" }, agent: { name: "orca" }, job_id: "1" },
  { schema_version: 2, trial_id: "t", experiment_id: "e", task: { task_id: "x" }, timing: { seconds: 1.5 } },
  { trial_id: "t", decision: "pass", reviewer: "ana", notes: "n", labels: ["a"], score: 0.5 },
].map((document) => JSON.stringify(document));

/** Readers of a document's exact values. */
const OF_EXACT: readonly ((value: PyValue) => unknown)[] = [
  ...[recogniseHarborDocument, recogniseForeignDocument, parseDownloadManifest, toPlainValue],
  ...[parseStepResult, parseTrialConfig, parseJobConfig, parseJobLock, parseTrialLock],
  ...[parseAdjudication, parseTriage, parseReviewer, parseCalibration],
  (value) => value instanceof Map && [parseRecordedStats(value), parseJobResult(value)],
];

it("every file of a job is read or reports problems, with any content", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryMutation([...RESULTS, ...OTHERS]), ({ text }) =>
      withinTime(() => {
        const value = readExactly(text);
        const skim = skimDocument(text);
        if (value === undefined) return;
        expect(skim.isWhole).toBe(true);
        expect(countValues(text, 3)).toBeGreaterThan(0);
        for (const parse of OF_EXACT) parse(value);
        parseTrialResult(toPlainValue(value));
        const plain = JSON.parse(JSON.stringify(toPlainValue(value))) as unknown;
        for (const parse of [parseLedgerRecord, parseLedgerManifest]) parse(copyPlainValue(plain));
      }),
    ),
    planRuns({ short: 500, long: 70_000 }),
  );
});

function readExactly(text: string): PyValue | undefined {
  try {
    return parsePythonJson(text);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return undefined;
  }
}
