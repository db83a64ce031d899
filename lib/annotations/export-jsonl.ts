import type { Salvage } from "@/lib/database";
import { StoreError } from "@/lib/domain/app-error";

import { groupByTrial } from "./chain";
import { type DecisionRows, selectDecisionRows } from "./decisions/decision-rows";
import {
  DAMAGED_LINE_SCHEMA,
  formatLine,
  prepareDecisionLine,
  prepareJudgmentLine,
  prepareUnreadableLine,
} from "./exchange/lines";
import {
  createCategoryFinder,
  type DecisionRow,
  type ExportOptions,
  type JudgmentRow,
  listDecisionRows,
  listJudgmentRows,
  readCodebookOrNone,
} from "./exchange/rows";
import { readQueueLines } from "./exchange/queue-lines";
import { readTriageLines } from "./exchange/triage-lines";
import { readEverything } from "./list";
import { COLUMNS, readRows } from "./record";
import type { AnnotationStore } from "./store";
import { describeUnreadable } from "./unreadable-row";

export interface ExportContent {
  /** In the order they were stored. */
  readonly judgments: readonly JudgmentRow[];
  readonly decisions: readonly DecisionRow[];
  /** The same with the superseded judgments that figures of queues count, which an import needs. */
  readonly toImport: readonly JudgmentRow[];
  /** Lines of queues and of their trials. */
  readonly queues: readonly string[];
  readonly triage: readonly string[];
  /** Lines about what cannot be read; an export without them would pass for the whole. */
  readonly unreadable: readonly string[];
  /** What of the store cannot be read, and what to do; null when everything can. */
  readonly problem: string | null;
}

export interface AnnotationExport {
  readonly lines: Iterable<string>;
  /** As in {@link ExportContent}. */
  readonly problem: string | null;
}

/**
 * Returns one JSON object per line, each ended by `\n`: judgments in the order they were stored, decisions, then names, dismissals,
 * answers and tags; README.md has the fields. What cannot be read comes last.
 *
 * @throws StoreError when nothing can be read; a damaged file is read as far as it goes
 */
export async function prepareExport(
  store: AnnotationStore,
  options: ExportOptions = {},
): Promise<AnnotationExport> {
  const content = await readExport(store, options);
  return { lines: writeJsonLines(content), problem: content.problem };
}

const NO_DECISIONS: DecisionRows = { events: [], unreadable: [] };

/** Reads what an export writes. @throws StoreError as {@link prepareExport} */
export async function readExport(
  store: AnnotationStore,
  options: ExportOptions = {},
): Promise<ExportContent> {
  try {
    const stored = await readEverything(store);
    const { history, problem } = await readCodebookOrNone(store);
    const findIds = createCategoryFinder(history);
    const decisions = await store.read(NO_DECISIONS, (db) => selectDecisionRows(db));
    const triage = await readTriageLines(store, options);
    const queues = await readQueueLines(store, options);
    return {
      judgments: listJudgmentRows(stored, findIds, options),
      toImport: listJudgmentRows(stored, findIds, options, queues.counted),
      queues: queues.lines,
      decisions: listDecisionRows(decisions.events, findIds, options),
      triage: triage.lines,
      unreadable: [...stored.unreadable, ...decisions.unreadable].map((row) =>
        formatLine(prepareUnreadableLine(row)),
      ),
      problem:
        describeUnreadable(store.place, stored.unreadable) ??
        describeUnreadable(store.place, decisions.unreadable, "decision") ??
        problem ??
        triage.problem,
    };
  } catch (error) {
    const salvage =
      error instanceof StoreError && error.code === "store_corrupt" ? await store.salvage(COLUMNS) : null;
    if (salvage === null || !(error instanceof StoreError)) throw error;
    return readSalvaged(salvage, error.message, options);
  }
}

/** Judgments alone: no other table of a damaged file is read. */
function readSalvaged(salvage: Salvage, message: string, options: ExportOptions): ExportContent {
  const stored = readRows(salvage.rows);
  const trials = groupByTrial(stored.events);
  const lost = {
    schema: DAMAGED_LINE_SCHEMA,
    problem: message,
    lost_rows: salvage.lost,
    last_row: salvage.lastNumber,
  };
  const judgments = listJudgmentRows({ ...stored, trials }, (labels) => labels.map(() => null), options);
  return {
    judgments,
    toImport: judgments,
    queues: [],
    decisions: [],
    triage: [],
    unreadable: [...stored.unreadable.map((row) => formatLine(prepareUnreadableLine(row))), formatLine(lost)],
    problem: describeSalvage(message, salvage),
  };
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
