import { type Annotation, computeReviewerKey } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { Salvage } from "@/lib/store/database";

import { groupByTrial, groupEvents, type TrialAnnotations } from "./chain";
import { describeDamaged, isIntact } from "./checksum";
import { type CodebookHistory, foldCodebook, resolveLabel } from "./codebook/fold";
import { readCodebook } from "./codebook/verbs";
import { type DecisionEvent, readDecisions } from "./decisions/decisions";
import {
  type DecisionRow,
  type ExportOptions,
  formatLine,
  type JudgmentRow,
  LINE_SCHEMAS,
  prepareDecisionLine,
  prepareJudgmentLine,
} from "./exchange/lines";
import { readQueueLines } from "./exchange/queue-lines";
import { readTriageLines } from "./exchange/triage-lines";
import { readEverything, type StoredAnnotations } from "./list";
import { JUDGMENT, toEvent } from "./record";
import { readStatements } from "./statements/statement";
import type { AnnotationStore } from "./store";
import { describeUnreadable, type UnreadableRow } from "./unreadable-row";

export interface ExportContent {
  readonly judgments: readonly JudgmentRow[];
  readonly decisions: readonly DecisionRow[];
  /** Adds superseded judgments that queue metrics count, which an import needs. */
  readonly toImport: readonly JudgmentRow[];
  readonly queues: readonly string[];
  readonly triage: readonly string[];
  readonly unreadable: readonly string[];
  readonly problem: string | null;
}

/**
 * Returns JSON Lines; README.md lists the fields. Exports a damaged file as far as it is readable.
 * @throws StoreError when nothing can be read
 */
export async function prepareExport(store: AnnotationStore, options: ExportOptions = {}) {
  const content = await readExport(store, options);
  return { lines: writeJsonLines(content), problem: content.problem };
}

export async function readExport(
  store: AnnotationStore,
  options: ExportOptions = {},
): Promise<ExportContent> {
  try {
    const stored = await readEverything(store);
    const damage = await store.readDamage();
    const { history, problem } = await readCodebookOrNone(store);
    const findIds = createCategoryFinder(history);
    const decisions = await readDecisions(store);
    const triage = await readTriageLines(store, options);
    const queues = await readQueueLines(store, options);
    return {
      judgments: listJudgmentRows(stored, findIds, options),
      toImport: listJudgmentRows(stored, findIds, options, queues.counted),
      queues: queues.lines,
      decisions: listDecisionRows(decisions.events, findIds, options),
      triage: triage.lines,
      unreadable: [...stored.unreadable, ...decisions.unreadable, ...damage].map(formatUnreadable),
      problem:
        describeUnreadable(store.place, damage) ??
        describeUnreadable(store.place, stored.unreadable) ??
        describeUnreadable(store.place, decisions.unreadable, "decision") ??
        problem ??
        triage.problem,
    };
  } catch (error) {
    const salvage =
      error instanceof StoreError && error.code === "store_corrupt" ? await store.salvage() : null;
    if (salvage === null || !(error instanceof StoreError)) throw error;
    return readSalvaged(salvage, error.message, options);
  }
}

/** Exports judgments only: no other table of a damaged file is read. */
function readSalvaged(salvage: Salvage, message: string, options: ExportOptions): ExportContent {
  const [intact = [], changed = []] = [true, false].map((isWanted) =>
    salvage.rows.filter((row) => isIntact("statement", row) === isWanted),
  );
  const read = readStatements(JUDGMENT, intact);
  const events = read.statements.map(toEvent);
  const unreadable = [...read.unreadable, ...changed.map((row) => describeDamaged(row))];
  const lost = {
    schema: LINE_SCHEMAS.damaged,
    problem: message,
    lost_rows: salvage.lost,
    last_row: salvage.lastNumber,
  };
  const judgments = listJudgmentRows(
    { events, trials: groupByTrial(events) },
    (labels) => labels.map(() => null),
    options,
  );
  return {
    judgments,
    toImport: judgments,
    queues: [],
    decisions: [],
    triage: [],
    unreadable: [...unreadable.map(formatUnreadable), formatLine(lost)],
    problem: describeSalvage(message, salvage),
  };
}

function formatUnreadable({ seq: row, problem, columns }: UnreadableRow): string {
  return formatLine({ schema: LINE_SCHEMAS.unreadable, row, problem, columns });
}

function describeSalvage(message: string, { rows, lost, lastNumber }: Salvage): string {
  const ranges = lost.map(([first, last]) =>
    first === last ? String(first) : `${String(first)} to ${String(last)}`,
  );
  if (lastNumber === null) ranges.push(rows.length === 0 ? "unknown" : "unknown how many later ones");
  return `${message} Rows that could be read: ${String(rows.length)}; rows that could not: ${ranges.join(", ") || "none"}.`;
}

export function* writeJsonLines({
  toImport,
  decisions,
  queues,
  triage,
  unreadable,
}: ExportContent): Generator<string> {
  for (const row of toImport) yield formatLine(prepareJudgmentLine(row));
  for (const row of decisions) yield formatLine(prepareDecisionLine(row));
  yield* queues;
  yield* triage;
  yield* unreadable;
}

type FindCategoryIds = (labels: readonly string[], version: number | null) => readonly (string | null)[];

function createCategoryFinder(history: CodebookHistory): FindCategoryIds {
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
async function readCodebookOrNone(
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
function listJudgmentRows(
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

function listDecisionRows(
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
