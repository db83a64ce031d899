/** `label-studio` has trials to label elsewhere, `label-studio-config` the possible labels, `langfuse` scores. */
export const JUDGMENT_FORMATS = [
  "jsonl",
  "csv",
  "parquet",
  "langfuse",
  "label-studio",
  "label-studio-config",
] as const;
