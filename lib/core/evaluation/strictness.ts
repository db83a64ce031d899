/**
 * Conversions between text, numbers and truth values. `reference`: as in the reference. `default`: the same, except for two
 * readings that are never intended. `strict`: none. README.md lists every case.
 */
export type Strictness = "strict" | "default" | "reference";

/** The inputs that one {@link Strictness} accepts; each field is a row of the table in README.md. */
export interface Leniency {
  /** `"0.5"` and `true` as a number. */
  readonly otherTypesAsNumber: boolean;
  /** `"0_1"`: underscores between the digits of a number in text. */
  readonly underscores: boolean;
  /** Digits of other scripts in the text of a reward. */
  readonly foreignDigits: boolean;
  /** `1`, `"yes"` or `"off"` as a truth value. */
  readonly wordsAsFlag: boolean;
  /** NaN and infinities in interval bounds, weights and scores. */
  readonly nonFinite: boolean;
  /** Timestamps without an offset, dates alone, and seconds or milliseconds since 1970. */
  readonly looseTimestamps: boolean;
  /** Seconds since 1970 with fewer than nine digits, which are years and dates written without dashes. */
  readonly shortEpochs: boolean;
  /** A reward file without the key `reward`, read as 0.0. */
  readonly absentRewardKey: boolean;
  /** The exception of the reference instead of a readable sentence where text is expected. */
  readonly exceptionForText: boolean;
}

const REFERENCE: Leniency = {
  otherTypesAsNumber: true,
  underscores: true,
  foreignDigits: true,
  wordsAsFlag: true,
  nonFinite: true,
  looseTimestamps: true,
  shortEpochs: true,
  absentRewardKey: true,
  exceptionForText: true,
};

const LENIENCY: Readonly<Record<Strictness, Leniency>> = {
  reference: REFERENCE,
  default: { ...REFERENCE, foreignDigits: false, shortEpochs: false, exceptionForText: false },
  strict: {
    otherTypesAsNumber: false,
    underscores: false,
    foreignDigits: false,
    wordsAsFlag: false,
    nonFinite: false,
    looseTimestamps: false,
    shortEpochs: false,
    absentRewardKey: false,
    exceptionForText: false,
  },
};

export function getLeniency(strictness: Strictness): Leniency {
  return LENIENCY[strictness];
}

/** Returns one of the three words; anything else counts as `default`. */
export function toStrictness(value: unknown): Strictness {
  return value === "strict" || value === "reference" ? value : "default";
}
