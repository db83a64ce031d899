/** Verification: every recorded figure of a job beside the one computed again from its trials. */
export { summariseSeal } from "./seal";
export { verifyJob } from "./verify-job";
