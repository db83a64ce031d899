import { type QueryExecutorProvider, sql } from "kysely";

import { takeTurns } from "@/lib/store/database";

import { computeChecksum, isIntact, type StoredRow } from "../checksum";

/** Returns the columns of a statement, made of a row of an earlier release and of the import that the row is of, if any. */
type Move = (row: StoredRow, made: StoredRow) => Moved;
type Moved = StoredRow & { readonly body: StoredRow };

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
    trial: {
      ...readTrial(row),
      rootLabel: row["root_label"],
      taskName: row["task_name"],
      agent: row["agent"],
      model: row["model"],
      outcomeSeen: row["outcome_seen"],
      rewardSeen: row["reward_seen"],
    },
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

export const MOVED_TABLES = Object.keys(MOVES);

const NAMES = ["id", "kind", "subject", "parent", "author", "actor", "at", "body"] as const;
/** Engines limit the values of a statement. */
const ROWS_AT_ONCE = 100;

/** A row that does not match its checksum does not match it afterwards either. */
export async function moveStatements(db: QueryExecutorProvider): Promise<void> {
  const imports = await sql<StoredRow>`select * from tag_import where kind = 'imported'`.execute(db);
  const importsById = new Map(imports.rows.map((row) => [row["import_id"], row]));
  for (const [table, move] of Object.entries(MOVES))
    await moveTable(db, table, (row) => move(row, importsById.get(row["import_id"]) ?? {}));
}

export function moveDecisions(db: QueryExecutorProvider): Promise<void> {
  return moveTable(db, "adjudication", toDecision);
}

async function moveTable(
  db: QueryExecutorProvider,
  table: string,
  move: (row: StoredRow) => Moved,
): Promise<void> {
  const { rows } = await sql<StoredRow>`select * from ${sql.table(table)} order by seq`.execute(db);
  for await (const some of takeTurns(rows, ROWS_AT_ONCE)) {
    const values = some.map((row) => {
      const { author, browser_key_hash: actor, created_at: at } = row;
      const columns = { id: `${table} ${String(row["seq"])}`, kind: table, author, actor, at };
      const moved = move(row);
      const statement: StoredRow = { ...columns, ...moved, body: JSON.stringify(moved.body) };
      const checksum = isIntact(table, row) ? computeChecksum("statement", statement) : row["checksum"];
      return sql`(${sql.join([...NAMES.map((name) => statement[name] ?? null), checksum])})`;
    });
    await sql`insert into statement (${sql.join([...NAMES, "checksum"].map((name) => sql.id(name)))})
      values ${sql.join(values)}`.execute(db);
  }
  await sql`drop table ${sql.table(table)}`.execute(db);
}

const readTrial = ({ trial_id, job_id, trial_name, job_name }: StoredRow) => ({
  trialId: trial_id,
  jobUuid: job_id,
  trialName: trial_name,
  jobName: job_name,
});

/** Returns a text that is not JSON as it is, which no schema of a body accepts. */
function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}
