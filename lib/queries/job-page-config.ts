import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import type { TrialFileView } from "@/lib/domain/trial-file";
import type { Figure } from "@/lib/domain/verification";
import { readTrialFile } from "@/lib/loader/detail";

/** One counter of a job, recorded and recomputed. */
export interface CounterRow {
  readonly name: string;
  readonly recorded: string | null;
  readonly recomputed: string | null;
  readonly figure: Figure | null;
}

/** The config tab. */
export interface ConfigPanel {
  readonly counters: readonly CounterRow[];
  /** config.json of the job, read again from disk; null when the job has no folder of its own. */
  readonly config: TrialFileView | null;
}

/** The counters and the configuration of a job. */
export async function getConfigPanel(entry: JobEntry): Promise<ConfigPanel> {
  const { job, report } = entry;
  const figures = new Map(report.figures.map((figure) => [figure.path, figure]));
  const recorded = new Map<string, bigint>(job.recorded?.counters ?? []);
  if (job.recorded?.nTotalTrials != null) recorded.set("n_total_trials", job.recorded.nTotalTrials);
  const names = new Set([...report.recomputedCounters.keys(), ...recorded.keys()]);
  return {
    counters: [...names].map((name) => ({
      name,
      recorded: recorded.get(name)?.toString() ?? null,
      recomputed: formatCounter(report.recomputedCounters.get(name)),
      figure: figures.get(`stats.${name}`) ?? figures.get(name) ?? null,
    })),
    config: job.kind === "harbor" ? await readTrialFile(entry.path, "config.json") : null,
  };
}

function formatCounter(value: unknown): string | null {
  return typeof value === "bigint" || typeof value === "number" ? value.toString() : null;
}
