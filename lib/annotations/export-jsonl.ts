import { compareText } from "@/lib/domain/compare-text";
import type { Annotation } from "@/lib/domain/annotation";

import { listAll } from "./list";
import type { AnnotationStore } from "./store";

/** Name and version of a line's shape. Fields are only added within a version; a change of meaning makes a new one. */
const ANNOTATION_LINE_SCHEMA = "assay.annotation/1";

/** Which versions to write. */
export interface ExportOptions {
  /** All saved versions instead of those that count: superseded and withdrawn ones too. */
  readonly history?: boolean;
}

/**
 * One JSON object per line, oldest first, each ended by `\n`; nothing when there are no annotations.
 *
 * Fields of a line, always all present: `schema`; `version_id` (UUID), `version` (counts up per reviewer and trial),
 * `status` (`current`, `superseded`, `withdrawn`), `withdrawn_at`; the trial as `trial_id`, `job_id` (UUIDs or null),
 * `trial_name`, `job_name`, `root`, `task_name`, `agent`, `model`; what the reviewer saw as `outcome_seen` and
 * `reward_seen` (text, null for none); and the judgment as the evaluation contract's Annotation: `reviewer_id`,
 * `reviewer_discipline` (or null), `timestamp` (UTC), `judgment` (`pass`, `fail`, `defer`), `categories` (list of
 * text), `notes` (or null).
 */
export async function* exportJsonl(
  store: AnnotationStore,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  const stored = await listAll(store);
  const versions = stored
    .flatMap((trial) => trial.chains.flatMap((chain) => chain.versions))
    .filter((version) => options.history === true || version.status === "current")
    .sort((a, b) => compareText(a.timestamp, b.timestamp) || compareText(a.versionId, b.versionId));
  for (const version of versions) yield `${JSON.stringify(prepareLine(version))}\n`;
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
