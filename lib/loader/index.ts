/** Reads folders of Harbor jobs and ledgers of aec-bench. Synchronous, writes nothing, and turns every fault on disk into a {@link LoadIssue}. */
export { FILE_LIMITS, readFileBytes } from "./file-access";
export { discoverJobs, type DiscoveredJob } from "./discover";
export { DiscoveryMemo } from "./discovery-memo";
export { readLedgerFindings } from "./ledger/read-ledger-findings";
export { MemoryBudget } from "./memory-budget";
export { type LoadRoot, prepareIssue } from "./load-root";
export { NO_FINDINGS, readTrialFindings } from "./read-findings";
export { type JobDraft, type JobReading, type KnownTrials, readJob } from "./read-job";
export { assignKeys, computeShortHash } from "./short-hash";
export {
  describeSource,
  isSameSource,
  isSourceUnchanged,
  seedMemo,
  type SourceFingerprint,
  stampSource,
} from "./source-fingerprint";
export { describeTrials, restoreTrials } from "./stored-trials";
export { StringPool } from "./string-pool";
export { stampTrial } from "./trial-probes";
