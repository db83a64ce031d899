/**
 * The scoring core: Harbor's numbers, bit for bit, from plain values. Imports nothing outside this folder and runs in any
 * JavaScript engine. Import from this file only.
 */

// Python values and arithmetic
export { parsePythonJson } from "./python/json-parse";
export { dumpPythonJson, type DumpOptions } from "./python/json-dump";
export { parsePythonFloat } from "./python/float-parse";
export { pythonSum, type Summation } from "./python/sum";
export { pythonRound, pythonRoundTo } from "./python/round";
export { pythonRepr } from "./python/repr";
export { stripPythonSpace, trimUnicodeSpace } from "./python/unicode";
export {
  compareCodePoints,
  isPyNumber,
  PythonError,
  recoverPython,
  type PyExceptionName,
  type PyNumber,
  type PyValue,
  type RewardDict,
} from "./python/value";

// Rewards of a trial
export {
  decodePythonText,
  readRewardFiles,
  type RewardFileError,
  type RewardFiles,
  type RewardFilesResult,
} from "./rewards";
export {
  parsePydanticFloat,
  validateRewards,
  type RewardsProblem,
  type ValidatedRewards,
} from "./validate-rewards";
export { aggregateStepRewards, type StepResult, type StepStrategy } from "./multi-step";

export {
  type ErrorPolicy,
  findErrorPolicy,
  isRewardValid,
  type PolicyOverride,
  type RecordedException,
  type ScoringRule,
} from "./error-policy";

// Figures of an evals group
export { ADHOC_DATASET, dashedEvalsKey, evalsKey, type EvalsGroup } from "./evals-key";
export { aggregateRewards, type MetricName, type MetricResult } from "./metrics";
export { eligibleK, passAtKByEvals, passAtKForGroup, passAtKForTask, type PassAtKTrial } from "./pass-at-k";

// Figures of a job
export {
  computeJobStats,
  computeTrialUsage,
  type AgentUsage,
  type EvalsStats,
  type JobStats,
  type JobStatsTrial,
} from "./job-stats";
export { deriveOutcome, deriveOutcomeFromStats, type Outcome, type OutcomeStats } from "./outcome";
export {
  FALLBACK_REASON_CODES,
  FINAL_REASON_CODES,
  normalizeReasonCode,
  RETRYABLE_REASON_CODES,
  type KnownReasonCode,
} from "./reason-codes";

// Comparing figures
export { sameBits, ulpDistance } from "./ulp";
