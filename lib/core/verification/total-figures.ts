import { type JobRecord, TOTAL_NAMES, type TotalName } from "@/lib/core/domain/job";
import { selectRecordedUsage, type TokenUsage, type Trial } from "@/lib/core/domain/trial";
import type { Figure } from "@/lib/core/domain/verification";
import { computeTrialUsage, type PyNumber, type PyValue } from "@/lib/core/scoring";

import { compareNumbers } from "./compare-numbers";
import { countTrials, type JobTrials } from "./completeness";
import { findLiveFigures, judgeMissing } from "./expected-figures";
import { judgeNumber, makeSubject } from "./figure";
import { iterateOrders } from "./order";

const FIELDS: Readonly<Record<TotalName, keyof TokenUsage>> = {
  n_input_tokens: "inputTokens",
  n_cache_tokens: "cacheTokens",
  n_output_tokens: "outputTokens",
  cost_usd: "costUsd",
};

/**
 * Verifies the totals of tokens and cost that result.json has or that its Harbor always writes; none for a null total that no
 * trial reports.
 */
export function verifyTotals(job: JobRecord, trials: JobTrials, incomplete: string | null): Figure[] {
  const { finished } = trials;
  const isExpected = findLiveFigures(job)?.hasTotals === true;
  return TOTAL_NAMES.flatMap((name) => {
    const recorded = job.recorded?.totals.get(name);
    if (recorded === undefined && !isExpected) return [];
    const reporting = finished.filter((trial) => selectRecordedUsage(trial)[FIELDS[name]] !== null);
    if (recorded === null && reporting.length === 0) return [];
    const recomputed = addInSomeOrder(job, finished, name, recorded ?? null);
    const subject = makeSubject("total", `stats.${name}`, null, reporting);
    if (recorded === undefined) return [judgeMissing(subject, recomputed)];
    const nRetries = job.recorded?.counters.get("n_retries") ?? 0n;
    const isCutOff = job.state !== "finished" && nRetries > 0n;
    const evidence = {
      incomplete:
        incomplete ??
        (isCutOff ? "The job did not end, and attempts that were retried had been added." : null),
      mismatchReason: explainTotal(name, reporting.length, recorded, recomputed),
      ulpReason: "Equal up to rounding: the files here do not record the order of addition.",
    };
    return [judgeNumber(subject, recorded, recomputed, evidence)];
  });
}

/** Returns the total in the first order that gives the recorded one, else in the most likely order. */
function addInSomeOrder(
  job: JobRecord,
  finished: readonly Trial[],
  name: TotalName,
  recorded: PyValue,
): PyNumber | undefined {
  let first: PyNumber | undefined;
  for (const { trials } of iterateOrders(job, finished, null)) {
    const total = computeTrialUsage({ usage: null, stepUsages: trials.map(selectRecordedUsage) })[
      FIELDS[name]
    ];
    if (total === null) return undefined;
    // Whole numbers have the same sum in any order.
    if (name !== "cost_usd" && Number.isInteger(total)) return BigInt(total);
    if (compareNumbers(recorded, total).verdict === "exact") return total;
    first ??= total;
  }
  return first;
}

function explainTotal(
  name: TotalName,
  nReporting: number,
  recorded: PyValue,
  recomputed: PyNumber | undefined,
): string {
  const what = name === "cost_usd" ? "a cost" : "such tokens";
  if (recomputed === undefined) return `No trial here reports ${what}.`;
  const found = `${countTrials(nReporting)} here report ${what}`;
  if (recorded === null) return `${found}, but result.json records no total.`;
  const difference = Number(recorded) - Number(recomputed);
  const off = difference > 0 ? `${difference} too much` : `${-difference} too little`;
  return `${found}, and their total differs: result.json records ${Number.isNaN(difference) ? "no number" : off}.`;
}
