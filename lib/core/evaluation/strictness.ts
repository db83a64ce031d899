/**
 * Conversions between text, numbers and truth values. `reference`: as in the reference. `default`: the same, except for two
 * readings that are never intended. `strict`: none. README.md lists every case.
 */
export type Strictness = "strict" | "default" | "reference";

const REFERENCE = {
  /** `"0.5"` and `true` as a number. */
  otherTypesAsNumber: true,
  /** `"0_1"`: underscores between the digits of a number in text. */
  underscores: true,
  /** Digits of other scripts in the text of a reward. */
  foreignDigits: true,
  /** `1`, `"yes"` or `"off"` as a truth value. */
  wordsAsFlag: true,
  /** NaN and infinities in interval bounds, weights and scores. */
  nonFinite: true,
  /** Timestamps without an offset, dates alone, and seconds or milliseconds since 1970. */
  looseTimestamps: true,
  /** Seconds since 1970 with fewer than nine digits, which are years and dates written without dashes. */
  shortEpochs: true,
  /** A reward file without the key `reward`, read as 0.0. */
  absentRewardKey: true,
  /** The exception of the reference instead of a readable sentence where text is expected. */
  exceptionForText: true,
};

/** The inputs that one {@link Strictness} accepts; each field is a row of the table in README.md. */
export type Leniency = Readonly<typeof REFERENCE>;

const LENIENCY: Readonly<Record<Strictness, Leniency>> = {
  reference: REFERENCE,
  default: { ...REFERENCE, foreignDigits: false, shortEpochs: false, exceptionForText: false },
  strict: {
    ...{ otherTypesAsNumber: false, underscores: false, foreignDigits: false, wordsAsFlag: false },
    ...{ nonFinite: false, looseTimestamps: false, shortEpochs: false },
    ...{ absentRewardKey: false, exceptionForText: false },
  },
};

export function getLeniency(strictness: Strictness): Leniency {
  return LENIENCY[strictness];
}

/** Returns one of the three words; anything else counts as `default`. */
export function toStrictness(value: unknown): Strictness {
  return value === "strict" || value === "reference" ? value : "default";
}
