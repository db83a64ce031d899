import { type Outcome, OUTCOMES } from "./trial";

export const MOST_MARKS = 24;

/** Bytes of a mark in a page, besides the name of its trial, see {@link encodeMarks}. */
export const MARK_BYTES = 30;

/** `pass-against`: reviewers pass what the verifier failed. `open`: reviewers differ or defer, or there is no verdict. */
export const MARK_VERDICTS = ["pass-against", "fail-against", "agrees", "open"] as const;

export type MarkVerdict = (typeof MARK_VERDICTS)[number];

export interface CellMark {
  readonly key: string | null;
  readonly jobKey?: string;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly detail?: string;
  readonly isSuspect?: boolean;
  /** Step of the colour scale, one digit; null if the amount is unknown. Absent without a scale. */
  readonly level?: number | null;
  readonly verdict?: MarkVerdict;
}

export interface EncodedMarks {
  readonly stem: string;
  readonly keys: readonly (string | null)[];
  readonly outcomes: string;
  readonly details: readonly string[];
  readonly which?: readonly number[];
  readonly attempts?: readonly number[];
  readonly suspects?: readonly boolean[];
  readonly levels?: string;
  readonly verdicts?: string;
  readonly jobKeys?: readonly (string | null)[];
}

const NONE = "-";

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
