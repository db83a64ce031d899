/**
 * Reads what a trial folder contains beyond its result, confined to that folder and read-only. Never throws for what is on disk.
 * A ledger's trial is its record and the files next to it, read synchronously and confined to the opened folder.
 */
export { readLedgerRecord, type LedgerRecordReading } from "../ledger/read-ledger-trial";
export { type LedgerDetails, readLedgerDetails } from "../ledger/ledger-details";
export { readTrialJudgments } from "../ledger/read-judgments";
export { resolveFolder } from "../discover/load-root";
export { listTrialFiles } from "./list-trial-files";
export { listPresentFiles, openRawFile, type RawFile } from "./open-raw-file";
export { type BytesComparison, compareBytes, readWindow } from "./compare-bytes";
export { readBreakdown } from "./details-file";
export { readEvaluationFiles } from "./read-evaluation-files";
export { tagsFromAnalysis } from "./details-file";
export { ATTEMPT_NAME, placeAttempt, readEarlierAttempts } from "./read-earlier-attempts";
export { readAnalysis, readArtifactManifests, readJobReport } from "./read-evidence";
export { findTestsInLogs } from "./test-reports/find-in-logs";
export { readTestReports } from "./test-reports/read-test-reports";
export { drawJsonText } from "./files/json-tree";
export { isBinary } from "./files/file-type";
export { describeStep } from "../trace/outline";
export type { RangeRequest } from "./open-raw-file";
export { useTextInside } from "./files/use-text-inside";
export { type FileRequest, readTrialFile } from "./read-trial-file";
export { readTrajectory } from "../trace/read-trajectory";
export { countLineBytes, prepareTextBlock, stripTerminal } from "./terminal-text";
