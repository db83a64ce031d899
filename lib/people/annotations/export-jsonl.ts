import { StoreError } from "@/lib/core/domain/app-error";
import type { Salvage } from "@/lib/store/database";

import { groupByTrial } from "./chain";
import { describeDamaged, isIntact } from "./checksum";
import { readDecisions } from "./decisions/decision-rows";
import {
  DAMAGED_LINE_SCHEMA,
  formatLine,
  prepareDecisionLine,
  prepareJudgmentLine,
  prepareUnreadableLine,
} from "./exchange/lines";
import { readQueueLines } from "./exchange/queue-lines";
import {
  createCategoryFinder,
  type DecisionRow,
  type ExportOptions,
  type JudgmentRow,
  listDecisionRows,
  listJudgmentRows,
  readCodebookOrNone,
} from "./exchange/rows";
import { readTriageLines } from "./exchange/triage-lines";
import { readEverything } from "./list";
import { JUDGMENT, toEvent } from "./record";
import { readStatements } from "./statements/statement";
import type { AnnotationStore } from "./store";
import { describeUnreadable } from "./unreadable-row";

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

interface AnnotationExport {
  readonly lines: Iterable<string>;
  readonly problem: string | null;
}

/**
 * Returns JSON Lines; README.md lists the fields. Exports a damaged file as far as it is readable.
 * @throws StoreError when nothing can be read
 */
export async function prepareExport(
  store: AnnotationStore,
  options: ExportOptions = {},
): Promise<AnnotationExport> {
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
      unreadable: [...stored.unreadable, ...decisions.unreadable, ...damage].map((row) =>
        formatLine(prepareUnreadableLine(row)),
      ),
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
    schema: DAMAGED_LINE_SCHEMA,
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
    unreadable: [...unreadable.map((row) => formatLine(prepareUnreadableLine(row))), formatLine(lost)],
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
