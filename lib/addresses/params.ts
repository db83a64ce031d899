import { z } from "zod";

/** The query of an address as Next gives it: a name may stand there once, several times or not at all. */
export type SearchValues = Readonly<Record<string, string | string[] | undefined>>;

const LONGEST_TEXT = 200;

/** Every value under a name, in their order; none is an empty list. */
export const listParam = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value): readonly string[] => (value === undefined ? [] : [value].flat()));

/** The last value under a name, since that is the one a form or link added; undefined when there is none. */
export const lastParam = listParam.transform((values) => values.at(-1));

/** A text without surrounding space and at most 200 characters; empty when there is none. */
export const textParam = lastParam.transform((value) => (value ?? "").trim().slice(0, LONGEST_TEXT));

/** A name or key as it stands there; null when there is none or it is empty. */
export const keyParam = lastParam.transform((value) => (value === undefined || value === "" ? null : value));

/** A finite number; null when there is none or the text is something else. */
export const numberParam = lastParam.transform((value) => {
  const number = value === undefined || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
});

/** Whether the text is `1`. */
export const flagParam = lastParam.transform((value) => value === "1");

/** A page number from 1; 1 when the text is something else. */
export const pageParam = numberParam.transform((value) =>
  value !== null && Number.isInteger(value) && value > 0 ? value : 1,
);

/** Those of the known values that stand there, in the order of `known`. */
export function someOf<T extends string>(known: readonly T[]) {
  return listParam.transform((values) => known.filter((value) => values.includes(value)));
}

/** The known value that stands there last, or `fallback`. */
export function oneOf<T extends string, F extends T | null>(known: readonly T[], fallback: F) {
  return lastParam.transform((value): T | F => known.find((one) => one === value) ?? fallback);
}
