import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { ValidationError } from "@/lib/core/domain/app-error";

import type { NewStatement } from "../statements/statement";
import type { Answer } from "../triage/answers";
import { deriveWithdrawalId, type JudgmentLine, type LinePlace, toJudgmentLine } from "./judgment-line";
import { type DecisionFields, type JudgmentFields, parseLine } from "./parse-line";
import type { QueueFields, QueueTrialFields } from "./queue-lines";
import { IMPORT_LIMITS, type ImportFile, readLines } from "./read-lines";
import type { TagFields } from "./tag-line";
import type { NewNote } from "./triage-line";

export interface LineError extends LinePlace {
  readonly message: string;
}

export interface DecisionLine extends LinePlace {
  readonly fields: DecisionFields;
  readonly withdrawalId: string | null;
}

type Line<Fields> = LinePlace & { readonly fields: Fields };

export type TagLine = Line<TagFields>;
export type AnswerLine = Line<NewStatement<Answer>>;
export type NoteLine = Line<NewNote>;

export interface QueueLine extends LinePlace {
  readonly fields: QueueFields;
  readonly trials: readonly QueueTrialFields[];
}

export interface Gathered {
  readonly judgments: readonly JudgmentLine[];
  readonly decisions: readonly DecisionLine[];
  readonly tags: readonly TagLine[];
  readonly answers: readonly AnswerLine[];
  readonly notes: readonly NoteLine[];
  readonly queues: readonly QueueLine[];
  readonly errors: readonly LineError[];
  readonly nErrors: number;
  readonly nLines: number;
  readonly nRepeated: number;
  readonly nUnreadable: number;
  readonly isDamaged: boolean;
}

export const MOST_ERRORS = 100;

const LINES_AT_ONCE = 200;

export async function gatherLines(files: readonly ImportFile[]): Promise<Gathered> {
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
  readonly #tags = new Map<string, TagLine>();
  readonly #answers = new Map<string, AnswerLine>();
  readonly #notes = new Map<string, NoteLine>();
  readonly #queues = new Map<string, Line<QueueFields>>();
  readonly #queueTrials = new Map<string, Line<QueueTrialFields>>();

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

  refuse(place: LinePlace, message: string): void {
    this.#nErrors += 1;
    if (this.#errors.length < MOST_ERRORS) this.#errors.push({ ...place, message });
  }

  add(place: LinePlace, text: string): void {
    const parsed = parseLine(text);
    if (parsed.kind === "problem") this.refuse(place, parsed.problem);
    else if (parsed.kind === "judgment") this.#addJudgment(place, parsed.fields);
    else if (parsed.kind === "decision") this.#addDecision(place, parsed.fields);
    else if (parsed.kind === "tag") this.#addOnce(this.#tags, { ...place, fields: parsed.fields });
    else if (parsed.kind === "answer") this.#addOnce(this.#answers, { ...place, fields: parsed.fields });
    else if (parsed.kind === "note") this.#addOnce(this.#notes, { ...place, fields: parsed.fields });
    else if (parsed.kind === "queue") this.#addOnce(this.#queues, { ...place, fields: parsed.fields });
    else if (parsed.kind === "queue-trial")
      this.#addOnce(this.#queueTrials, { ...place, fields: parsed.fields });
    else if (parsed.what === "row") this.#nUnreadable += 1;
    else this.#isDamaged = true;
  }

  #addJudgment(place: LinePlace, fields: JudgmentFields): void {
    const found = this.#judgments.get(fields.version_id);
    const added = toJudgmentLine(place, this.nLines, fields);
    if (found === undefined) this.#judgments.set(fields.version_id, added);
    else if (!isDeepStrictEqual(found.event, added.event))
      this.refuse(place, describeRepeat(fields.version_id, found));
    else {
      this.#nRepeated += 1;
      // The later of the two exports knows of the withdrawal.
      if (found.withdrawal === null && added.withdrawal !== null)
        this.#judgments.set(fields.version_id, { ...found, fields, withdrawal: added.withdrawal });
    }
  }

  #addDecision(place: LinePlace, fields: DecisionFields): void {
    const found = this.#decisions.get(fields.decision_id);
    const isWithdrawn = fields.status === "withdrawn";
    const withdrawalId = isWithdrawn
      ? (fields.withdrawal_id ?? deriveWithdrawalId(fields.decision_id))
      : null;
    const added = { ...place, fields, withdrawalId };
    if (found === undefined) this.#decisions.set(fields.decision_id, added);
    else if (!isDeepStrictEqual(describeDecision(found.fields), describeDecision(fields)))
      this.refuse(place, describeRepeat(fields.decision_id, found));
    else {
      this.#nRepeated += 1;
      if (found.withdrawalId === null && withdrawalId !== null)
        this.#decisions.set(fields.decision_id, { ...found, fields, withdrawalId });
    }
  }

  #addOnce<T extends { readonly fields: object }>(lines: Map<string, T>, line: T): void {
    const name = createHash("sha256").update(JSON.stringify(line.fields)).digest("base64");
    if (lines.has(name)) this.#nRepeated += 1;
    else lines.set(name, line);
  }

  finish(): Gathered {
    const judgments = [...this.#judgments.values()];
    const decisions = [...this.#decisions.values()];
    this.#refuseSharedIds(
      judgments.flatMap(({ event, withdrawal, ...place }) => [
        { ...place, id: event.versionId },
        ...(withdrawal === null ? [] : [{ ...place, id: withdrawal.versionId }]),
      ]),
    );
    this.#refuseSharedIds(
      decisions.flatMap(({ fields, withdrawalId, ...place }) => [
        { ...place, id: fields.decision_id },
        ...(withdrawalId === null ? [] : [{ ...place, id: withdrawalId }]),
      ]),
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
  #joinQueues(): readonly QueueLine[] {
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

function describeDecision(fields: DecisionFields) {
  const { status: _, withdrawn_at: __, withdrawal_id: ___, category_ids: ____, ...content } = fields;
  return content;
}
