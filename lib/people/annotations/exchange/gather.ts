import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

import { ValidationError } from "@/lib/core/domain/app-error";

import { type LineKind, parseLine, type ReadLine } from "./parse-line";

export interface ImportFile {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface SourceLine {
  readonly file: string;
  readonly line: number;
  readonly text: string | null;
  readonly problem: string | null;
}

/** Import limits. A judgment of maximum length is a third of a line; the shortest is 600 bytes. */
export const IMPORT_LIMITS = { lineBytes: 2 * 1024 * 1024, bytes: 64 * 1024 * 1024, lines: 200_000 } as const;

const NEWLINE = 0x0a;

/** Streams lines, so that memory stays bounded. Skips blank lines and strips a byte order mark. */
export async function* readLines({ name, bytes }: ImportFile): AsyncGenerator<SourceLine, void> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length <= IMPORT_LIMITS.lineBytes) parts.push(part);
    else parts = [];
  };
  const take = (): SourceLine => {
    const taken = decodeLine(name, line, Buffer.concat(parts), length);
    line += 1;
    parts = [];
    length = 0;
    return taken;
  };
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      if (line > IMPORT_LIMITS.lines)
        throw new ValidationError(
          `${name} has more than ${IMPORT_LIMITS.lines.toLocaleString("en-US")} lines. Import it in parts.`,
          {},
        );
      add(piece.subarray(from, end));
      const taken = take();
      if (taken.text !== "") yield taken;
      from = end + 1;
    }
    // Copy, because the reader may reuse the buffer.
    if (from < piece.length) add(piece.slice(from));
  }
  if (length === 0) return;
  const last = take();
  if (last.text !== "") yield last;
}

function decodeLine(file: string, line: number, bytes: Buffer, length: number): SourceLine {
  const refuse = (problem: string): SourceLine => ({ file, line, text: null, problem });
  if (length > IMPORT_LIMITS.lineBytes)
    return refuse(
      `The line has ${length.toLocaleString("en-US")} bytes. The limit is ${IMPORT_LIMITS.lineBytes.toLocaleString("en-US")}.`,
    );
  const text = bytes.toString("utf8");
  const again = Buffer.from(text, "utf8");
  if (!again.equals(bytes)) {
    const at = bytes.findIndex((byte, index) => byte !== again[index]);
    return refuse(`Byte ${String(at + 1)} of the line is not UTF-8. Save the file as UTF-8.`);
  }
  return { file, line, text: (line === 1 ? text.replace(/^\uFEFF/, "") : text).trim(), problem: null };
}

export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

/** `order` is among the lines of all files. */
type AnyLine = ReadLine & LinePlace & { readonly order: number };
export type Line<Kind extends LineKind> = Extract<AnyLine, { readonly kind: Kind }>;

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
  readonly #lines = new Map<string, AnyLine>();

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
    else if (parsed.kind === "unreadable") this.#nUnreadable += 1;
    else if (parsed.kind === "damaged") this.#isDamaged = true;
    else this.#addLine({ ...parsed, ...place, order: this.nLines });
  }

  #addLine(added: AnyLine): void {
    const { kind, id, said } = added;
    const name = `${kind} ${id ?? hash("sha256", JSON.stringify(said), "base64")}`;
    const found = this.#lines.get(name);
    if (found === undefined) this.#lines.set(name, added);
    else if (!isDeepStrictEqual(found.said, said)) this.refuse(added, describeRepeat(id ?? "", found));
    else {
      this.#nRepeated += 1;
      const { file, line, order } = found;
      // The later of the two exports knows of the withdrawal.
      if (found.withdrawal === null && added.withdrawal !== null)
        this.#lines.set(name, { ...added, file, line, order });
    }
  }

  finish() {
    const judgments = this.#list("judgment");
    const decisions = this.#list("decision");
    for (const lines of [judgments, decisions])
      this.#refuseSharedIds(
        lines.flatMap(({ file, line, id, withdrawal }) =>
          [id, withdrawal?.id ?? []].flat().map((one) => ({ file, line, id: one })),
        ),
      );
    const queues = this.#joinQueues();
    return {
      judgments,
      decisions,
      queues,
      tags: this.#list("tag"),
      answers: this.#list("answer"),
      notes: this.#list("note"),
      errors: this.#errors,
      nErrors: this.#nErrors,
      nLines: this.nLines,
      nRepeated: this.#nRepeated,
      nUnreadable: this.#nUnreadable,
      isDamaged: this.#isDamaged,
    };
  }

  #list<Kind extends LineKind>(kind: Kind): readonly Line<Kind>[] {
    return [...this.#lines.values()].filter((line): line is Line<Kind> => line.kind === kind);
  }

  /** Accepts a queue only as a whole: part of a draw is not a sample. */
  #joinQueues() {
    const trials = Map.groupBy(this.#list("queue-trial"), ({ said }) => said.queueId);
    const queues = this.#list("queue");
    this.#refuseSharedIds(queues.map(({ said, file, line }) => ({ file, line, id: said.queueId })));
    const known = new Set(queues.map(({ said }) => said.queueId));
    for (const [queueId, [first]] of trials)
      if (!known.has(queueId) && first !== undefined)
        this.refuse(first, `It is a trial of the queue ${queueId}, which is not in the files.`);
    return queues.map((queue) => {
      const { queueId, nTrials } = queue.said;
      const own = (trials.get(queueId) ?? []).map(({ said }) => said);
      const places = new Set(own.map(({ position }) => position));
      const isWhole = own.length === nTrials && own.every((_, at) => places.has(at));
      if (!isWhole) this.refuse(queue, `The files do not have the ${nTrials} trials of this queue.`);
      return { ...queue.said, trials: own.toSorted((a, b) => a.position - b.position) };
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
