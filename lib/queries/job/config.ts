import "server-only";

import type { JobParams } from "@/lib/addresses/job";
import type { TrialFileView } from "@/lib/domain/trial-file";
import { type FigureRow, type IndexStore, type JobHead, readFiguresOfKind, readRootLabel } from "@/lib/store";
import { readApart } from "@/lib/trial-reading";

import { readShownIssues, type ShownIssues } from "../shell/load-report";

/** One counter of a job, recorded and recomputed. */
export interface CounterRow {
  readonly name: string;
  readonly recorded: string | null;
  readonly recomputed: string | null;
  readonly figure: FigureRow | null;
}

/** The config tab. */
export interface ConfigPanel {
  readonly rootLabel: string;
  readonly counters: readonly CounterRow[];
  /** How the recorded outcome line compares; null when nothing was compared. */
  readonly outcome: FigureRow | null;
  /** config.json of the job, read again from disk; null when the job has no folder of its own. */
  readonly config: TrialFileView | null;
  /** What could not be read or looks unusual. */
  readonly issues: ShownIssues;
}

/** The counters and the configuration of a job, and what could not be read in it. */
export async function getConfigPanel(
  store: IndexStore,
  job: JobHead,
  { issuesFrom }: Pick<JobParams, "issuesFrom">,
): Promise<ConfigPanel> {
  const { report, path } = job;
  const [rootLabel, figures, config, issues] = await Promise.all([
    readRootLabel(store, job.root),
    readFiguresOfKind(store, job.rowId, ["counter", "outcome"]),
    job.kind === "harbor" ? readApart("file", path, path, "config.json") : null,
    readShownIssues(store, { jobRowId: job.rowId }, { from: issuesFrom }),
  ]);
  const byPath = new Map(figures.map((figure) => [figure.path, figure]));
  const recorded = new Map<string, bigint | number>(job.recordedCounters);
  if (job.nTotalTrials !== null) recorded.set("n_total_trials", job.nTotalTrials);
  const names = new Set([...report.recomputedCounters.keys(), ...recorded.keys()]);
  return {
    rootLabel,
    counters: [...names].map((name) => ({
      name,
      recorded: recorded.get(name)?.toString() ?? null,
      recomputed: formatCounter(report.recomputedCounters.get(name)),
      figure: byPath.get(`stats.${name}`) ?? byPath.get(name) ?? null,
    })),
    outcome: figures.find(({ kind }) => kind === "outcome") ?? null,
    config,
    issues,
  };
}

function formatCounter(value: unknown): string | null {
  return typeof value === "bigint" || typeof value === "number" ? value.toString() : null;
}
