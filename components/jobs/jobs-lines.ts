import type { Seal } from "@/lib/domain/verification";
import { formatCost, formatCount, formatPlural, formatReward, MISSING } from "@/lib/format/number";
import { formatTime } from "@/lib/format/time";
import { formatSeal, SEAL_MEANINGS } from "@/lib/format/words";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/queries/jobs-page";

import { formatBounds, selectBounds } from "./group-cells";

/**
 * One evals group as the list shows it. The rows are drawn in the browser too, so what they are drawn from is sent beside
 * them: texts as they are shown, and nothing that follows from the rest.
 */
export interface GroupLine {
  readonly key: string;
  readonly agent: string;
  readonly model?: string;
  /** Only on the row that shows it. */
  readonly dataset?: string;
  readonly identity: number;
  readonly trials: string;
  readonly planned?: string;
  /** Absent when no reward key leads. */
  readonly exact?: string;
  readonly mean: string;
  readonly bounds: string;
  /** Mean and bounds in thousandths. */
  readonly interval?: readonly [mean: number, low: number, high: number];
  readonly seal: Seal;
  readonly sealWords: string;
  /** Says more than the word where the seal is not what one hopes for. */
  readonly sealTitle?: string;
  readonly passed: number;
  readonly partial: number;
  readonly failed: number;
  readonly errored: number;
  readonly timeout: number;
  readonly open?: readonly OpenKind[];
  /** Absent when nobody judged, null when the annotations cannot be read. */
  readonly reviews?: readonly [nJudged: number, nDisagreeing: number] | null;
  readonly cost: string;
  /** How many trials report one, when not all do. */
  readonly costTitle?: string;
}

/** Trials without a usable result, of one kind. */
export interface OpenKind {
  readonly status: "running" | "missing" | "unreadable" | "unscored";
  readonly count: number;
  readonly words: string;
}

/** A job with its rows. */
export interface JobLine {
  readonly id: number;
  readonly key: string;
  /** Absent when it is the key. */
  readonly name?: string;
  /** Where it lies, when that is not its name alone. */
  readonly title?: string;
  readonly state?: "running" | "interrupted";
  readonly finished: string;
  readonly finishedTitle?: string;
  /** What there is to say of a job without groups. */
  readonly words?: string;
  readonly groups: readonly GroupLine[];
}

/** The jobs of a page as the list shows them. */
export function prepareJobLines(page: JobsPage, year: number): readonly JobLine[] {
  const isIndexed = page.status.phase === "current" || page.status.phase === "failed";
  return page.items.map((item) => prepareJob(item, year, isIndexed));
}

function prepareJob(item: JobsItem, year: number, isIndexed: boolean): JobLine {
  const { job, isRead, when, id } = item.entry;
  const isOpen = job.state === "running" || job.state === "interrupted";
  return {
    id,
    key: job.key,
    ...(job.name === job.key ? {} : { name: job.name }),
    ...(job.folder === "" || job.folder === job.name ? {} : { title: job.folder }),
    ...(isOpen ? { state: job.state } : {}),
    finished: isRead ? formatTime(when, year) : "",
    ...(when === null ? {} : { finishedTitle: isRead ? when.text : `Written ${when.text}` }),
    ...(item.groups.length === 0 ? { words: describeWithoutGroups(item, isIndexed) } : {}),
    groups: item.groups.map((row, index) => prepareGroup(item, row, index)),
  };
}

function describeWithoutGroups({ entry, nPlanned }: JobsItem, isIndexed: boolean): string {
  if (!entry.isRead) {
    const folders = formatPlural(entry.nTrials, "trial folder");
    return `${folders}, ${isIndexed ? "not read: see the load report" : "reading"}`;
  }
  if (nPlanned === null || nPlanned === 0) return "no trials here";
  return `no trials here, ${formatCount(nPlanned)} recorded in result.json`;
}

function prepareGroup(item: JobsItem, row: JobsRow, index: number): GroupLine {
  const { group, counts, identity, reviews } = row;
  const showsDataset = index === (item.groups.length === 1 ? 0 : 1);
  const open = listOpen(item, row);
  return {
    key: group.key,
    agent: group.agent,
    ...(group.model === null ? {} : { model: group.model }),
    ...(showsDataset ? { dataset: group.source ?? "adhoc" } : {}),
    identity,
    ...prepareTrials(item, row),
    ...prepareMean(row),
    ...prepareSeal(item, row, index === 0),
    passed: counts.passed,
    partial: counts.partial,
    failed: counts.failed,
    errored: counts.errored + counts.cancelled,
    timeout: counts.timeout,
    ...(open.length === 0 ? {} : { open }),
    ...(reviews === null ? { reviews } : {}),
    ...(reviews === null || reviews.nJudged === 0
      ? {}
      : { reviews: [reviews.nJudged, reviews.nDisagreeing] as const }),
    cost: formatCost(row.costUsd),
    ...(row.nWithCost === row.nTrials
      ? {}
      : { costTitle: `${row.nWithCost} of ${row.nTrials} trials report a cost` }),
  };
}

function prepareTrials({ groups, nPlanned }: JobsItem, row: JobsRow): Pick<GroupLine, "trials" | "planned"> {
  const planned = groups.length === 1 && nPlanned !== null ? nPlanned : row.nTrials;
  const trials = formatCount(row.nFinished);
  return planned > row.nFinished ? { trials, planned: formatCount(planned) } : { trials };
}

function prepareMean(row: JobsRow): Pick<GroupLine, "mean" | "exact" | "bounds" | "interval"> {
  const { headline, nRewardKeys, interval } = row;
  const bounds = nRewardKeys > 1 && headline === null ? null : selectBounds(row);
  const thousandths = (value: number) => Math.round(value * 1000);
  return {
    ...(headline === null
      ? { mean: nRewardKeys > 1 ? `${nRewardKeys} keys` : MISSING }
      : { mean: formatReward(headline.value), exact: headline.text }),
    bounds: formatBounds(bounds),
    ...(bounds === null || interval.kind !== "computed"
      ? {}
      : {
          interval: [thousandths(interval.mean), thousandths(bounds.low), thousandths(bounds.high)] as const,
        }),
  };
}

/** The group's seal; a mismatch of the whole job shows on its first row, so that no list can hide it. */
function prepareSeal(
  { entry }: JobsItem,
  { group, hasRecordedMetric, ulps }: JobsRow,
  isFirst: boolean,
): Pick<GroupLine, "seal" | "sealWords" | "sealTitle"> {
  if (isFirst && entry.nJobMismatches > 0 && group.seal !== "mismatch") {
    return { seal: "mismatch", sealWords: "job counter", sealTitle: SEAL_MEANINGS.mismatch };
  }
  const { seal } = group;
  if (seal === "exact") return { seal, sealWords: hasRecordedMetric ? formatSeal(seal) : "files exact" };
  return { seal, sealWords: formatSeal(seal, ulps), sealTitle: SEAL_MEANINGS[seal] };
}

/** Trials without a usable result, each kind by itself. Planned ones without a folder are pending while the job runs. */
function listOpen(item: JobsItem, row: JobsRow): readonly OpenKind[] {
  const { running, missing, unreadable, unscored } = row.counts;
  const nUnbegun = item.groups.length === 1 ? Math.max(0, (item.nPlanned ?? 0) - row.nTrials) : 0;
  const isRunning = item.entry.job.state === "running";
  const kinds: readonly OpenKind[] = [
    { status: "running", count: running, words: "running" },
    { status: "missing", count: isRunning ? nUnbegun : 0, words: "not begun" },
    { status: "missing", count: missing + (isRunning ? 0 : nUnbegun), words: "missing" },
    { status: "unreadable", count: unreadable, words: "unreadable" },
    { status: "unscored", count: unscored, words: "without a reward" },
  ];
  return kinds.filter(({ count }) => count > 0);
}
