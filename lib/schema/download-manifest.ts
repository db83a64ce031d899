import { z } from "zod";

import type { RebuiltJob } from "@/lib/domain/job";
import type { PyValue } from "@/lib/scoring";

import { toPlainValue } from "./plain-value";

const rowSchema = z.object({
  status: z.string().nullish(),
  retry_index: z.number().int().nullish(),
  retry_count: z.number().int().nullish(),
});
const rowsSchema = z.array(rowSchema);

const manifestSchema = z.object({
  reconstructed_from_trials: z.literal(true),
  n_total_trials: z.number().int().min(0),
  downloaded: rowsSchema,
  missing: rowsSchema,
  running: rowsSchema,
  pending: rowsSchema,
});

type Row = z.infer<typeof rowSchema>;

/**
 * Reads download_manifest.json, which Harbor leaves in a job that it rebuilt from trial archives; null for another
 * document.
 * @see harbor 0.24.0 src/harbor/download/downloader.py, `_build_manifest` and `_build_job_stats`
 */
export function parseDownloadManifest(manifest: PyValue): RebuiltJob | null {
  const parsed = manifestSchema.safeParse(toPlainValue(manifest));
  if (!parsed.success) return null;
  const { n_total_trials: nPlanned, downloaded, missing, running, pending } = parsed.data;
  const lost = missing.filter(isLastAttempt);
  return {
    nPlanned,
    nRows: downloaded.filter(isLastAttempt).length + lost.length,
    nRunning: running.filter(isLastAttempt).length,
    nPending: pending.filter(isLastAttempt).length,
    nMissing: lost.length,
    nMissingFailed: lost.filter((row) => row.status === "failed").length,
    nMissingCanceled: lost.filter((row) => row.status === "canceled").length,
  };
}

function isLastAttempt({ retry_index: index, retry_count: count }: Row): boolean {
  return (index ?? 0) === (count ?? 0);
}
