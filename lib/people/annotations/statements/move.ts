import { type QueryExecutorProvider, sql } from "kysely";

import { type DatabaseTarget, takeTurns } from "@/lib/store/database";

import { computeChecksum, isIntact, nameNumber, type StoredRow } from "../stored-columns";

/** Returns the columns of a statement, made of a row of an earlier release and of the import that the row is of, if any. */
type Move = (row: StoredRow, made: StoredRow) => Moved;
type Moved = StoredRow & { readonly body: unknown };

const MOVES: Readonly<Record<string, Move>> = {
  triage_note: ({ target, kind, text, about }) => ({
    subject: target,
    body: { kind, text, about: readJson(about) },
  }),
  suggestion_answer: (row) => ({
    subject: row["trial_name"],
    author: row["reviewer_id"],
    body: {
      trial: readTrial(row),
      suggester: row["suggester"],
      version: row["version"],
      answer: row["kind"],
    },
  }),
  tag_import: ({ import_id, kind }) => ({
    kind: "imported_tag",
    ...(kind === "imported" ? { id: import_id } : { parent: import_id }),
    subject: "",
    body: { kind },
  }),
  imported_tag: (row, { author = "", created_at: at = "", browser_key_hash: actor }) => {
    const { import_id: parent, trial_name: subject, source, category, description } = row;
    const evidence = readJson(row["evidence"]);
    const tag = { kind: "tag", trial: readTrial(row), source, category, description };
    // A text that was edited by hand was shown as a quote.
    const quoted = Array.isArray(evidence) ? evidence : [row["evidence"]];
    return { subject, parent, author, at, actor, body: { ...tag, evidence: quoted } };
  },
};

const toDecision = (row: StoredRow) => ({
  kind: "decision",
  id: row["decision_id"],
  subject: row["trial_name"],
  parent: row["withdraws"],
  author: row["decided_by"],
  body: {
    trial: readSubject(row),
    finalJudgment: row["final_judgment"],
    categories: readJson(row["categories"]),
    reason: row["reason"] ?? "",
    basedOn: row["based_on"],
    codebookNote: row["codebook_note"],
    sources: readJson(row["sources"]),
    queueId: row["queue_id"],
    codebookVersion: row["codebook_version"],
  },
});

/** Columns of later releases are missing in a damaged file of an earlier one. */
const toJudgment = (row: StoredRow) => ({
  kind: "judgment",
  id: row["version_id"],
  subject: row["trial_name"],
  parent: row["withdraws"],
  author: row["reviewer_id"],
  body: {
    trial: readSubject(row),
    reviewerDiscipline: row["reviewer_discipline"],
    judgment: row["judgment"],
    categories: readJson(row["categories"]),
    notes: row["notes"],
    confidence: row["confidence"] ?? null,
    evidence: readJson(row["evidence"] ?? "[]"),
    queue: readQueuePlace(row),
    hidden: readJson(row["hidden"] ?? null),
    codebookVersion: row["codebook_version"] ?? null,
    fingerprint: row["fingerprint"] ?? null,
    savedBy: row["saved_by"] ?? null,
    schemaVersion: row["schema_version"],
  },
});

const toCodebookChange = ({ version, change }: StoredRow) => ({
  kind: "codebook",
  subject: String(version),
  body: readJson(change),
});

const toQueue = (row: StoredRow) => ({
  kind: "queue",
  id: row["queue_id"],
  subject: "",
  author: row["created_by"],
  body: readJson(row["settings"]),
});

const toQueueItem = (row: StoredRow, made: StoredRow) => ({
  kind: "queue_item",
  id: `${String(row["queue_id"])} ${String(row["position"])}`,
  subject: String(row["position"]),
  parent: row["queue_id"],
  author: made["created_by"] ?? "",
  at: made["created_at"] ?? "",
  body: { trial: readSubject(row), position: row["position"], nReviewers: row["n_reviewers"] },
});

const toQueueEvent = ({ queue_id, reviewer_id, kind, position }: StoredRow) => ({
  kind: "queue_event",
  subject: "",
  parent: queue_id,
  author: reviewer_id,
  body: { kind, position },
});

export const MOVED_TABLES = Object.keys(MOVES);

const NAMES = ["id", "kind", "subject", "parent", "author", "actor", "at", "body"] as const;
/** Engines limit the values of a statement. */
const ROWS_AT_ONCE = 100;

type Engine = DatabaseTarget["engine"];

/** A row that does not match its checksum does not match it afterwards either. */
export async function moveStatements(db: QueryExecutorProvider, engine: Engine): Promise<void> {
  await lockTables(db, engine, ["annotation_version", "tag_import"]);
  const imports = await sql<StoredRow>`select * from tag_import where kind = 'imported'`.execute(db);
  const importsById = new Map(imports.rows.map((row) => [row["import_id"], row]));
  for (const [table, move] of Object.entries(MOVES))
    await moveTable(db, engine, table, (row) => move(row, importsById.get(row["import_id"]) ?? {}));
}

export async function moveQueues(db: QueryExecutorProvider, engine: Engine): Promise<void> {
  await lockTables(db, engine, ["review_queue"]);
  const { rows } = await sql<StoredRow>`select * from review_queue`.execute(db);
  const queues = new Map(rows.map((row) => [row["queue_id"], row]));
  await moveRows(db, engine, "review_queue_event");
  await moveTable(db, engine, "review_queue_item", (row) =>
    toQueueItem(row, queues.get(row["queue_id"]) ?? {}),
  );
  await moveRows(db, engine, "review_queue");
}

/** A program of an earlier release may be writing to them. */
async function lockTables(db: QueryExecutorProvider, engine: Engine, tables: readonly string[]) {
  if (engine === "sqlite") return;
  const all = sql.join(tables.map((table) => sql.table(table)));
  await sql`lock table ${all} in access exclusive mode`.execute(db);
}

/** Returns the statement of a row of the table of judgments of an earlier release. */
export function toJudgmentStatement(row: StoredRow): StoredRow {
  return { seq: row["seq"], ...toStatement("annotation_version", row, toJudgment) };
}

const TABLES = {
  adjudication: toDecision,
  annotation_version: toJudgment,
  codebook_change: toCodebookChange,
  review_queue: toQueue,
  review_queue_event: toQueueEvent,
};

export function moveRows(db: QueryExecutorProvider, engine: Engine, table: keyof typeof TABLES) {
  return moveTable(db, engine, table, TABLES[table]);
}

async function moveTable(
  db: QueryExecutorProvider,
  engine: Engine,
  table: string,
  move: (row: StoredRow) => Moved,
): Promise<void> {
  await lockTables(db, engine, [table]);
  const { rows } =
    await sql<StoredRow>`select * from ${sql.table(table)} order by ${sql.id(nameNumber(table))}`.execute(db);
  for await (const some of takeTurns(rows, ROWS_AT_ONCE)) {
    const values = some.map((row) => {
      const statement = toStatement(table, row, move);
      return sql`(${sql.join([...NAMES, "checksum"].map((name) => statement[name] ?? null))})`;
    });
    await sql`insert into statement (${sql.join([...NAMES, "checksum"].map((name) => sql.id(name)))})
      values ${sql.join(values)}`.execute(db);
  }
  await sql`drop table ${sql.table(table)}`.execute(db);
}

function toStatement(table: string, row: StoredRow, move: (row: StoredRow) => Moved): StoredRow {
  const { author, browser_key_hash: actor = null, created_at: at } = row;
  const columns = { id: `${table} ${String(row[nameNumber(table)])}`, kind: table, author, actor, at };
  const moved = move(row);
  const statement = { ...columns, ...moved, body: JSON.stringify(moved.body) };
  const checksum = isIntact(table, row) ? computeChecksum("statement", statement) : row["checksum"];
  return { ...statement, checksum };
}

const readTrial = ({ trial_id, job_id, trial_name, job_name }: StoredRow) => ({
  trialId: trial_id,
  jobUuid: job_id,
  trialName: trial_name,
  jobName: job_name,
});

const readSubject = (row: StoredRow) => ({
  ...readTrial(row),
  rootLabel: row["root_label"],
  taskName: row["task_name"],
  agent: row["agent"],
  model: row["model"],
  outcomeSeen: row["outcome_seen"],
  rewardSeen: row["reward_seen"],
});

function readQueuePlace({ queue_id: queueId = null, queue_position: position = null }: StoredRow) {
  return queueId === null || position === null ? null : { queueId, position };
}

/** Returns a text that is not JSON as it is, which no schema of a body accepts. */
function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
