/**
 * Formats of downloaded judgments. `label-studio` has trials to be labelled elsewhere and `label-studio-config` what they can be
 * labelled with; `langfuse` has scores.
 */
export const JUDGMENT_FORMATS = [
  "jsonl",
  "csv",
  "parquet",
  "langfuse",
  "label-studio",
  "label-studio-config",
] as const;
