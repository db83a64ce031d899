import { type Annotation, computeReviewerKey } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import type { Salvage } from "@/lib/store/database";

import { foldCodebook, resolveLabel } from "./codebook/fold";
import { readCodebook } from "./codebook/verbs";
import { type DecisionBody, readDecisions } from "./decisions/decisions";
import {
  type DecisionRow,
  type ExportOptions,
  formatDecisionLine,
  formatJudgmentLine,
  formatLine,
  type JudgmentRow,
  LINE_SCHEMAS,
  readQueueLines,
  readTriageLines,
} from "./exchange/lines";
import { readEverything, type StoredAnnotations } from "./list";
import { groupByTrial, groupTrials, JUDGMENT, toEvent } from "./record";
import { listStanding, readStatements, type Statement } from "./statements/statement";
import type { AnnotationStore } from "./store";
import { describeDamaged, isIntact, describeUnreadable, type UnreadableRow } from "./stored-columns";

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

/** Returns JSON Lines; README.md lists the fields. Exports a damaged file as far as it is readable. */
export async function prepareExport(store: AnnotationStore, options: ExportOptions = {}) {
  const content = await readExport(store, options);
  return { lines: writeJsonLines(content), problem: content.problem };
}

export async function readExport(store: AnnotationStore, options: ExportOptions = {}) {
  try {
    const stored = await readEverything(store);
    const damage = await store.readDamage();
    const { history, problem } = await readCodebookOrNone(store);
    const findIds: FindCategoryIds = (labels, version) =>
      labels.map((label) => resolveLabel(history, label, version)?.id ?? null);
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
  const { lost: lostRows, lastNumber: lastRow } = salvage;
  const lost = { schema: LINE_SCHEMAS.damaged, problem: message, lostRows, lastRow };
  const stored = { events, trials: groupByTrial(events) };
  const judgments = listJudgmentRows(stored, (labels) => labels.map(() => null), options);
  return {
    ...{ judgments, toImport: judgments, queues: [], decisions: [], triage: [] },
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
  for (const row of toImport) yield formatJudgmentLine(row);
  for (const row of decisions) yield formatDecisionLine(row);
  yield* queues;
  yield* triage;
  yield* unreadable;
}

type FindCategoryIds = (labels: readonly string[], version: number | null) => readonly (string | null)[];

/** Falls back to the starters and returns the problem: an export works without the codebook. */
async function readCodebookOrNone(store: AnnotationStore) {
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
  const versions = trials.flatMap(({ chains }) => chains.flatMap((chain) => chain.versions));
  const byId = new Map(versions.map((version) => [version.versionId, version]));
  const withdrawals = new Map(events.map(({ id, parent }) => [parent, id]));
  const fits = createFilter(options);
  return events.flatMap(({ id, reviewerKey }): JudgmentRow[] => {
    const annotation = byId.get(id);
    if (annotation === undefined) return [];
    const status = counted.has(id) ? "current" : annotation.status;
    if (!fits({ ...annotation, status }, reviewerKey)) return [];
    const categoryIds = findIds(annotation.categories, annotation.codebookVersion);
    return [{ annotation, reviewerKey, withdrawalId: withdrawals.get(id) ?? null, categoryIds }];
  });
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
  events: readonly Statement<DecisionBody>[],
  findIds: FindCategoryIds,
  options: ExportOptions,
): readonly DecisionRow[] {
  const withdrawals = new Map(events.map((event) => [event.parent, event]));
  const fits = createFilter(options);
  const trials = groupTrials(listStanding(events), ({ body }) => body.trial);
  const last = new Set(trials.map((trial) => trial.at(-1)));
  return events.flatMap((decision): readonly DecisionRow[] => {
    const { id, parent, author, body } = decision;
    const withdrawal = withdrawals.get(id);
    const kept = last.has(decision) ? "current" : "superseded";
    const status = withdrawal === undefined ? kept : "withdrawn";
    const queue = body.queueId === null ? null : { queueId: body.queueId, position: 0 };
    const deciderKey = computeReviewerKey(author);
    if (parent !== null || !fits({ status, subject: body.trial, queue }, deciderKey)) return [];
    const categoryIds = findIds(body.categories, body.codebookVersion);
    return [{ decision, deciderKey, status, withdrawal, categoryIds }];
  });
}
