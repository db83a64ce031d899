import { countAbsentTrials } from "@/lib/domain/job";
import type { ClockTime } from "@/lib/domain/clock-time";
import { countAddressBytes, countPackedBytes, takeFittingEach } from "@/lib/domain/page-bytes";
import type { CheckVerdict } from "@/lib/domain/verification";
import { formatDifference } from "@/lib/format/agent-settings";
import { formatCost, formatCount, formatPlural, MISSING } from "@/lib/format/number";
import { describeRawTime } from "@/lib/format/time";
import { describeCopiedCost, describePlan, formatVerdict } from "@/lib/format/words";
import type { JobsItem, JobsPage, JobsRow } from "@/lib/queries/jobs/page";

import { formatBounds, selectBounds } from "@/components/job/groups/group-cells";

/**
 * One evals group as the list shows it. The rows are drawn in the browser too, so what they are drawn from is sent beside
 * them: texts as they are shown, and nothing that follows from the rest.
 */
export interface GroupLine {
  readonly key: string;
  readonly agent: string;
  readonly model?: string;
  /** In which settings of the agent its trials differ. */
  readonly settings?: string;
  /** Only on the row that shows it. */
  readonly dataset?: string;
  readonly identity: number;
  readonly trials: string;
  readonly planned?: string;
  /** The mean as Python writes it; `words` say why there is none. */
  readonly mean?: string;
  readonly words?: string;
  readonly bounds: string;
  /** Mean and bounds in thousandths. */
  readonly interval?: readonly [mean: number, low: number, high: number];
  readonly verdict: CheckVerdict;
  /** Where the verdict's own word does not say it. */
  readonly checkWords?: string;
  readonly counts: readonly [
    passed: number,
    partial: number,
    failed: number,
    errored: number,
    timeout: number,
  ];
  readonly open?: readonly OpenKind[];
  /** Absent when nobody judged, null when the annotations cannot be read. */
  readonly reviews?: readonly [nJudged: number, nDisagreeing: number] | null;
  /** Absent when no trial reports one. */
  readonly cost?: string;
  /** How many trials report one, when not all do. */
  readonly costTitle?: string;
  /** All or part of the cost is that of source trials. */
  readonly isCopied?: true;
}

/** Trials without a usable result, of one kind. */
export interface OpenKind {
  readonly status: "running" | "missing" | "unreadable" | "unscored";
  readonly count: number;
  readonly words: string;
}

/** Groups of one job that the jobs list shows; bytes of those of all jobs, and of a group beside its names. */
const MOST_GROUPS = 30;
const MAX_GROUPS_BYTES = 1_000_000;
const GROUP_BYTES = 1_500;

/** A job with its rows. */
export interface JobLine {
  readonly id: number;
  readonly key: string;
  /** Absent when it is the key. */
  readonly name?: string;
  /** Where it lies, when that is not its name alone. */
  readonly title?: string;
  readonly state?: "running" | "interrupted";
  /** When it ended, or was last known to do something; null when nothing says it, absent while it is being read. */
  readonly finished?: ClockTime | null;
  /** The text behind the state of a job that did not end. */
  readonly openTitle?: string;
  /** The word for what it was made from another job for, and which. */
  readonly lineage?: readonly [word: string, title: string];
  /** What there is to say of a job without groups. */
  readonly words?: string;
  readonly groups: readonly GroupLine[];
  /** Groups that only the job's own page lists. */
  readonly nMore?: number;
}

/** The jobs of a page as the list shows them. */
export function prepareJobLines(page: JobsPage): readonly JobLine[] {
  const isIndexed = page.status.phase === "current" || page.status.phase === "failed";
  const groups = takeFittingEach(
    page.items.map((item) => item.groups.slice(0, MOST_GROUPS)),
    MAX_GROUPS_BYTES,
    countGroupBytes,
  );
  return page.items.map((item, at) => prepareJob(item, groups[at] ?? [], isIndexed));
}

/** Its key is sent as it is and in two addresses. */
function countGroupBytes({ group, setups }: JobsRow): number {
  const { key, agent, model, source } = group;
  const settings = (setups?.differences ?? []).map(formatDifference).join("\n");
  return [key, agent, model ?? "", source ?? "", settings].reduce(
    (sum, text) => sum + countPackedBytes(text),
    GROUP_BYTES + 2 * countAddressBytes(key),
  );
}

function prepareJob(item: JobsItem, shown: readonly JobsRow[], isIndexed: boolean): JobLine {
  const { job, id } = item.entry;
  const isOpen = job.state === "running" || job.state === "interrupted";
  return {
    id,
    key: job.key,
    ...(job.name === job.key ? {} : { name: job.name }),
    ...(job.folder === "" || job.folder === job.name ? {} : { title: job.folder }),
    ...(isOpen ? { state: job.state } : {}),
    ...prepareEnd(item.entry),
    ...prepareLineage(item.entry),
    ...(item.groups.length === 0 ? { words: describeWithoutGroups(item, isIndexed) } : {}),
    groups: shown.map((row, index) => prepareGroup(item, row, index)),
    ...(item.groups.length > shown.length ? { nMore: item.groups.length - shown.length } : {}),
  };
}

function prepareEnd({ job, isRead, when }: JobsItem["entry"]): Pick<JobLine, "finished" | "openTitle"> {
  const isOpen = job.state === "running" || job.state === "interrupted";
  if (isRead && !isOpen) return { finished: when };
  if (when === null) return {};
  return { openTitle: isRead ? describeRawTime(when) : `Written ${when.text}` };
}

function prepareLineage({ job }: JobsItem["entry"]): Pick<JobLine, "lineage"> {
  const [source] = job.sourceJobs;
  if (source === undefined) return {};
  const name = source.name ?? source.id ?? "a job that its config does not name";
  const title =
    source.action === "regrade"
      ? `Regrade of ${name}: the same rollouts, verified again`
      : `Difference to ${name}: reused tasks have no trial here`;
  return { lineage: [source.action, title] };
}

function describeWithoutGroups({ entry }: JobsItem, isIndexed: boolean): string {
  if (!entry.isRead) {
    const folders = formatPlural(entry.nTrials, "trial folder");
    return `${folders}, ${isIndexed ? "not read: see the load report" : "reading"}`;
  }
  const { planned } = entry.job;
  if (planned === null || planned.count === 0) return "no trials here";
  return `no trials here, ${describePlan(planned)}`;
}

function prepareGroup(item: JobsItem, row: JobsRow, index: number): GroupLine {
  const { group, counts, identity, reviews } = row;
  const showsDataset = index === (item.groups.length === 1 ? 0 : 1);
  const open = listOpen(item, row);
  return {
    key: group.key,
    agent: group.agent,
    ...(group.model === null ? {} : { model: group.model }),
    ...(row.setups === null ? {} : { settings: row.setups.differences.map(formatDifference).join("\n") }),
    ...(showsDataset ? { dataset: group.source ?? "adhoc" } : {}),
    identity,
    ...prepareTrials(item, row),
    ...prepareMean(row),
    ...prepareCheck(item, row, index === 0),
    counts: [counts.passed, counts.partial, counts.failed, counts.errored + counts.cancelled, counts.timeout],
    ...(open.length === 0 ? {} : { open }),
    ...(reviews === null ? { reviews } : {}),
    ...(reviews === null || reviews.nJudged === 0
      ? {}
      : { reviews: [reviews.nJudged, reviews.nDisagreeing] as const }),
    ...prepareCost(row),
  };
}

function prepareCost(row: JobsRow): Pick<GroupLine, "cost" | "costTitle" | "isCopied"> {
  const { costUsd, nWithCost, nTrials } = row;
  if (costUsd === null) return {};
  const copied = describeCopiedCost(row);
  const titles = [
    ...(copied === null ? [] : [copied]),
    ...(nWithCost === nTrials ? [] : [`${nWithCost} of ${nTrials} trials report a cost`]),
  ];
  return {
    cost: formatCost(costUsd),
    ...(titles.length === 0 ? {} : { costTitle: titles.join("; ") }),
    ...(copied === null ? {} : { isCopied: true }),
  };
}

function prepareTrials(item: JobsItem, row: JobsRow): Pick<GroupLine, "trials" | "planned"> {
  const planned = row.nTrials + countAbsent(item);
  const trials = formatCount(row.nFinished);
  return planned > row.nFinished ? { trials, planned: formatCount(planned) } : { trials };
}

function prepareMean(row: JobsRow): Pick<GroupLine, "mean" | "words" | "bounds" | "interval"> {
  const { headline, nRewardKeys, interval } = row;
  const bounds = nRewardKeys > 1 && headline === null ? null : selectBounds(row);
  const thousandths = (value: number) => Math.round(value * 1000);
  return {
    ...(headline === null
      ? { words: nRewardKeys > 1 ? `${nRewardKeys} keys` : MISSING }
      : { mean: headline.text }),
    bounds: formatBounds(bounds),
    ...(bounds === null || interval.kind !== "computed"
      ? {}
      : {
          interval: [thousandths(interval.mean), thousandths(bounds.low), thousandths(bounds.high)] as const,
        }),
  };
}

/** The group's verdict; what only figures of the whole job say shows on its first row, so that no list can hide it. */
function prepareCheck(
  { entry }: JobsItem,
  { group, hasRecordedMetric, ulps }: JobsRow,
  isFirst: boolean,
): Pick<GroupLine, "verdict" | "checkWords"> {
  const { verdict } = group;
  const ofJob = entry.report.verdict;
  if (isFirst && entry.groups.every((one) => one.group.verdict !== ofJob) && ofJob !== "exact") {
    return ofJob === "mismatch" ? { verdict: ofJob, checkWords: "job counter" } : { verdict: ofJob };
  }
  if (verdict === "exact" && !hasRecordedMetric) return { verdict, checkWords: "files exact" };
  return ulps === null ? { verdict } : { verdict, checkWords: formatVerdict(verdict, ulps) };
}

/** Trials of a job that are not here; which of several groups they would belong to nothing says. */
function countAbsent({ entry }: JobsItem): number {
  return entry.groups.length === 1 ? countAbsentTrials(entry.job.planned, entry.nTrials) : 0;
}

/** Trials without a usable result, each kind by itself. Planned ones without a folder are pending while the job runs. */
function listOpen(item: JobsItem, row: JobsRow): readonly OpenKind[] {
  const { running, missing, unreadable, unscored } = row.counts;
  const nUnbegun = countAbsent(item);
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
