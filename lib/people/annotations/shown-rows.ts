import { sql, type SqlBool } from "kysely";
import { z } from "zod";

import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { type DatabaseTarget, isNoneOf, limitRows, type RowLimits } from "@/lib/store/database";
import type { Shown } from "@/lib/store/visibility";

import { type AnnotationDb, type AnnotationTables, parseJson } from "./record";
import { trialSchema } from "./stored-columns";

/** Tables with rows that may be hidden. Row numbers only grow. */
const LIMITED = ["annotation_version", "statement", "review_queue"] as const;

type LimitedTable = (typeof LIMITED)[number];
type Engine = DatabaseTarget["engine"];

interface Hidden {
  readonly version: number;
  readonly last: Readonly<Record<LimitedTable, number>>;
  readonly rows: Readonly<Record<LimitedTable, readonly number[]>>;
  readonly queueIds: readonly string[];
}

interface Limited {
  hidden: Hidden;
  readonly db: AnnotationDb;
}

const limited = new WeakMap<AnnotationDb, Map<string, Limited>>();

export interface RowVisibility {
  readonly name: string;
  readonly shown: Shown;
}

/**
 * Returns a store without judgments, decisions, answers and tags of hidden trials, queues that contain one, and cluster names
 * and dismissals that concern only hidden trials. Also hides rows of unknown trials, rows made on a copy under the name of a
 * job that is not visible or in a hidden folder, and rows added while reading. Returns the same object while rows are only
 * added.
 * @throws StoreError
 */
export async function limitStore(
  db: AnnotationDb,
  engine: Engine,
  visibility: RowVisibility,
): Promise<AnnotationDb> {
  const own = limited.get(db) ?? new Map<string, Limited>();
  limited.set(db, own);
  const before = own.get(visibility.name);
  const hidden = await findHidden(db, visibility.shown, before?.hidden ?? null);
  const current = own.get(visibility.name);
  if (current?.hidden.version === hidden.version) {
    if (isLater(hidden, current.hidden)) current.hidden = hidden;
    return current.db;
  }
  const made: Limited = {
    hidden,
    db: limitRows(db, () => describe(engine, made.hidden, "as last read")),
  };
  own.set(visibility.name, made);
  return made.db;
}

/** Limits a store within a transaction that blocks other writers. Its own rows stay visible. */
export async function limitTransaction(
  db: AnnotationDb,
  transaction: AnnotationDb,
  engine: Engine,
  { name, shown }: RowVisibility,
): Promise<AnnotationDb> {
  const hidden = await findHidden(transaction, shown, limited.get(db)?.get(name)?.hidden ?? null);
  return limitRows(transaction, () => describe(engine, hidden, "with what is added"));
}

function isLater(one: Hidden, other: Hidden): boolean {
  return LIMITED.every((table) => one.last[table] >= other.last[table]);
}

function forEachTable<T>(value: (table: LimitedTable) => T): Readonly<Record<LimitedTable, T>> {
  return Object.fromEntries(LIMITED.map((table) => [table, value(table)])) as Record<LimitedTable, T>; // The same keys.
}

async function findHidden(db: AnnotationDb, shown: Shown, known: Hidden | null): Promise<Hidden> {
  // Read before the rows, so that a concurrent folder change is noticed next time.
  const version = await shown.version();
  const before: Hidden =
    known?.version === version
      ? known
      : { version, last: forEachTable(() => 0), rows: forEachTable(() => []), queueIds: [] };
  const { last } = before;
  const judgments = await db
    .selectFrom("annotation_version")
    .select(["seq", "root_label as rootLabel", ...IDENTITY])
    .where("seq", ">", last.annotation_version)
    .orderBy("seq")
    .execute();
  const statements = await selectStatements(db, last.statement);
  const queues = await db
    .selectFrom("review_queue")
    .select(["seq", "queue_id as queueId"])
    .where("seq", ">", last.review_queue)
    .orderBy("seq")
    .execute();
  const items = await selectItems(db, last.review_queue, queues.at(-1)?.seq ?? 0);
  const trials = [...judgments, ...statements.flatMap(({ trial }) => trial ?? [])];
  if (trials.length + statements.length + queues.length === 0) return before;

  const isShown = await findShownTrials(shown, [...trials, ...items]);
  const clusters = await shown.findClusters(statements.flatMap(({ cluster }) => cluster ?? []));
  const itemsOf = Map.groupBy(items, ({ queueId }) => queueId);
  const isWhole = ({ queueId }: { readonly queueId: string }) =>
    itemsOf.get(queueId)?.every(isShown) === true;
  const added = {
    annotation_version: mark(judgments, isShown),
    statement: mark(
      statements,
      ({ isOfAll, cluster, trial }) =>
        isOfAll || clusters.has(cluster ?? "") || (trial !== null && isShown(trial)),
    ),
    review_queue: mark(queues, isWhole),
  };
  return {
    version,
    last: forEachTable((table) => added[table].last ?? last[table]),
    rows: forEachTable((table) => [...before.rows[table], ...added[table].hidden]),
    queueIds: [...before.queueIds, ...queues.flatMap((queue) => (isWhole(queue) ? [] : queue.queueId))],
  };
}

function mark<Row extends { readonly seq: number }>(
  rows: readonly Row[],
  isShown: (row: Row) => boolean,
): { readonly hidden: readonly number[]; readonly last: number | undefined } {
  return { hidden: rows.flatMap((row) => (isShown(row) ? [] : row.seq)), last: rows.at(-1)?.seq };
}

const IDENTITY = [
  "trial_id as trialId",
  "job_id as jobUuid",
  "trial_name as trialName",
  "job_name as jobName",
] as const;

interface MadeAt extends TrialIdentity {
  readonly rootLabel: string | null;
}

const madeAtSchema = trialSchema.extend({ rootLabel: z.string().nullable().default(null) });
const bodySchema = z
  .string()
  .transform(parseJson)
  .pipe(z.object({ kind: z.string().optional(), trial: madeAtSchema.optional() }));

async function selectStatements(db: AnnotationDb, after: number) {
  const rows = await db
    .selectFrom("statement")
    .select(["seq", "kind", "subject", "body"])
    .where("seq", ">", after)
    .orderBy("seq")
    .execute();
  return rows.map(({ seq, kind, subject, body }) => {
    const { data } = bodySchema.safeParse(body);
    const trial: MadeAt | null = data?.trial ?? null;
    const cluster = kind === "triage_note" ? readClusterKey(subject) : null;
    // The existence of an import reveals nothing about its trials.
    return { seq, cluster, trial, isOfAll: data?.kind === "imported" || data?.kind === "undone" };
  });
}

function selectItems(
  db: AnnotationDb,
  after: number,
  last: number,
): Promise<readonly (MadeAt & { readonly queueId: string })[]> {
  return db
    .selectFrom("review_queue_item")
    .innerJoin("review_queue", "review_queue.queue_id", "review_queue_item.queue_id")
    .select(["review_queue_item.queue_id as queueId", "root_label as rootLabel", ...IDENTITY])
    .where("seq", ">", after)
    .where("seq", "<=", last)
    .execute();
}

async function findShownTrials(shown: Shown, trials: readonly MadeAt[]): Promise<(trial: MadeAt) => boolean> {
  const names = new Set(trials.map(({ trialName }) => trialName));
  const places = names.size === 0 ? [] : await shown.findTrials(names);
  const byName = Map.groupBy(places, ({ trialName }) => trialName);
  const labels = new Set(trials.flatMap(({ rootLabel }) => rootLabel ?? []));
  const hidden = await shown.findHiddenNames([...labels]);
  // A copy in a hidden folder has the ids of the visible trial. Names of job and folder tell where a statement was made.
  const isMadeAt = (place: TrialIdentity, trial: TrialIdentity) =>
    isSameTrial(place, trial) && place.jobName === trial.jobName;
  return (trial) =>
    !(trial.rootLabel !== null && hidden.has(trial.rootLabel)) &&
    byName.get(trial.trialName)?.some((place) => isMadeAt(place, trial)) === true;
}

/** Returns null for a finding about a task: its visibility is unknown, so it stays hidden. */
function readClusterKey(target: string): string | null {
  return /^(?:[a-z_]+ )?([\da-f]{16})$/.exec(target)?.[1] ?? null;
}

function describe(
  engine: Engine,
  { last, rows, queueIds }: Hidden,
  until: "as last read" | "with what is added",
): ReturnType<RowLimits<AnnotationTables>> {
  const isRead = (table: LimitedTable) =>
    until === "with what is added"
      ? isNoneOf(engine, "seq", rows[table])
      : sql<SqlBool>`(seq <= ${last[table]} and ${isNoneOf(engine, "seq", rows[table])})`;
  const isOfSeen = isNoneOf(engine, "queue_id", queueIds);
  const isOfRead =
    until === "with what is added"
      ? isOfSeen
      : sql<SqlBool>`(${isOfSeen} and queue_id in (select q.queue_id from review_queue as q where q.seq <= ${last.review_queue}))`;
  return {
    ...forEachTable(isRead),
    review_queue_item: isOfRead,
    review_queue_event: isOfRead,
    review_lease: isOfRead,
    // Shared by all reviewers.
    codebook_change: null,
  };
}
