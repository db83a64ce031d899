/** Writes lists as CSV, JSON and Parquet files from one description of their columns. Import from this file only. */
export { makeByteStream } from "./byte-stream";
export { CONTENT_TYPES, writeExport, writeTextExport } from "./formats";
export { JOB_TABLE } from "./job-table";
export { JUDGMENT_TABLE } from "./judgment-table";
export { prepareRewards, prepareValue } from "./json-values";
export { makeTrialTable } from "./trial-table";
export type { ExportTable } from "./table";
