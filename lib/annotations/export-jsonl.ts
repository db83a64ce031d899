import type { Annotation } from "@/lib/domain/annotation";

import { readEverything } from "./list";
import type { AnnotationStore } from "./store";
import type { UnreadableRow } from "./unreadable-row";

/** Name and version of a line's shape. Fields are only added within a version; a change of meaning makes a new one. */
const ANNOTATION_LINE_SCHEMA = "assay.annotation/1";

/** The same of a line about a row that cannot be read. */
const UNREADABLE_LINE_SCHEMA = "assay.annotation-unreadable/1";

/** Which versions to write. */
export interface ExportOptions {
  /** All saved versions instead of those that count: superseded and withdrawn ones too. */
  readonly history?: boolean;
}

/**
 * One JSON object per line, in the order they were stored, each ended by `\n`; nothing when there are no annotations.
 *
 * Fields of a line, always all present: `schema`; `version_id` (UUID), `version` (counts up per reviewer and trial),
 * `status` (`current`, `superseded`, `withdrawn`), `withdrawn_at`; the trial as `trial_id`, `job_id` (UUIDs or null),
 * `trial_name`, `job_name`, `root`, `task_name`, `agent`, `model`; what the reviewer saw as `outcome_seen` and
 * `reward_seen` (text, null for none); and the judgment as the evaluation contract's Annotation: `reviewer_id`,
 * `reviewer_discipline` (or null), `timestamp` (UTC), `judgment` (`pass`, `fail`, `defer`), `categories` (list of
 * text), `notes` (or null).
 *
 * Rows that cannot be read come last, each as `schema` (`assay.annotation-unreadable/1`), `row` (its number), `problem` and
 * `columns` as they are stored: a file without them would pass for the whole.
 */
export async function* exportJsonl(
  store: AnnotationStore,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const { events, trials, unreadable } = await readEverything(store);
  const versions = new Map(
    trials.flatMap(({ chains }) =>
      chains.flatMap((chain) => chain.versions.map((version) => [version.versionId, version] as const)),
    ),
  );
  // By the order of events: a clock may have been set back between two of them.
  for (const { versionId } of events) {
    const version = versions.get(versionId);
    if (version === undefined || (options.history !== true && version.status !== "current")) continue;
    yield formatLine(prepareLine(version));
  }
  for (const row of unreadable) yield formatLine(prepareUnreadable(row));
}

function formatLine(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`;
}

function prepareUnreadable({ seq, problem, columns }: UnreadableRow): Readonly<Record<string, unknown>> {
  return { schema: UNREADABLE_LINE_SCHEMA, row: seq, problem, columns };
}

function prepareLine(version: Annotation): Readonly<Record<string, unknown>> {
  const { subject } = version;
  return {
    schema: ANNOTATION_LINE_SCHEMA,
    version_id: version.versionId,
    version: version.version,
    status: version.status,
    withdrawn_at: version.withdrawnAt,
    trial_id: subject.trialId,
    job_id: subject.jobId,
    trial_name: subject.trialName,
    job_name: subject.jobName,
    root: subject.rootLabel,
    task_name: subject.taskName,
    agent: subject.agent,
    model: subject.model,
    outcome_seen: subject.outcomeSeen,
    reward_seen: subject.rewardSeen,
    reviewer_id: version.reviewerId,
    reviewer_discipline: version.reviewerDiscipline,
    timestamp: version.timestamp,
    judgment: version.judgment,
    categories: version.categories,
    notes: version.notes,
  };
}
