import fc from "fast-check";
import { sql } from "kysely";

import { computeReviewerKey, isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import type { DatabaseTarget } from "@/lib/store/database";
import { migrate, openDatabase } from "@/lib/store/database";

import { listMigrations } from "../migrations";
import { groupTrials } from "../record";
import { computeChecksum } from "../stored-columns";
import {
  EarlierJudgments,
  type JudgmentOperation,
  listJudgmentOperations,
  TRIALS,
  type UndoOperation as UndoJudgment,
} from "./earlier-judgments.fixture";

/* Judgments, decisions, notes, answers and tags as earlier releases stored, counted and exported them, each in tables of its own. */

const KEYS = ["00112233aabbccdd", "ffeeddccbbaa9988"] as const;
export const CLUSTER = { kind: "exception", scope: "OddError", pattern: "came off" };

interface By {
  readonly author: string;
  readonly actor: string | null;
}

export type NoteOperation = By & {
  readonly what: "named" | "dismissed" | "restored";
  readonly key: string;
  readonly text: string;
  /** Made on what was there at first. */
  readonly isStale: boolean;
};
type AnswerOperation = By & {
  readonly what: "answered";
  readonly trial: TrialIdentity;
  readonly version: string;
  readonly answer: "accepted" | "rejected" | null;
};
interface Tag {
  readonly trial: TrialIdentity;
  readonly source: string;
  readonly category: string;
  readonly description: string | null;
  readonly evidence: readonly string[];
}
type ImportOperation = By & { readonly what: "imported"; readonly tags: readonly Tag[] };
export type UndoOperation = By & { readonly what: "undone"; readonly nth: number };
export type DecisionOperation = By & {
  readonly what: "decided";
  readonly trial: TrialIdentity;
  readonly finalJudgment: "pass" | "fail" | null;
  readonly categories: readonly string[];
  readonly isStale: boolean;
};
type WithdrawalOperation = By & { readonly what: "withdrawn"; readonly nth: number };
export type Operation =
  | JudgmentOperation
  | UndoJudgment
  | DecisionOperation
  | WithdrawalOperation
  | NoteOperation
  | AnswerOperation
  | ImportOperation
  | UndoOperation;

const author = fc.constantFrom("Ana", "ANA", "Ben");
const actor = fc.constantFrom("a", "b", null);
const anyTrial = fc.constantFrom(...TRIALS);

export const OPERATIONS: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof(
    ...listJudgmentOperations({ author, actor, trial: anyTrial }),
    fc.record<NoteOperation>({
      what: fc.constantFrom("named", "dismissed", "restored"),
      author,
      actor,
      key: fc.constantFrom(...KEYS),
      text: fc.constantFrom("", "A", 'B "😀"\\'),
      isStale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
    fc.record<AnswerOperation>({
      what: fc.constant("answered"),
      author,
      actor,
      trial: anyTrial,
      version: fc.constantFrom("", "1"),
      answer: fc.constantFrom("accepted", "rejected", null),
    }),
    fc.record<ImportOperation>({
      what: fc.constant("imported"),
      author,
      actor,
      tags: fc.array(
        fc.record<Tag>({
          trial: anyTrial,
          source: fc.constant("my-judge"),
          category: fc.constantFrom("gave up", "looped"),
          description: fc.constantFrom(null, "why"),
          evidence: fc.constantFrom([], ["q"]),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    fc.record<DecisionOperation>({
      what: fc.constant("decided"),
      author,
      actor,
      trial: anyTrial,
      finalJudgment: fc.constantFrom("pass", "fail", null),
      categories: fc.constantFrom([], ["Wrong output"]),
      isStale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
    fc.record<WithdrawalOperation>({
      what: fc.constant("withdrawn"),
      author,
      actor,
      nth: fc.nat({ max: 1 }),
    }),
    fc.record<UndoOperation>({ what: fc.constant("undone"), author, actor, nth: fc.nat({ max: 1 }) }),
  ),
  { minLength: 12, maxLength: 36, size: "max" },
);

interface NoteRow {
  readonly kind: NoteOperation["what"];
  readonly target: string;
  readonly text: string | null;
  readonly about: string;
  readonly author: string;
  readonly created_at: string;
  readonly browser_key_hash: string | null;
}
interface TrialColumns {
  readonly trial_id: string | null;
  readonly job_id: string | null;
  readonly trial_name: string;
  readonly job_name: string;
}
interface AnswerRow extends TrialColumns {
  readonly kind: "accepted" | "rejected" | "withdrawn";
  readonly suggester: string;
  readonly version: string;
  readonly reviewer_key: string;
  readonly reviewer_id: string;
  readonly created_at: string;
  readonly browser_key_hash: string | null;
}
interface ImportRow {
  readonly import_id: string;
  readonly kind: "imported" | "undone";
  readonly author: string;
  readonly created_at: string;
  readonly browser_key_hash: string | null;
}
interface TagRow extends TrialColumns {
  readonly import_id: string;
  readonly source: string;
  readonly category: string;
  readonly description: string | null;
  readonly evidence: string;
}

interface DecisionRow extends TrialColumns {
  readonly decision_id: string;
  readonly withdraws: string | null;
  readonly final_judgment: string | null;
  readonly categories: string;
  readonly decider_key: string;
  readonly decided_by: string;
  readonly created_at: string;
  readonly browser_key_hash: string | null;
}
/** Columns that are the same for each decision. */
const REST = {
  root_label: "runs",
  task_name: "task",
  agent: "orca",
  model: null,
  outcome_seen: "failed",
  reward_seen: "0.0",
  reason: "Seen.",
  based_on: "own",
  codebook_note: null,
  sources: '["s1","s2"]',
  queue_id: null,
  codebook_version: 0,
} as const;

const toColumns = ({ trialId, jobUuid, trialName, jobName }: TrialIdentity): TrialColumns => ({
  trial_id: trialId,
  job_id: jobUuid,
  trial_name: trialName,
  job_name: jobName,
});
const toIdentity = (row: TrialColumns): TrialIdentity => ({
  trialId: row.trial_id,
  jobUuid: row.job_id,
  trialName: row.trial_name,
  jobName: row.job_name,
});

export const timeOf = (nth: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, nth));

export class EarlierStore {
  readonly #judgments = new EarlierJudgments();
  readonly triage_note: NoteRow[] = [];
  readonly suggestion_answer: AnswerRow[] = [];
  readonly tag_import: ImportRow[] = [];
  readonly imported_tag: TagRow[] = [];
  readonly adjudication: DecisionRow[] = [];

  /** True if that release stored it. */
  apply(operation: Operation, at: string): boolean {
    if (operation.what === "judged") return this.#judgments.judge(operation, at);
    if (operation.what === "unjudged") return this.#judgments.undo(operation, at);
    if (operation.what === "answered") return this.#answer(operation, at);
    if (operation.what === "imported") return this.#import(operation, at);
    if (operation.what === "undone") return this.#undo(operation, at);
    if (operation.what === "decided") return this.#decide(operation, at);
    if (operation.what === "withdrawn") return this.#withdraw(operation, at);
    return this.#note(operation, at);
  }

  /** Decisions that were not withdrawn. */
  listDecisions(on: TrialIdentity | null = null): readonly DecisionRow[] {
    const withdrawn = new Set(this.adjudication.map(({ withdraws }) => withdraws));
    return this.adjudication.filter(
      (row) =>
        row.withdraws === null &&
        !withdrawn.has(row.decision_id) &&
        (on === null || isSameTrial(toIdentity(row), on)),
    );
  }

  #decide({ trial: on, isStale, author: by, actor: hash, ...said }: DecisionOperation, at: string): boolean {
    if (isStale && this.listDecisions(on).length > 0) return false;
    this.adjudication.push({
      ...toColumns(on),
      decision_id: `decision ${String(this.adjudication.length)}`,
      withdraws: null,
      final_judgment: said.finalJudgment,
      categories: JSON.stringify(said.categories),
      decider_key: computeReviewerKey(by),
      decided_by: by,
      created_at: at,
      browser_key_hash: hash,
    });
    return true;
  }

  #withdraw({ nth, actor: hash }: WithdrawalOperation, at: string): boolean {
    const made = this.listDecisions()[nth];
    if (made === undefined) return false;
    if (made.browser_key_hash !== null && made.browser_key_hash !== hash) return false;
    const decision_id = `withdrawal ${String(this.adjudication.length)}`;
    const undone = { withdraws: made.decision_id, final_judgment: null, created_at: at };
    this.adjudication.push({ ...made, ...undone, decision_id, browser_key_hash: hash });
    return true;
  }

  #note(operation: NoteOperation, at: string): boolean {
    if (!this.#mayNote(operation)) return false;
    const { what, key, text, author: by, actor: hash } = operation;
    const about = {
      named: CLUSTER,
      dismissed: { title: "Late" },
      restored: text === "" ? null : { reason: text },
    };
    this.triage_note.push({
      kind: what,
      target: key,
      text: what === "restored" || text === "" ? null : text,
      about: JSON.stringify(about[what]),
      author: by,
      created_at: at,
      browser_key_hash: hash,
    });
    return true;
  }

  #mayNote({ what, key, text, author: by, actor: hash, isStale }: NoteOperation): boolean {
    if (what === "dismissed" && text === "") return false;
    const history = this.#listHistory(what, key);
    const last = history.at(-1);
    const isOwn = (row: NoteRow) => row.browser_key_hash === null || row.browser_key_hash === hash;
    if (isStale && last !== undefined) return false;
    if (what === "restored") {
      if (last === undefined || last.text === null) return false;
      if (text === "" && !isOwn(last)) return false;
    }
    const name = computeReviewerKey(by);
    const before = history.findLast(
      (row) => row.browser_key_hash !== null && computeReviewerKey(row.author) === name,
    );
    return before === undefined || isOwn(before);
  }

  #listHistory(what: NoteOperation["what"], key: string): readonly NoteRow[] {
    return this.triage_note.filter(
      (row) => row.target === key && (row.kind === "named") === (what === "named"),
    );
  }

  listNotes(what: "named" | "dismissed") {
    return KEYS.flatMap((key) => {
      const history = this.#listHistory(what, key);
      const last = history.at(-1);
      if (last === undefined) return [];
      const changes = history.map(({ text, author: by, created_at: at, about, kind }) => ({
        text,
        undoReason:
          kind === "restored" ? ((JSON.parse(about) as { reason: string } | null)?.reason ?? null) : null,
        author: by,
        createdAt: at,
      }));
      return [{ key, text: last.text, history: changes }];
    });
  }

  #answer(operation: AnswerOperation, at: string): boolean {
    const { trial: on, version, answer, author: by, actor: hash } = operation;
    const row = { ...toColumns(on), suggester: "rule:x", version, reviewer_key: computeReviewerKey(by) };
    const own = this.listAnswers().find((one) => isSameQuestion(one, row));
    if (answer === null && own === undefined) return false;
    if (own !== undefined && own.browser_key_hash !== null && own.browser_key_hash !== hash) return false;
    if (answer === own?.kind) return true;
    const kind = answer ?? "withdrawn";
    this.suggestion_answer.push({ ...row, kind, reviewer_id: by, created_at: at, browser_key_hash: hash });
    return true;
  }

  listAnswers(): readonly AnswerRow[] {
    const byQuestion = new Map<string, AnswerRow[]>();
    for (const row of this.suggestion_answer) {
      const name = nameQuestion(row);
      const others = (byQuestion.get(name) ?? []).filter((one) => !isSameQuestion(one, row));
      byQuestion.set(name, row.kind === "withdrawn" ? others : [...others, row]);
    }
    return [...byQuestion.values()].flat();
  }

  #import({ tags, author: by, actor: hash }: ImportOperation, at: string): boolean {
    const import_id = `import ${String(this.tag_import.length)}`;
    const standing = this.listTags();
    const added: TagRow[] = [];
    for (const { trial: on, evidence, ...tag } of tags) {
      const row = { import_id, ...toColumns(on), ...tag, evidence: JSON.stringify(evidence) };
      const isHere = [...standing, ...added].some(
        (one) => nameTag(one) === nameTag(row) && isSameTrial(toIdentity(one), on),
      );
      if (!isHere) added.push(row);
    }
    if (added.length === 0) return true;
    this.tag_import.push({ import_id, kind: "imported", author: by, created_at: at, browser_key_hash: hash });
    this.imported_tag.push(...added);
    return true;
  }

  /** Ids of imports that were not undone, newest first. */
  listImports(): readonly ImportRow[] {
    const undone = new Set(this.tag_import.flatMap((row) => (row.kind === "undone" ? row.import_id : [])));
    return this.tag_import.filter(({ import_id: id }) => !undone.has(id)).toReversed();
  }

  #undo({ nth, author: by, actor: hash }: UndoOperation, at: string): boolean {
    const made = this.listImports()[nth];
    if (made === undefined) return false;
    if (made.browser_key_hash !== null && made.browser_key_hash !== hash) return false;
    const { import_id } = made;
    this.tag_import.push({ import_id, kind: "undone", author: by, created_at: at, browser_key_hash: hash });
    return true;
  }

  listTags(): readonly TagRow[] {
    const made = new Set(this.listImports().map(({ import_id: id }) => id));
    return this.imported_tag.filter(({ import_id: id }) => made.has(id));
  }

  #toLine(row: DecisionRow) {
    const withdrawal = this.adjudication.find(({ withdraws }) => withdraws === row.decision_id);
    const trials = groupTrials(this.listDecisions(), toIdentity);
    const kept = trials.some((group) => group.at(-1) === row) ? "current" : "superseded";
    const categories = JSON.parse(row.categories) as readonly string[];
    return {
      schema: "assay.adjudication/1",
      decision_id: row.decision_id,
      status: withdrawal === undefined ? kept : "withdrawn",
      withdrawn_at: withdrawal?.created_at ?? null,
      withdrawal_id: withdrawal?.decision_id ?? null,
      trial_id: row.trial_id,
      job_id: row.job_id,
      trial_name: row.trial_name,
      job_name: row.job_name,
      root: REST.root_label,
      task_name: REST.task_name,
      agent: REST.agent,
      model: REST.model,
      outcome_seen: REST.outcome_seen,
      reward_seen: REST.reward_seen,
      final_judgment: row.final_judgment,
      categories,
      category_ids: categories.map(() => "wrong-output"),
      reason: REST.reason,
      based_on: REST.based_on,
      codebook_note: REST.codebook_note,
      decided_by: row.decided_by,
      timestamp: row.created_at,
      sources: JSON.parse(REST.sources) as unknown,
      queue_id: REST.queue_id,
      codebook_version: REST.codebook_version,
    };
  }

  /** Lines of an export with history, as that release wrote them. */
  export(): string {
    const lines = [
      ...this.#judgments.listLines(),
      ...this.adjudication.filter(({ withdraws }) => withdraws === null).map((row) => this.#toLine(row)),
      ...this.triage_note.map(({ target, created_at: timestamp, kind, text, about, author: by }) => ({
        schema: "assay.triage-note/1",
        target,
        timestamp,
        kind,
        text,
        about: JSON.parse(about) as unknown,
        author: by,
      })),
      ...this.listAnswers().map((row) => ({
        schema: "assay.suggestion-answer/1",
        trial_name: row.trial_name,
        trial_id: row.trial_id,
        job_name: row.job_name,
        job_id: row.job_id,
        suggester: row.suggester,
        version: row.version,
        answer: row.kind,
        reviewer_id: row.reviewer_id,
        timestamp: row.created_at,
      })),
      ...this.listTags().map((row) => ({
        schema: "assay.tag/1",
        trial: row.trial_name,
        trial_id: row.trial_id,
        job: row.job_name,
        job_id: row.job_id,
        source: row.source,
        category: row.category,
        description: row.description,
        evidence: JSON.parse(row.evidence) as unknown,
      })),
    ];
    return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  }

  /** Stores it as that release did, below the migrations after it. */
  async write(target: DatabaseTarget): Promise<void> {
    const open = await openDatabase<Readonly<Record<string, never>>>(target);
    const migrations = Object.entries(listMigrations(target.engine)).filter(([name]) => name < "009");
    await migrate(open, Object.fromEntries(migrations));
    const decisions = this.adjudication.map((row) => ({ ...row, ...REST }));
    const { triage_note, suggestion_answer, tag_import, imported_tag } = this;
    const annotation_version = this.#judgments.listRows();
    const tables = {
      annotation_version,
      adjudication: decisions,
      triage_note,
      suggestion_answer,
      tag_import,
      imported_tag,
    };
    for (const [table, rows] of Object.entries(tables))
      for (const row of rows) {
        const values = Object.entries({ ...row, checksum: computeChecksum(table, { ...row }) });
        await sql`insert into ${sql.table(table)} (${sql.join(values.map(([name]) => sql.id(name)))})
          values (${sql.join(values.map(([, value]) => value))})`.execute(open.db);
      }
    await open.close();
  }
}

type Question = TrialColumns & Pick<AnswerRow, "suggester" | "version" | "reviewer_key">;

function isSameQuestion(a: Question, b: Question): boolean {
  return nameQuestion(a) === nameQuestion(b) && isSameTrial(toIdentity(a), toIdentity(b));
}

function nameQuestion(row: Question): string {
  return JSON.stringify([row.trial_name, row.suggester, row.version, row.reviewer_key]);
}

function nameTag({ trial_name, source, category, description, evidence }: TagRow): string {
  return JSON.stringify([trial_name, source, category, description, evidence]);
}
