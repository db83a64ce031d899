import "server-only";
import { cache } from "react";

import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { MOST_SHOWN_GROUPS } from "@/lib/core/domain/job-filter";
import { describePart, takePart } from "@/lib/core/domain/trial-lists";
import { summariseVerdict } from "@/lib/core/verification";
import { describePath } from "@/lib/read/buckets";
import {
  type IndexStore,
  type JobHead,
  readFiguresOfKind,
  readHead,
  readJobCopies,
  readJobNames,
  readRootIssues,
  readRootLabel,
} from "@/lib/store/tables";

import { getIdentityOf, getIndexOfJob, getStore, getWholeStore } from "../shell/catalog";
import { listCutJobFiles } from "./files";
import { describeMeanBasis } from "./mean-basis";
import { listShownGroups, type ShownGroup } from "./settings";
import { getVerifierDoubts } from "./verifier-checks";

export type JobPage = NonNullable<Awaited<ReturnType<typeof getJobPage>>>;

export type ReadingState = NonNullable<JobPage["reading"]>;

export const getJobPage = cache(async (jobKey: string, isDivided = false, from = 0) => {
  const [{ store, status }, identityOf] = await Promise.all([getIndexOfJob(jobKey), getIdentityOf()]);
  const job = await readHead(store, jobKey);
  if (job === null) return null;
  const figures = await readFiguresOfKind(store, job.rowId, ["metric", "pass-at-k"]);
  const byGroup = Map.groupBy(figures, (figure) => figure.group);
  const groups = listShownGroups(job, byGroup, isDivided).map((group) => {
    const { agent, model } = group.summary.group;
    return toGroup(job, group, identityOf(agent, model));
  });
  const shown = takePart(groups, from, MOST_SHOWN_GROUPS);
  const ks = new Set(groups.flatMap(({ passAtK }) => [...passAtK.keys()]));
  const { nTrialsRead, nTrialsToRead } = status();
  const place = describePath(job.path);
  return {
    job,
    /** A folder path or a bucket URL. */
    place,
    groups,
    shown: { groups: shown, part: describePart(groups.length, from, shown.length) },
    /** Values of k with a recorded or recomputed pass@k in any group, ascending. */
    ks: [...ks].sort((a, b) => Number(a) - Number(b)),
    durationMs: computeDurationMs(job.time),
    /** Figures with a recorded value. */
    nCompared: job.nFigures - job.report.counts["not-recorded"],
    doubts: job.isRead ? await getVerifierDoubts(job) : null,
    cutFiles: await listCutJobFiles(store, job),
    copies: await readJobCopies(await getWholeStore(), job.rowId),
    /** Progress over all open folders, while the job's own trials are unread. `failure`: why they could not be read. */
    reading: job.isRead
      ? null
      : { place, nTrialsRead, nTrialsToRead, failure: await findReadingFailure(store, job) },
  };
});

async function findReadingFailure(store: IndexStore, job: JobHead): Promise<string | null> {
  const [label, issues] = await Promise.all([readRootLabel(store, job.root), readRootIssues(store)]);
  const path = job.folder === "" ? label : `${label}/${job.folder}`;
  return issues.find((issue) => issue.code === "reading_failed" && issue.path === path)?.detail ?? null;
}

/** An evals group, or the part of one with the same agent settings. */
export type JobGroup = ReturnType<typeof toGroup>;

function toGroup(job: JobHead, shown: ShownGroup, identity: number) {
  const { summary, figures } = shown;
  const passFigures = figures.filter((figure) => figure.kind === "pass-at-k");
  return {
    ...summary,
    identity,
    basis: describeMeanBasis(summary.interval),
    metricLines: listMetricLines(shown),
    passAtK: new Map(
      passFigures.map((figure) => [figure.path.slice(figure.path.lastIndexOf(".") + 1), figure]),
    ),
    passVerdict: summariseVerdict(passFigures, job.state === "running"),
  };
}

/** `rewardKey`: null for a group with one key, where Harbor names the entry after the metric. */
export type MetricLine = ReturnType<typeof listMetricLines>[number];

function listMetricLines({ summary, figureKey, figures }: ShownGroup) {
  const { group, headline } = summary;
  const prefix = `stats.evals.${figureKey}.metrics[`;
  const lines = figures.flatMap((figure) => {
    if (figure.kind !== "metric" || !figure.path.startsWith(prefix)) return [];
    const rest = figure.path.slice(prefix.length);
    const metric = group.metrics[Number(rest.slice(0, rest.indexOf("]")))]?.type ?? "mean";
    const name = rest.slice(rest.indexOf("].") + 2);
    return { metric, rewardKey: name === metric ? null : name, figure };
  });
  const isHeadline = ({ rewardKey }: (typeof lines)[number]) =>
    rewardKey !== null && rewardKey === headline?.key;
  return lines.toSorted((a, b) => Number(isHeadline(b)) - Number(isHeadline(a)));
}

const MOST_NAMES = 2_000;

export async function listJobNames(): Promise<readonly { readonly key: string; readonly name: string }[]> {
  return readJobNames(await getStore(), MOST_NAMES);
}
