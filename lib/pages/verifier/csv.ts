import "server-only";
import { formatCsvLine } from "@/lib/core/format/csv";
import type { AccuracyRate, Unavailable } from "@/lib/core/stats";
import { readFileSearch } from "@/lib/pages/address/address";
import { verifierAddress } from "@/lib/pages/annotations/review-address";
import { writeAgent } from "@/lib/people/labels/sample";

import { getVerifierPage, listRates, type VerifierPage } from "./page";
import { type Correction, RATE_NAMES, readRate } from "./review";

type Cell = string | number | null;

/** @throws as {@link readFileSearch}; NotFoundError; StoreError */
export async function getVerifierCsv(url: string): Promise<string> {
  const search = readFileSearch(url, verifierAddress);
  return formatVerifierCsv(await getVerifierPage(verifierAddress.read(search)));
}

/**
 * Writes a row for all trials, and for each agent, job and task family, with all digits. Unknown values are empty; the reason
 * column says why.
 */
function formatVerifierCsv(page: VerifierPage): string {
  const { review } = page;
  const scores = new Map<string, Correction>(
    review === null
      ? []
      : [
          ["all All agents", review.score],
          ...review.agents.map(
            ({ agent, model, score }) => [`agent ${writeAgent(agent, model)}`, score] as const,
          ),
        ],
  );
  const heading: Cell[] = [
    "by",
    "name",
    "trials_verifier_passed",
    "trials_verifier_not_passed",
    "labels_both_passed",
    "labels_only_verifier_passed",
    "labels_only_human_passed",
    "labels_both_failed",
    ...RATE_NAMES.flatMap((name) => [name, `${name}_low`, `${name}_high`, `${name}_reason`]),
    "recorded",
    "corrected",
    "corrected_low",
    "corrected_high",
    "corrected_method",
    "corrected_reason",
  ];
  const rows = listRates(page).map((row): Cell[] => [
    row.by,
    row.name,
    row.verdicts.nPassed,
    row.verdicts.nFailed,
    row.labels.bothPassed,
    row.labels.onlyVerifierPassed,
    row.labels.onlyHumanPassed,
    row.labels.bothFailed,
    ...RATE_NAMES.flatMap((name) => writeRate(readRate(row, name))),
    ...writeScore(scores.get(`${row.by} ${row.name}`)),
  ]);
  return [heading, ...rows].map(formatCsvLine).join("");
}

function writeRate(rate: AccuracyRate | Unavailable): Cell[] {
  return rate.kind === "computed" ? [rate.rate, rate.low, rate.high, null] : [null, null, null, rate.reason];
}

function writeScore(score: Correction | undefined): Cell[] {
  if (score === undefined) return [null, null, null, null, null, null];
  if (score.kind === "unavailable") return [null, null, null, null, null, score.reason];
  const { observed, corrected, low, high, method } = score;
  return [observed, corrected, low, high, method, null];
}
