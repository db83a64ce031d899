import { sql, type SqlBool } from "kysely";
import { z } from "zod";

import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { oncePer } from "@/lib/core/domain/once-per";
import { type DatabaseTarget, isAmong, limitRows, type RowLimits } from "@/lib/store/database";
import type { Shown } from "@/lib/store/visibility";

import { parseJson, trialSchema } from "./stored-columns";
import { type AnnotationDb, type AnnotationTables, continueFrom } from "./tables";

type Engine = DatabaseTarget["engine"];

interface Hidden {
  readonly version: number;
  readonly last: number;
  readonly rows: readonly number[];
  readonly queueIds: readonly string[];
}

interface Limited {
  hidden: Hidden;
  readonly db: AnnotationDb;
}

const limitedOf: (db: AnnotationDb) => Map<string, Limited> = oncePer(() => new Map());

export interface RowVisibility {
  readonly name: string;
  readonly shown: Shown;
}

/**
 * Returns a store without judgments, decisions, answers and tags of hidden trials, queues that contain one, and cluster names and
 * dismissals that concern only hidden trials. Also hides rows of unknown trials, rows made on a copy under the name of a job that
 * is not visible or in a hidden folder, and rows added while reading. Returns the same object while rows are only added.
 */
export async function limitStore(db: AnnotationDb, engine: Engine, visibility: RowVisibility) {
  const own = limitedOf(db);
  const before = own.get(visibility.name);
  const hidden = await findHidden(db, visibility.shown, before?.hidden ?? null);
  const current = own.get(visibility.name);
  if (current?.hidden.version === hidden.version) {
    if (hidden.last >= current.hidden.last) current.hidden = hidden;
    return current.db;
  }
  const made: Limited = { hidden, db: limitRows(db, () => describe(engine, made.hidden, "as last read")) };
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
  const before = limitedOf(db).get(name);
  const hidden = await findHidden(transaction, shown, before?.hidden ?? null);
  const made = limitRows(transaction, () => describe(engine, hidden, "with what is added"));
  return before?.hidden.version === hidden.version ? continueFrom(before.db, made) : made;
}

async function findHidden(db: AnnotationDb, shown: Shown, known: Hidden | null): Promise<Hidden> {
  // Read before the rows, so that a concurrent folder change is noticed next time.
  const version = await shown.version();
  const before = known?.version === version ? known : { version, last: 0, rows: [], queueIds: [] };
  const statements = await selectStatements(db, before.last);
  const last = statements.at(-1)?.seq;
  if (last === undefined) return before;

  const isShown = await findShownTrials(
    shown,
    statements.flatMap(({ trial }) => trial ?? []),
  );
  const clusters = await shown.findClusters(statements.flatMap(({ cluster }) => cluster ?? []));
  const isOfShownTrial = ({ trial }: Stated) => trial !== null && isShown(trial);
  const items = Map.groupBy(statements, ({ kind, parent }) => (kind === "queue_item" ? parent : null));
  const queueIds = new Set(before.queueIds);
  for (const { kind, id } of statements)
    if (kind === "queue" && items.get(id)?.every(isOfShownTrial) !== true) queueIds.add(id);
  const isSeen = (stated: Stated): boolean => {
    const { kind, id, parent, isOfAll, cluster } = stated;
    if (kind === "queue") return !queueIds.has(id);
    if (kind === "queue_item" || kind === "queue_event") return !queueIds.has(parent ?? "");
    return isOfAll || clusters.has(cluster ?? "") || isOfShownTrial(stated);
  };
  const hidden = statements.filter((stated) => !isSeen(stated)).map(({ seq }) => seq);
  return { version, last, rows: [...before.rows, ...hidden], queueIds: [...queueIds] };
}

const madeAtSchema = trialSchema.extend({ rootLabel: z.string().nullable().default(null) });

type MadeAt = Readonly<z.output<typeof madeAtSchema>>;

const bodySchema = z
  .string()
  .transform(parseJson)
  .pipe(z.object({ kind: z.string().optional(), trial: madeAtSchema.optional() }));

async function selectStatements(db: AnnotationDb, after: number) {
  const rows = await db
    .selectFrom("statement")
    .select(["seq", "id", "kind", "subject", "parent", "body"])
    .where("seq", ">", after)
    .orderBy("seq")
    .execute();
  return rows.map(({ subject, body, ...row }) => {
    const { kind } = row;
    const { data } = bodySchema.safeParse(body);
    const trial: MadeAt | null = data?.trial ?? null;
    const cluster = kind === "triage_note" ? readClusterKey(subject) : null;
    // All reviewers share the codebook, and the existence of an import reveals nothing about its trials.
    const isOfAll = kind === "codebook" || data?.kind === "imported" || data?.kind === "undone";
    return { ...row, cluster, trial, isOfAll };
  });
}

type Stated = Awaited<ReturnType<typeof selectStatements>>[number];

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
  const isSeen = sql<SqlBool>`not ${isAmong({ engine }, "seq", rows)}`;
  return {
    statement: until === "as last read" ? sql<SqlBool>`(seq <= ${last} and ${isSeen})` : isSeen,
    review_lease: sql<SqlBool>`not ${isAmong({ engine }, "queue_id", queueIds)}`,
  };
}
