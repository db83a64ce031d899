/** Repetitions of a random test, in fast-check's form. */
interface RunPlan {
  readonly numRuns: number;
  /** The same in every run, so that a failure can be repeated. */
  readonly seed: number;
}

/** True in `npm run test:long`. */
export const IS_LONG_RUN = process.env["ASSAY_TEST_LONG"] === "1";

/**
 * Returns how often a test of random cases, kills or simulations is repeated: `short` times in `npm test`, `long` times in
 * `npm run test:long`.
 */
export function planRuns({ short, long }: { readonly short: number; readonly long: number }): RunPlan {
  return { numRuns: IS_LONG_RUN ? long : short, seed: 1 };
}
