/** Formats of a download, by the ending of its address and file. */
export const EXPORT_FORMATS = ["csv", "json", "parquet"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
