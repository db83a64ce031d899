/** The index: everything that pages list, filter and sort, derived from the folders. This file is the only entrance. */
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
  type ExceptionTally,
  type GroupTotals,
  type ListedJob,
  readExceptionCounts,
  readExceptionMessages,
  readFirstMessages,
  readExceptionTallies,
  readExceptionTrials,
  readGroupTotals,
  readListedJobs,
  readRewardTallies,
  type RewardBeside,
} from "./read/errors";
export {
  type DeterminismCounts,
  type Disagreement,
  readDeterminism,
  readDisagreeingKeys,
  readDisagreements,
} from "./read/determinism";
export { type FacetValue, type FacetValues, readCatalogFacets, readJobFacets } from "./read/facets";
export {
  type DimensionSummary,
  type FamilySummary,
  readDimensionPage,
  readDimensions,
  readFamilies,
  readFamilyDetail,
  readFamilyPage,
  readRubricTrials,
  type RubricTrial,
} from "./read/dimensions";
export {
  readJobsWithoutFindings,
  readSiblingDetails,
  readSuspects,
  readSuspectTallies,
  readSuspicions,
  readTagCounts,
  readTaggedKeys,
  type SiblingDetails,
  type SuspectTrial,
  type TagCount,
} from "./read/findings";
export { type FigureRow, readFigures, readFiguresOfKind } from "./read/figures";
export {
  countCommonTasks,
  countGroupFigures,
  countUnreadJobs,
  type GroupPlace,
  readGroups,
  readJobIds,
} from "./read/groups";
export { readHead, readHeads } from "./read/heads";
export { isJobCut, type PlacedIssue, readIssues, readTrialIssues } from "./read/issues";
export {
  type LineageTrial,
  readPlannedTasks,
  type RegradedTrial,
  readRegradedTrials,
  readRegradesOf,
  readRegradingJobs,
  readRolloutLinks,
  readSourceJob,
  type RegradingJob,
  type RolloutLink,
} from "./read/lineage";
export {
  type IndexTotals,
  type JobsOrder,
  type JobSelection,
  type JobSort,
  countReportJobs,
  listJobIds,
  readAgentModels,
  readJobNames,
  readRootLabel,
  readJobs,
  readRoots,
  readTotals,
  type RootCounts,
} from "./read/jobs";
export {
  type JobHit,
  readNewestJobs,
  readSearch,
  type SearchHits,
  type TaskHit,
  type TrialHit,
  type ValueHit,
} from "./read/search";
export { type ReportRow, readReports } from "./read/reports";
export {
  readFinishedPlaces,
  readNeighbours,
  readTrialPlaces,
  type TrialNeighbours,
  type TrialPlace,
} from "./read/places";
export { type PlacedTrial, readAllTrials, readPlacedTrials, readRewardKeys } from "./read/trial-records";
export {
  readRecordedJudgments,
  readRecordedTotals,
  type RecordedRow,
  type RecordedTotals,
} from "./read/recorded-judgments";
export { readTaskNames, readTasks, type TaskRow, type TaskSelection, type TaskSort } from "./read/tasks";
export {
  readTrial,
  readTrialPositions,
  readTrials,
  readTrialsAt,
  type TrialRow,
  type TrialSelection,
  type TrialSort,
} from "./read/trials";
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
