import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { MOST_SHOWN_GROUPS } from "@/lib/core/domain/job-filter";
import { describePart, takePart } from "@/lib/core/domain/trial-lists";
import { type IndexStore, type JobHead, readTagCounts } from "@/lib/store/tables";

import { getDerivedDetailsState } from "../shell/derived-details-state";

/** Tags per page. */
const MOST_TAGS = 200;
/** Cells of the table, one per tag and shown group. Each may be a link with two long names. */
const MOST_CELLS = 1_000;

export type TagsPanel = Awaited<ReturnType<typeof getTags>>;

/** Most frequent first. A trial counts once per category, as of the last complete read. */
export async function getTags(store: IndexStore, job: JobHead, from: number) {
  const counts = await readTagCounts(store, job.rowId);
  const rows = [...Map.groupBy(counts, ({ category }) => category)].flatMap(([category, own]) => {
    if (category === null) return [];
    const once = own.filter(({ source }) => source === null);
    return {
      category,
      sources: [...new Set(own.flatMap(({ source }) => source ?? []))],
      counts: job.groups.map(
        ({ group }) => once.find(({ groupKey }) => groupKey === group.key)?.nTrials ?? 0,
      ),
      nTrials: once.reduce((sum, { nTrials }) => sum + nTrials, 0),
    };
  });
  const nColumns = Math.min(job.groups.length, MOST_SHOWN_GROUPS);
  const size = Math.min(MOST_TAGS, Math.floor(MOST_CELLS / nColumns));
  const sorted = rows.toSorted((a, b) => b.nTrials - a.nTrials || compareNames(a.category, b.category));
  const shown = takePart(sorted, from, size);
  return {
    rows: shown,
    part: describePart(sorted.length, from, shown.length),
    size,
    state: await getDerivedDetailsState(job),
  };
}
