/** Writes lists as CSV, JSON and Parquet files from one description of their columns. Import from this file only. */
export { CONTENT_TYPES, makeByteStream, writeExport } from "./formats";
export { type ExportTable, JOB_TABLE, JUDGMENT_TABLE, prepareRewards, prepareValue } from "./table";
export { makeTrialTable } from "./trial-table";
