export const EXPORT_FORMATS = ["csv", "json", "parquet"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** `label-studio` has trials to label elsewhere, `label-studio-config` the possible labels, `langfuse` scores. */
export const JUDGMENT_FORMATS = [
  "jsonl",
  "csv",
  "parquet",
  "langfuse",
  "label-studio",
  "label-studio-config",
] as const;
