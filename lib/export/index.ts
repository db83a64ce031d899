/** Lists as files: CSV, JSON and Parquet from one description of their columns. This file is the only entrance. */
export { makeByteStream } from "./byte-stream";
export { CONTENT_TYPES, writeExport, writeTextExport } from "./formats";
export { type ExportedGroup, JOB_TABLE } from "./job-table";
export { JUDGMENT_TABLE } from "./judgment-table";
export { prepareRewards, prepareValue } from "./json-values";
export type { ExportedTrial } from "./trial-json";
export { makeListedTrialTable, makeTrialTable, type ListedTrial } from "./trial-table";
export type { ExportColumn, ExportTable } from "./table";
