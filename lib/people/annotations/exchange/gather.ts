import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { computeReviewerKey } from "@/lib/core/domain/annotation";
import { ValidationError } from "@/lib/core/domain/app-error";

import type { DecisionEvent } from "../decisions/decisions";
import { type AnnotationEvent, WITHDRAWN } from "../record";
import { readLineSubject } from "./line-fields";
import { type LineFields, type LineKind, parseLine } from "./parse-line";
import { IMPORT_LIMITS, type ImportFile, readLines } from "./read-lines";

export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

export interface Line<Kind extends LineKind> extends LinePlace {
  readonly fields: LineFields<Kind>;
}

/** A line with a statement and, if that was withdrawn, the statement that withdraws it. */
export interface SavedLine<Kind extends "judgment" | "decision", Event> extends Line<Kind> {
  readonly order: number;
  readonly id: string;
  readonly event: Event;
  readonly withdrawalId: string | null;
  readonly withdrawal: Event | null;
}

export type JudgmentLine = SavedLine<"judgment", AnnotationEvent>;
export type DecisionLine = SavedLine<"decision", DecisionEvent>;

function toJudgmentLine(place: LinePlace, order: number, fields: LineFields<"judgment">): JudgmentLine {
  const { version_id: id, queue_id: queueId, queue_position: position } = fields;
  const event: AnnotationEvent = {
    versionId: id,
    withdraws: null,
    subject: readLineSubject(fields),
    reviewerKey: computeReviewerKey(fields.reviewer_id),
    reviewerId: fields.reviewer_id,
    reviewerDiscipline: fields.reviewer_discipline,
    timestamp: fields.timestamp,
    judgment: fields.judgment,
    categories: fields.categories,
    notes: fields.notes,
    confidence: fields.confidence,
    evidence: fields.evidence,
    queue: queueId === null || position === null ? null : { queueId, position },
    hidden: fields.hidden,
    codebookVersion: fields.codebook_version,
    fingerprint: fields.fingerprint,
    savedBy: fields.saved_by,
    browserKeyHash: null,
  };
  const withdrawalId = findWithdrawalId(id, fields);
  const withdrawal =
    withdrawalId === null
      ? null
      : {
          ...event,
          ...WITHDRAWN,
          versionId: withdrawalId,
          withdraws: id,
          timestamp: fields.withdrawn_at ?? fields.timestamp,
          savedBy: fields.withdrawn_by,
        };
  return { ...place, order, id, fields, event, withdrawalId, withdrawal };
}

function toDecisionLine(place: LinePlace, order: number, fields: LineFields<"decision">): DecisionLine {
  const id = fields.decision_id;
  const decision = {
    decisionId: id,
    subject: readLineSubject(fields),
    finalJudgment: fields.final_judgment,
    categories: fields.categories,
    reason: fields.reason,
    basedOn: fields.based_on,
    codebookNote: fields.codebook_note,
    decidedBy: fields.decided_by,
    decidedAt: fields.timestamp,
    sources: fields.sources,
    queueId: fields.queue_id,
    codebookVersion: fields.codebook_version,
  };
  const deciderKey = computeReviewerKey(fields.decided_by);
  const event = { decision, deciderKey, withdraws: null, browserKeyHash: null };
  const withdrawalId = findWithdrawalId(id, fields);
  const decidedAt = fields.withdrawn_at ?? fields.timestamp;
  const undone = { ...decision, decisionId: withdrawalId ?? "", finalJudgment: null, decidedAt };
  const withdrawal = withdrawalId === null ? null : { ...event, decision: undone, withdraws: id };
  return { ...place, order, id, fields, event, withdrawalId, withdrawal };
}

/** Derives a stable id, since earlier releases omit it and imports must be idempotent. */
function findWithdrawalId(
  id: string,
  fields: { readonly withdrawn_at: string | null; readonly withdrawal_id: string | null },
): string | null {
  if (fields.withdrawn_at === null) return null;
  if (fields.withdrawal_id !== null) return fields.withdrawal_id;
  const hash = createHash("sha256").update(`withdrawal of ${id}`).digest("hex");
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}

export interface LineError extends LinePlace {
  readonly message: string;
}

export type Gathered = Awaited<ReturnType<typeof gatherLines>>;
export type QueueLine = Gathered["queues"][number];

export const MOST_ERRORS = 100;

const LINES_AT_ONCE = 200;

export async function gatherLines(files: readonly ImportFile[]) {
  const gatherer = new Gatherer();
  for (const file of files) {
    const before = gatherer.nLines;
    for await (const { line, text, problem } of readLines({ ...file, bytes: gatherer.count(file.bytes) })) {
      gatherer.nLines += 1;
      if (gatherer.nLines % LINES_AT_ONCE === 0) await setImmediate();
      const place = { file: file.name, line };
      if (text === null) gatherer.refuse(place, problem ?? "");
      else gatherer.add(place, text);
    }
    if (gatherer.nLines === before) gatherer.refuse({ file: file.name, line: 1 }, "The file is empty.");
  }
  return gatherer.finish();
}

class Gatherer {
  nLines = 0;
  #nBytes = 0;
  #nErrors = 0;
  #nRepeated = 0;
  #nUnreadable = 0;
  #isDamaged = false;
  readonly #errors: LineError[] = [];
  readonly #judgments = new Map<string, JudgmentLine>();
  readonly #decisions = new Map<string, DecisionLine>();
  readonly #tags = new Map<string, Line<"tag">>();
  readonly #answers = new Map<string, Line<"answer">>();
  readonly #notes = new Map<string, Line<"note">>();
  readonly #queues = new Map<string, Line<"queue">>();
  readonly #queueTrials = new Map<string, Line<"queue-trial">>();

  async *count(bytes: ImportFile["bytes"]): AsyncGenerator<Uint8Array, void> {
    for await (const piece of bytes) {
      this.#nBytes += piece.length;
      if (this.#nBytes > IMPORT_LIMITS.bytes)
        throw new ValidationError(
          `An import takes at most ${IMPORT_LIMITS.bytes.toLocaleString("en-US")} bytes at once. Import the files one by one.`,
          {},
        );
      yield piece;
    }
  }

  refuse({ file, line }: LinePlace, message: string): void {
    this.#nErrors += 1;
    if (this.#errors.length < MOST_ERRORS) this.#errors.push({ file, line, message });
  }

  add(place: LinePlace, text: string): void {
    const parsed = parseLine(text);
    if (parsed.kind === "problem") this.refuse(place, parsed.problem);
    else if (parsed.kind === "judgment")
      this.#addSaved(this.#judgments, toJudgmentLine(place, this.nLines, parsed.fields));
    else if (parsed.kind === "decision")
      this.#addSaved(this.#decisions, toDecisionLine(place, this.nLines, parsed.fields));
    else if (parsed.kind === "tag") this.#addOnce(this.#tags, { ...place, fields: parsed.fields });
    else if (parsed.kind === "answer") this.#addOnce(this.#answers, { ...place, fields: parsed.fields });
    else if (parsed.kind === "note") this.#addOnce(this.#notes, { ...place, fields: parsed.fields });
    else if (parsed.kind === "queue") this.#addOnce(this.#queues, { ...place, fields: parsed.fields });
    else if (parsed.kind === "queue-trial")
      this.#addOnce(this.#queueTrials, { ...place, fields: parsed.fields });
    else if (parsed.kind === "unreadable") this.#nUnreadable += 1;
    else this.#isDamaged = true;
  }

  #addSaved<Saved extends JudgmentLine | DecisionLine>(lines: Map<string, Saved>, added: Saved): void {
    const { id, fields, withdrawalId, withdrawal } = added;
    const found = lines.get(id);
    if (found === undefined) lines.set(id, added);
    else if (!isDeepStrictEqual(found.event, added.event)) this.refuse(added, describeRepeat(id, found));
    else {
      this.#nRepeated += 1;
      // The later of the two exports knows of the withdrawal.
      if (found.withdrawal === null && withdrawal !== null)
        lines.set(id, { ...found, fields, withdrawalId, withdrawal });
    }
  }

  #addOnce<T extends { readonly fields: object }>(lines: Map<string, T>, line: T): void {
    const name = createHash("sha256").update(JSON.stringify(line.fields)).digest("base64");
    if (lines.has(name)) this.#nRepeated += 1;
    else lines.set(name, line);
  }

  finish() {
    const judgments = [...this.#judgments.values()];
    const decisions = [...this.#decisions.values()];
    for (const lines of [judgments, decisions])
      this.#refuseSharedIds(
        lines.flatMap((line) =>
          [line.id, ...(line.withdrawalId === null ? [] : [line.withdrawalId])].map((id) => ({
            ...line,
            id,
          })),
        ),
      );
    const queues = this.#joinQueues();
    return {
      judgments,
      decisions,
      queues,
      tags: [...this.#tags.values()],
      answers: [...this.#answers.values()],
      notes: [...this.#notes.values()],
      errors: this.#errors,
      nErrors: this.#nErrors,
      nLines: this.nLines,
      nRepeated: this.#nRepeated,
      nUnreadable: this.#nUnreadable,
      isDamaged: this.#isDamaged,
    };
  }

  /** Accepts a queue only as a whole: part of a draw is not a sample. */
  #joinQueues() {
    const trials = Map.groupBy(this.#queueTrials.values(), ({ fields }) => fields.queue_id);
    const queues = [...this.#queues.values()];
    this.#refuseSharedIds(queues.map(({ fields, ...place }) => ({ ...place, id: fields.queue_id })));
    const known = new Set(queues.map(({ fields }) => fields.queue_id));
    for (const [queueId, [first]] of trials)
      if (!known.has(queueId) && first !== undefined)
        this.refuse(first, `It is a trial of the queue ${queueId}, which is not in the files.`);
    return queues.map(({ fields, ...place }) => {
      const own = (trials.get(fields.queue_id) ?? []).map((line) => line.fields);
      const places = new Set(own.map(({ position }) => position));
      const isWhole = own.length === fields.n_trials && own.every((_, at) => places.has(at));
      if (!isWhole) this.refuse(place, `The files do not have the ${fields.n_trials} trials of this queue.`);
      return { ...place, fields, trials: own.toSorted((a, b) => a.position - b.position) };
    });
  }

  #refuseSharedIds(events: readonly (LinePlace & { readonly id: string })[]): void {
    const seen = new Map<string, LinePlace>();
    for (const { id, ...place } of events) {
      const other = seen.get(id);
      if (other === undefined) seen.set(id, place);
      else this.refuse(place, describeRepeat(id, other));
    }
  }
}

function describeRepeat(id: string, { file, line }: LinePlace): string {
  return `Line ${String(line)} of ${file} uses the id ${id} for something else. Keep one of the two.`;
}
