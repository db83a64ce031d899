import { type Annotation, computeReviewerKey } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { ExportedJudgment } from "@/lib/core/fields/judgments.fields";

import { groupEvents, type TrialAnnotations } from "../chain";
import { type CodebookHistory, foldCodebook, resolveLabel } from "../codebook/fold";
import { readCodebook } from "../codebook/verbs";
import type { Decision, DecisionEvent } from "../decisions/decision-rows";
import type { StoredAnnotations } from "../list";
import type { AnnotationStore } from "../store";

export interface ExportOptions {
  readonly history?: boolean;
  readonly queue?: string | null;
  readonly job?: string | null;
  readonly reviewer?: string | null;
}

export interface JudgmentRow extends ExportedJudgment {
  readonly reviewerKey: string;
}

export interface DecisionRow {
  readonly decision: Decision;
  readonly deciderKey: string;
  readonly status: Annotation["status"];
  readonly withdrawal: { readonly id: string; readonly timestamp: string } | null;
  readonly categoryIds: readonly (string | null)[];
}

type FindCategoryIds = (labels: readonly string[], version: number | null) => readonly (string | null)[];

export function createCategoryFinder(history: CodebookHistory): FindCategoryIds {
  const known = new Map<string, string | null>();
  return (labels, version) =>
    labels.map((label) => {
      const key = `${String(version)} ${label}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const id = resolveLabel(history, label, version)?.id ?? null;
      known.set(key, id);
      return id;
    });
}

/** Falls back to the starters and returns the problem: an export works without the codebook. */
export async function readCodebookOrNone(
  store: AnnotationStore,
): Promise<{ readonly history: CodebookHistory; readonly problem: string | null }> {
  try {
    const history = await readCodebook(store);
    return { history, problem: history.problem };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { history: foldCodebook([]), problem: error.message };
  }
}

/** Lists matching judgments in stored order, since a clock may have been set back between two. */
export function listJudgmentRows(
  { events, trials }: Pick<StoredAnnotations, "events" | "trials">,
  findIds: FindCategoryIds,
  options: ExportOptions,
  counted: ReadonlySet<string> = new Set(),
): readonly JudgmentRow[] {
  const versions = indexVersions(trials);
  const withdrawals = new Map(
    events.flatMap(({ withdraws, versionId }) => (withdraws === null ? [] : [[withdraws, versionId]])),
  );
  const fits = createFilter(options);
  return events.flatMap(({ versionId, reviewerKey }): JudgmentRow[] => {
    const annotation = versions.get(versionId);
    if (annotation === undefined) return [];
    const status = counted.has(versionId) ? "current" : annotation.status;
    if (!fits({ ...annotation, status }, reviewerKey)) return [];
    const categoryIds = findIds(annotation.categories, annotation.codebookVersion);
    const withdrawalId = withdrawals.get(versionId) ?? null;
    return [{ annotation, reviewerKey, withdrawalId, categoryIds }];
  });
}

function indexVersions(trials: readonly TrialAnnotations[]): ReadonlyMap<string, Annotation> {
  return new Map(
    trials.flatMap(({ chains }) =>
      chains.flatMap((chain) => chain.versions.map((version) => [version.versionId, version] as const)),
    ),
  );
}

function createFilter({ history, queue = null, job = null, reviewer = null }: ExportOptions) {
  const wantedKey = reviewer === null ? null : computeReviewerKey(reviewer);
  return ({ status, subject, queue: place }: Pick<Annotation, "status" | "subject" | "queue">, key: string) =>
    (history === true || status === "current") &&
    (queue === null || place?.queueId === queue) &&
    (job === null || subject.jobName === job || subject.jobUuid === job) &&
    (wantedKey === null || key === wantedKey);
}

export function listDecisionRows(
  events: readonly DecisionEvent[],
  findIds: FindCategoryIds,
  options: ExportOptions,
): readonly DecisionRow[] {
  const withdrawals = new Map(
    events.flatMap(({ withdraws, decision }) =>
      withdraws === null ? [] : [[withdraws, { id: decision.decisionId, timestamp: decision.decidedAt }]],
    ),
  );
  const fits = createFilter(options);
  const made = events.filter(({ withdraws }) => withdraws === null);
  const standing = made
    .map(({ decision }) => decision)
    .filter(({ decisionId }) => !withdrawals.has(decisionId));
  const last = new Set(groupEvents(standing).map((trial) => trial.at(-1)?.decisionId));
  return made.flatMap(({ decision, deciderKey }): DecisionRow[] => {
    const withdrawal = withdrawals.get(decision.decisionId) ?? null;
    const kept = last.has(decision.decisionId) ? "current" : "superseded";
    const status = withdrawal === null ? kept : "withdrawn";
    const queue = decision.queueId === null ? null : { queueId: decision.queueId, position: 0 };
    if (!fits({ status, subject: decision.subject, queue }, deciderKey)) return [];
    const categoryIds = findIds(decision.categories, decision.codebookVersion);
    return [{ decision, deciderKey, status, withdrawal, categoryIds }];
  });
}
