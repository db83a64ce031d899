import "server-only";
import type { ConfigParams } from "@/lib/pages/job/config-address";
import { readApart } from "@/lib/read/trial-reading";
import { type IndexStore, type JobHead, readFiguresOfKind, readRootLabel } from "@/lib/store/tables";

import { readShownIssues } from "../load-report/page";

const TEXT = { form: "text", line: null, from: null, end: "start" } as const;

export type ConfigPanel = Awaited<ReturnType<typeof getConfigPanel>>;

/** Reads config.json from disk again; null for a job without a folder of its own. */
export async function getConfigPanel(
  store: IndexStore,
  job: JobHead,
  { partFrom }: Pick<ConfigParams, "partFrom">,
) {
  const { report, path } = job;
  const [rootLabel, figures, config, issues] = await Promise.all([
    readRootLabel(store, job.root),
    readFiguresOfKind(store, job.rowId, ["counter", "outcome"]),
    job.kind === "harbor" ? readApart("file", path, path, "config.json", TEXT) : null,
    readShownIssues(store, { jobRowId: job.rowId }, { from: partFrom }),
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
