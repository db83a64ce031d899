import { describeSensitivity, type PairReading, prepareSensitivityTable } from "@/lib/core/comparison";
import { formatCount, MISSING } from "@/lib/core/format/number";
import type { MissingRule, Sensitivity, Unavailable } from "@/lib/core/stats";

import { formatTextTable } from "./text-table";

export function prepareSensitivityText(
  groups: readonly { readonly label: string; readonly sensitivity: Sensitivity | Unavailable }[],
  missing: MissingRule,
): string {
  const moved = groups.flatMap(({ label, sensitivity }) => {
    const line = describeSensitivity(sensitivity);
    return line === null ? [] : [{ label, line }];
  });
  if (moved.length === 0) return "";
  const { headings, rows } = prepareSensitivityTable(moved, missing);
  const columns = headings
    .map((heading) => heading.toLowerCase())
    .map((heading, at) => (at === 0 ? heading : { right: heading }));
  return `sensitivity of the score (in brackets: trials that a reading moves)\n\n${formatTextTable(columns, rows)}`;
}

export function prepareReadingsText(readings: readonly PairReading[]): string {
  if (readings.length === 0) return "";
  const rows = readings.map(({ label, nMoved, words }) => [
    label.toLowerCase(),
    formatCount(nMoved),
    words.difference ?? MISSING,
    words.interval ?? MISSING,
    words.pValue ?? MISSING,
    words.verdict,
  ]);
  const columns = [
    "reading",
    { right: "trials left out" },
    { right: "difference" },
    "95 % interval",
    { right: "p" },
    "verdict",
  ];
  return formatTextTable(columns, rows);
}
