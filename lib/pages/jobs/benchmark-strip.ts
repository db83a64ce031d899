import "server-only";
import { placeBenchmarkStrip } from "@/lib/core/charts/benchmark-strip";
import { computeSinceLast } from "@/lib/core/comparison";
import { formatReward } from "@/lib/core/format/number";
import { groupRef } from "@/lib/pages/address/href";
import { type GroupSummary, type IndexStore, type JobHead, readHeads } from "@/lib/store/tables";

import { findGroups, readChosenGroups } from "../compare/groups";
import { type Dataset, listDatasets } from "../datasets/list";
import { getCached } from "../shell/catalog";
import { REFERENCES } from "../tasks/counted";

const MOST_PANELS = 5;
const MOST_RUNS = 24;
/** A score of one trial says too little to be drawn. */
const LEAST_TRIALS = 2;
const ACTIVE_MS = 365 * 86_400_000;

export type BenchmarkPanel = Awaited<ReturnType<typeof readBenchmarkStrip>>[number];

export async function getBenchmarkStrip() {
  const datasets = await getCached("datasets", listDatasets);
  return getCached("benchmark strip", (store) => readBenchmarkStrip(store, datasets, Date.now()));
}

interface Run {
  readonly job: JobHead;
  readonly summary: GroupSummary;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Returns the benchmarks with the newest runs, each with its newest runs of two trials or more. */
export async function readBenchmarkStrip(store: IndexStore, datasets: readonly Dataset[], nowMs: number) {
  const active = datasets
    .map(({ groups, ...dataset }) => ({ ...dataset, groups: groups.filter(isDrawn).slice(0, MOST_RUNS) }))
    .filter(({ isNamed, groups: [newest] }) => isNamed && nowMs - (newest?.whenMs ?? 0) < ACTIVE_MS)
    .slice(0, MOST_PANELS);
  const ids = new Set(active.flatMap(({ groups }) => groups.map(({ jobRowId }) => jobRowId)));
  const heads = new Map((await readHeads(store, [...ids])).map((job) => [job.rowId, job]));
  const panels = await Promise.all(
    active.map(async ({ id, label, groups }) => {
      const runs = pickBest(
        groups.toReversed().flatMap(({ jobRowId, key }) => toRun(heads.get(jobRowId), key)),
      );
      const newest = runs.at(-1);
      if (newest === undefined) return [];
      const { points, best, labels } = placeBenchmarkStrip(runs);
      return [
        {
          id,
          label,
          when: newest.job.when,
          points: points.map((point, at) => ({ ...point, title: describeRun(runs[at] ?? newest) })),
          best: { at: best, y: labels.best, text: formatReward(runs[best]?.value ?? null) },
          newest: { y: labels.newest, text: formatReward(newest.value) },
          change: await describeChange(store, runs),
        },
      ];
    }),
  );
  return panels.flat();
}

function isDrawn({ agent, nTrials, whenMs }: Dataset["groups"][number]): boolean {
  const isReference = REFERENCES.some((name) => name === agent);
  return nTrials >= LEAST_TRIALS && whenMs !== null && !isReference;
}

function toRun(job: JobHead | undefined, key: string): readonly Run[] {
  const summary = job?.groups.find(({ group }) => group.key === key);
  if (job === undefined || summary?.interval.kind !== "computed") return [];
  const { mean: value, bounds } = summary.interval;
  const { low, high } = bounds.kind === "computed" ? bounds : { low: null, high: null };
  return [{ job, summary, value, low, high }];
}

/** One run per job: agents of one job have no order in time. */
function pickBest(runs: readonly Run[]): readonly Run[] {
  const byJob = Map.groupBy(runs, ({ job }) => job.rowId);
  return Array.from(byJob.values(), (own) =>
    own.reduce((best, run) => (run.value > best.value ? run : best)),
  );
}

function describeRun({ job, summary: { group }, value }: Run): string {
  return `${job.name}, ${[group.agent, group.model].filter(Boolean).join(" ")}: ${formatReward(value)}`;
}

/** The newest run against the best one before it. */
async function describeChange(store: IndexStore, runs: readonly Run[]) {
  const newest = runs.at(-1);
  const before = runs.slice(0, -1);
  const [best] = before.toSorted((a, b) => b.value - a.value);
  const unfinished = newest?.job.state === "finished" ? [] : ["incomplete"];
  if (newest === undefined || best === undefined)
    return { size: null, words: ["first job", ...unfinished].join(", ") };
  const refs = [best, newest].map(({ job, summary }) => groupRef(job.key, summary.group.key));
  const { chosen } = await findGroups(store, refs, () => 0);
  const [earlier, now] = await readChosenGroups(store, chosen);
  const since = earlier === undefined || now === undefined ? null : computeSinceLast(earlier, now);
  const words = ["vs best", ...unfinished, ...describeBasis(newest, best, since?.words.verdict)];
  return { size: since?.words.difference ?? null, words: words.join(", ") };
}

function describeBasis(newest: Run, best: Run, verdict: string | undefined): readonly string[] {
  if (newest.summary.group.agent !== best.summary.group.agent) return ["other agent"];
  if (newest.summary.group.model !== best.summary.group.model) return ["other model"];
  if (verdict === undefined || verdict === "not compared") return ["no common tasks"];
  if (verdict === "no clear difference") return ["could be chance"];
  return verdict === "no interval" ? ["no interval"] : [];
}
