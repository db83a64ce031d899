export const EXPORT_FORMATS = ["csv", "json", "parquet"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];
