import { z } from "zod";

import type { RebuiltJob } from "@/lib/core/domain/job";
import type { PyValue } from "@/lib/core/scoring";

import { toPlainValue } from "./plain-value";

const rowSchema = z.object({
  status: z.string().nullish(),
  retry_index: z.number().int().nullish(),
  retry_count: z.number().int().nullish(),
});
/** Keeps the last attempt of each trial. */
const rowsSchema = z
  .array(rowSchema)
  .transform((rows) => rows.filter((row) => (row.retry_index ?? 0) === (row.retry_count ?? 0)));

const manifestSchema = z.object({
  reconstructed_from_trials: z.literal(true),
  n_total_trials: z.number().int().min(0),
  downloaded: rowsSchema,
  missing: rowsSchema,
  running: rowsSchema,
  pending: rowsSchema,
});

/**
 * Parses download_manifest.json, which Harbor leaves in a job rebuilt from trial archives; null for other documents.
 * @see harbor 0.24.0 src/harbor/download/downloader.py, `_build_manifest` and `_build_job_stats`
 */
export function parseDownloadManifest(manifest: PyValue): RebuiltJob | null {
  const parsed = manifestSchema.safeParse(toPlainValue(manifest));
  if (!parsed.success) return null;
  const { n_total_trials: nPlanned, downloaded, missing, running, pending } = parsed.data;
  return {
    nPlanned,
    nRows: downloaded.length + missing.length,
    nRunning: running.length,
    nPending: pending.length,
    nMissing: missing.length,
    nMissingFailed: missing.filter((row) => row.status === "failed").length,
    nMissingCanceled: missing.filter((row) => row.status === "canceled").length,
  };
}
