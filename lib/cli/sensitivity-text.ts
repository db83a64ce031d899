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
  const columns = headings.map((heading, at) => ({
    heading: heading.toLowerCase(),
    align: at === 0 ? ("left" as const) : ("right" as const),
  }));
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
    { heading: "reading" },
    { heading: "trials left out", align: "right" as const },
    { heading: "difference", align: "right" as const },
    { heading: "95 % interval" },
    { heading: "p", align: "right" as const },
    { heading: "verdict" },
  ];
  return formatTextTable(columns, rows);
}
