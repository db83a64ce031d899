/** Reads Harbor jobs and aec-bench ledgers. Synchronous, read-only; reports every fault as a {@link LoadIssue}. */
export { FILE_LIMITS, readFileBytes } from "./file-access";
export { discoverJobs, type DiscoveredJob } from "./discover/discover";
export { DiscoveryMemo } from "./discover/discovery-memo";
export { readLedgerDerivedDetails } from "./ledger/ledger-details";
export { hashJobs, hashResults } from "./hash-jobs";
export { MemoryBudget } from "./memory-budget";
export { type LoadRoot, prepareIssue } from "./discover/load-root";
export { noteOpenedFolders } from "./opened-inside";
export { NO_DERIVED_DETAILS, readTrialDerivedDetails } from "./harbor/read-derived-details";
export { readFailureSignals, openTrial } from "./harbor/read-failure-signals";
export { readJob, readJobByTrial } from "./harbor/read-job";
export type { JobDraft } from "./harbor/read-job";
export { assignKeys, computeShortHash } from "./hashes";
export {
  describeSource,
  isSameSource,
  isSourceUnchanged,
  type SourceFingerprint,
  stampSource,
} from "./harbor/source-fingerprint";
export { combineDigests } from "./hashes";
export { stampTrial } from "./folder-reader";
