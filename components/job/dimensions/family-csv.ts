import { DISTRIBUTION_BINS } from "@/lib/core/charts/distribution-plot";
import { formatCsvLine } from "@/lib/core/format/csv";
import type { FamilySection } from "@/lib/pages/job/dimensions";
import type { JobGroup } from "@/lib/pages/job/page";

/** Longer data is not embedded in a page; fewer agents or dimensions fit. */
const MOST_CHARACTERS = 60_000;

export function formatFamilyCsv(section: FamilySection, groups: readonly JobGroup[]): string | undefined {
  const head = formatCsvLine([
    "dimension",
    "agent",
    "model",
    ...["mean", "low", "high", "n", "n_missing", "n_at_0", "n_at_1"],
    ...DISTRIBUTION_BINS.map(({ from, to }) => `${String(from)} to ${String(to)}`),
  ]);
  const lines = section.rows.flatMap(({ name, cells }) =>
    groups.map(({ group }, at) => {
      const cell = cells[at] ?? null;
      const nTrials = section.groups[at]?.nTrials ?? 0;
      const figures =
        cell === null
          ? [null, null, null, 0, nTrials]
          : [cell.mean, cell.bounds?.low ?? null, cell.bounds?.high ?? null, cell.n, cell.nMissing];
      const ends = cell === null ? [0, 0] : [cell.ends.nFloor, cell.ends.nCeiling];
      const counts = DISTRIBUTION_BINS.map(({ bin }) => cell?.counts[bin] ?? 0);
      return formatCsvLine([name, group.agent, group.model, ...figures, ...ends, ...counts]);
    }),
  );
  const text = [head, ...lines].join("");
  return text.length > MOST_CHARACTERS ? undefined : text;
}
