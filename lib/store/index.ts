/** The index: everything that pages list, filter and sort, derived from the folders. This file is the only entrance. */
export * from "./read/determinism";
export * from "./read/dimensions";
export * from "./read/errors";
export * from "./read/facets";
export * from "./read/figures";
export * from "./read/findings";
export * from "./read/groups";
export * from "./read/heads";
export * from "./read/issues";
export * from "./read/jobs";
export * from "./read/lineage";
export * from "./read/places";
export * from "./read/recorded-judgments";
export * from "./read/reports";
export * from "./read/search";
export * from "./read/tasks";
export * from "./read/trial-records";
export * from "./read/trials";
export {
  type JobOrigin,
  markUnfinished,
  nextGeneration,
  readIndexState,
  readJobOrigins,
  readRepeatedTrialIds,
  readRootIssues,
  writeCatalogFacts,
  writeScanTime,
} from "./write/catalog-facts";
export { encodeValue } from "./schema/codec";
export {
  type DimensionCell,
  type FacetName,
  MOST_CORRELATED,
  type StoredCorrelations,
  type StoredReport,
  type TaskCell,
} from "./schema/stored-values";
export type { JobRow } from "./write/rows";
export type { ExactValue, GroupSummary, JobHead, OutcomeCounts, StoredHead } from "./schema/job-head";
export { LEASE_MS, returnLease, takeLease } from "./write/lease";
export {
  DERIVE_VERSION,
  type IndexStore,
  markIndexDamaged,
  openIndexStore,
  resolveIndexTarget,
} from "./open-store";
export { formatPositions } from "./schema/positions";
export {
  addSource,
  type FoundSource,
  readSource,
  readSources,
  readStoredReading,
  updateFingerprint,
} from "./write/sources";
export type { Stored } from "./schema/tables";
export { findTrialLinks } from "./write/trial-links";
export { deleteSources, type JobContent, type SourceContent, writeSource } from "./write/source";
export {
  addFindings,
  clearFindings,
  countPendingTrials,
  type FindingCounts,
  finishFindings,
  forgetFindings,
  type PendingJob,
  readPendingJob,
} from "./write/findings";
