/** Verification: every recorded figure of a job beside the one computed again from its trials. */
export { verifyJob, type VerifyOptions } from "./verify-job";
export { countVerdicts, summariseSeal } from "./seal";
