import { type Outcome, OUTCOMES } from "./trial";

/** Marks of attempts that one cell of the matrix draws; more attempts are counted. */
export const MOST_MARKS = 24;

/** What a mark takes in a page beside the name of its trial, in bytes, see {@link encodeMarks}. */
export const MARK_BYTES = 30;

/**
 * How reviewers stand to the verifier of an attempt: they pass what it failed or fail what it passed, agree, or one of both has
 * not said (reviewers differ or defer, or there is no verdict).
 */
export const MARK_VERDICTS = ["pass-against", "fail-against", "agrees", "open"] as const;

export type MarkVerdict = (typeof MARK_VERDICTS)[number];

export interface CellMark {
  /** Of its trial; null where there is none to open. */
  readonly key: string | null;
  /** Of its job, where that is not the one of most marks beside it. */
  readonly jobKey?: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly detail?: string;
  readonly isSuspect?: boolean;
  /** Its step of the scale that marks are coloured by, one digit; null where its amount is not known. Absent without a scale. */
  readonly level?: number | null;
  /** Absent where nobody judged it, or verdicts are not shown. */
  readonly verdict?: MarkVerdict;
}

/** The marks of a cell in a few bytes each: what all share is there once. */
export interface EncodedMarks {
  /** What every key begins with. */
  readonly stem: string;
  /** The rest of each key; null where there is no trial. */
  readonly keys: readonly (string | null)[];
  /** Each by its place among all outcomes, one character. */
  readonly outcomes: string;
  /** Each different detail, and which of them each attempt has; absent where all have the same. */
  readonly details: readonly string[];
  readonly which?: readonly number[];
  /** Absent where attempts are numbered from 1 on. */
  readonly attempts?: readonly number[];
  /** Absent where no verifier may have crashed. */
  readonly suspects?: readonly boolean[];
  /** A digit each, a dash for null; absent without a scale. */
  readonly levels?: string;
  /** Each by its place in {@link MARK_VERDICTS}, one digit, a dash for none; absent where none has one. */
  readonly verdicts?: string;
  /** Absent where all are of one job; null for that of most. */
  readonly jobKeys?: readonly (string | null)[];
}

const NONE = "-";

/** Encodes the marks of a cell; {@link decodeMarks} gives them back as they were. */
export function encodeMarks(marks: readonly CellMark[]): EncodedMarks {
  const stem = findStem(marks.flatMap(({ key }) => key ?? []));
  const details = [...new Set(marks.map(({ detail = "" }) => detail))];
  return {
    stem,
    keys: marks.map(({ key }) => key?.slice(stem.length) ?? null),
    outcomes: marks.map(({ outcome }) => OUTCOMES.indexOf(outcome).toString(36)).join(""),
    details,
    ...(details.length < 2 ? {} : { which: marks.map(({ detail = "" }) => details.indexOf(detail)) }),
    ...(marks.every(({ attempt }, at) => attempt === at + 1)
      ? {}
      : { attempts: marks.map(({ attempt }) => attempt) }),
    ...(marks.some(({ isSuspect }) => isSuspect === true)
      ? { suspects: marks.map(({ isSuspect }) => isSuspect === true) }
      : {}),
    ...(marks.some(({ level }) => level !== undefined)
      ? { levels: marks.map(({ level }) => level ?? NONE).join("") }
      : {}),
    ...(marks.some(({ verdict }) => verdict !== undefined)
      ? { verdicts: marks.map(({ verdict }) => (verdict ? MARK_VERDICTS.indexOf(verdict) : NONE)).join("") }
      : {}),
    ...(marks.some(({ jobKey }) => jobKey !== undefined)
      ? { jobKeys: marks.map(({ jobKey }) => jobKey ?? null) }
      : {}),
  };
}

/** The marks of {@link encodeMarks}. */
export function decodeMarks(encoded: EncodedMarks): readonly CellMark[] {
  const { stem, keys, outcomes, details, which, attempts, suspects, jobKeys } = encoded;
  return keys.map((key, at) => {
    const detail = details[which?.[at] ?? 0] ?? "";
    const jobKey = jobKeys?.[at] ?? null;
    return {
      key: key === null ? null : stem + key,
      attempt: attempts?.[at] ?? at + 1,
      outcome: OUTCOMES[Number.parseInt(outcomes.charAt(at), 36)] ?? "unreadable",
      ...(jobKey === null ? {} : { jobKey }),
      ...(detail === "" ? {} : { detail }),
      ...(suspects?.[at] === true ? { isSuspect: true } : {}),
      ...decodeOverlay(encoded, at),
    };
  });
}

/** What is laid over a mark. */
function decodeOverlay(
  { levels, verdicts }: Pick<EncodedMarks, "levels" | "verdicts">,
  at: number,
): Pick<CellMark, "level" | "verdict"> {
  const digit = levels?.charAt(at);
  const verdict = MARK_VERDICTS[Number.parseInt(verdicts?.charAt(at) ?? NONE, 10)];
  return {
    ...(digit === undefined ? {} : { level: digit === NONE ? null : Number(digit) }),
    ...(verdict === undefined ? {} : { verdict }),
  };
}

function findStem([first = "", ...others]: readonly string[]): string {
  let { length } = first;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
