import "server-only";
import { cache } from "react";

import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { MOST_SHOWN_GROUPS } from "@/lib/core/domain/job-filter";
import type { ListPart } from "@/lib/core/domain/list-page";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { describePart, takePart } from "@/lib/core/domain/trial-lists";
import type { CheckVerdict } from "@/lib/core/domain/verification";
import { summariseVerdict } from "@/lib/core/verification";
import { describePath } from "@/lib/read/buckets";
import {
  type FigureRow,
  type GroupSummary,
  type IndexStore,
  type JobCopy,
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
import { getVerifierDoubts, type VerifierDoubts } from "./verifier-checks";

export interface MetricLine {
  readonly metric: string;
  /** Null for a group with one key, where Harbor names the entry after the metric. */
  readonly rewardKey: string | null;
  readonly figure: FigureRow;
}

/** An evals group, or the part of one with the same agent settings. */
export interface JobGroup extends GroupSummary {
  readonly identity: number;
  readonly basis: string;
  readonly metricLines: readonly MetricLine[];
  readonly passAtK: ReadonlyMap<string, FigureRow>;
  readonly passVerdict: CheckVerdict;
}

export interface JobPage {
  readonly job: JobHead;
  /** A folder path or a bucket URL. */
  readonly place: string;
  readonly groups: readonly JobGroup[];
  readonly shown: { readonly groups: readonly JobGroup[]; readonly part: ListPart };
  /** Values of k with a recorded or recomputed pass@k in any group, ascending. */
  readonly ks: readonly string[];
  readonly durationMs: number | null;
  /** Figures with a recorded value. */
  readonly nCompared: number;
  readonly doubts: VerifierDoubts | null;
  readonly cutFiles: readonly string[];
  readonly copies: readonly JobCopy[];
  /** Progress over all open folders, while the job's own trials are unread. */
  readonly reading: ReadingState | null;
}

export interface ReadingState {
  readonly place: string;
  /** Message of the load report; null while the read is pending. */
  readonly failure: string | null;
  readonly nTrialsRead: number;
  readonly nTrialsToRead: number;
}

/** Bytes of all group rows, of a row without its links, and of a link without its names. */
const MAX_GROUPS_BYTES = 400_000;
const GROUP_BYTES = 2_000;
const GROUP_LINKS = 6;
const LINK_BYTES = 200;

export const getJobPage = cache(
  async (jobKey: string, isDivided = false, from = 0): Promise<JobPage | null> => {
    const [{ store, status }, identityOf] = await Promise.all([getIndexOfJob(jobKey), getIdentityOf()]);
    const job = await readHead(store, jobKey);
    if (job === null) return null;
    const figures = await readFiguresOfKind(store, job.rowId, ["metric", "pass-at-k"]);
    const byGroup = Map.groupBy(figures, (figure) => figure.group);
    const groups = listShownGroups(job, byGroup, isDivided).map((shown) => {
      const { agent, model } = shown.summary.group;
      return toGroup(job, shown, identityOf(agent, model));
    });
    const ks = new Set(groups.flatMap(({ passAtK }) => [...passAtK.keys()]));
    const { nTrialsRead, nTrialsToRead } = status();
    const place = describePath(job.path);
    return {
      job,
      place,
      groups,
      shown: selectGroups(job.key, groups, from),
      ks: [...ks].sort((a, b) => Number(a) - Number(b)),
      durationMs: computeDurationMs(job.time),
      nCompared: job.nFigures - job.report.counts["not-recorded"],
      doubts: job.isRead ? await getVerifierDoubts(job) : null,
      cutFiles: await listCutJobFiles(store, job),
      copies: await readJobCopies(await getWholeStore(), job.rowId),
      reading: job.isRead
        ? null
        : { place, nTrialsRead, nTrialsToRead, failure: await findReadingFailure(store, job) },
    };
  },
);

function selectGroups(jobKey: string, all: readonly JobGroup[], from: number): JobPage["shown"] {
  const groups = takeFitting(
    takePart(all, from, MOST_SHOWN_GROUPS),
    MAX_GROUPS_BYTES,
    ({ group: { key, agent, model } }) =>
      GROUP_BYTES +
      GROUP_LINKS * (LINK_BYTES + countAddressBytes(jobKey) + countAddressBytes(key)) +
      2 * countPageBytes(`${key}${agent}${model ?? ""}`),
  );
  return { groups, part: describePart(all.length, from, groups.length) };
}

async function findReadingFailure(store: IndexStore, job: JobHead): Promise<string | null> {
  const [label, issues] = await Promise.all([readRootLabel(store, job.root), readRootIssues(store)]);
  const path = job.folder === "" ? label : `${label}/${job.folder}`;
  return issues.find((issue) => issue.code === "reading_failed" && issue.path === path)?.detail ?? null;
}

function toGroup(job: JobHead, shown: ShownGroup, identity: number): JobGroup {
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

function listMetricLines({ summary, figureKey, figures }: ShownGroup): MetricLine[] {
  const { group, headline } = summary;
  const prefix = `stats.evals.${figureKey}.metrics[`;
  const lines = figures.flatMap((figure) => {
    if (figure.kind !== "metric" || !figure.path.startsWith(prefix)) return [];
    const rest = figure.path.slice(prefix.length);
    const metric = group.metrics[Number(rest.slice(0, rest.indexOf("]")))]?.type ?? "mean";
    const name = rest.slice(rest.indexOf("].") + 2);
    return { metric, rewardKey: name === metric ? null : name, figure };
  });
  const isHeadline = ({ rewardKey }: MetricLine) => rewardKey !== null && rewardKey === headline?.key;
  return lines.toSorted((a, b) => Number(isHeadline(b)) - Number(isHeadline(a)));
}

const MOST_NAMES = 2_000;

export async function listJobNames(): Promise<readonly { readonly key: string; readonly name: string }[]> {
  return readJobNames(await getStore(), MOST_NAMES);
}
