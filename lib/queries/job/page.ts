import "server-only";

import { cache } from "react";

import { describePath } from "@/lib/buckets";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { MOST_SHOWN_GROUPS } from "@/lib/domain/job-filter";
import { countAddressBytes, countPageBytes, takeFitting } from "@/lib/domain/page-bytes";
import type { ListPart } from "@/lib/domain/list-page";
import { describePart, takePart } from "@/lib/domain/trial-lists";
import type { CheckVerdict } from "@/lib/domain/verification";
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
} from "@/lib/store";
import { summariseVerdict } from "@/lib/verification";

import { getIdentityOf, getIndexOfJob, getStore, getWholeStore } from "../shell/catalog";
import { listCutJobFiles } from "./files";
import { listShownGroups, type ShownGroup } from "./settings";
import { describeMeanBasis } from "./mean-basis";
import { getVerifierDoubts, type VerifierDoubts } from "./verifier-checks";

/** One metric entry of a group: a metric of the only reward key, or one reward key of several. */
export interface MetricLine {
  /** Metric type, such as `mean`. */
  readonly metric: string;
  /** Reward key; null when the group has one key, so that Harbor names the entry after the metric. */
  readonly rewardKey: string | null;
  readonly figure: FigureRow;
}

/** One evals group of the job page, or a part of one with the same agent settings. */
export interface JobGroup extends GroupSummary {
  readonly identity: number;
  /** Basis of its mean and interval, in words. */
  readonly basis: string;
  readonly metricLines: readonly MetricLine[];
  /** Harbor's pass@k by k as text. */
  readonly passAtK: ReadonlyMap<string, FigureRow>;
  readonly passVerdict: CheckVerdict;
}

/** The head of a job page: title, stamp, groups, tab counts. */
export interface JobPage {
  readonly job: JobHead;
  /** Where it lies: a path, or an address in a bucket. */
  readonly place: string;
  readonly groups: readonly JobGroup[];
  /** The groups that have rows and columns of their own, and which part of all they are. */
  readonly shown: { readonly groups: readonly JobGroup[]; readonly part: ListPart };
  /** k for which any group has a recorded or recomputed pass@k, ascending. */
  readonly ks: readonly string[];
  readonly durationMs: number | null;
  /** Figures that could be compared, which leaves out those that are not recorded. */
  readonly nCompared: number;
  /** What speaks against its verifiers; null while the files that tell are being read. */
  readonly doubts: VerifierDoubts | null;
  /** Its own files of which pages show only a part. */
  readonly cutFiles: readonly string[];
  /** The copies of it, see `readJobCopies`. */
  readonly copies: readonly JobCopy[];
  /** How far the reading of all open folders is, while the job's own trials are not read. */
  readonly reading: ReadingState | null;
}

/** Why a job's trials are not there yet. */
export interface ReadingState {
  /** Where the job is: its folder, or the address of its bucket. */
  readonly place: string;
  /** Why they could not be read, as the load report says; null while they are to be. */
  readonly failure: string | null;
  /** Of all open folders. */
  readonly nTrialsRead: number;
  readonly nTrialsToRead: number;
}

/** Bytes of the rows of groups, of a row beside its links, and of a link beside its names. */
const MAX_GROUPS_BYTES = 400_000;
const GROUP_BYTES = 2_000;
const GROUP_LINKS = 6;
const LINK_BYTES = 200;

/** The head of a job's page, groups from the `from`-th on, divided by agent settings where asked; null when it is not open. */
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

/** The headline first, the others as recorded. */
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

/** Names and keys of the open jobs, at most 2,000, for suggestions. */
export async function listJobNames(): Promise<readonly { readonly key: string; readonly name: string }[]> {
  return readJobNames(await getStore(), MOST_NAMES);
}
