import { it } from "vitest";

import { IS_LONG_RUN } from "./plan-runs";

/**
 * `it` of `npm run test:long` alone, by the rule of AGENTS.md.
 *
 * @param isInEveryRun - what of a test that is defined several times, such as for both engines, runs in `npm test` too
 */
export function itLong(isInEveryRun = false) {
  return it.runIf(IS_LONG_RUN || isInEveryRun);
}
