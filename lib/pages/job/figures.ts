import "server-only";
import { scoreUnderRules } from "@/lib/core/comparison";
import { rangeOfPage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { FIGURE_KINDS, VERDICTS } from "@/lib/core/domain/verification";
import type { FiguresParams } from "@/lib/pages/job/address";
import {
  type IndexStore,
  type JobHead,
  readFigures,
  readJobFacets,
  readRuleTallies,
} from "@/lib/store/tables";

import { createCache } from "../shell/cache";
import { pickKnown } from "./facets";

export type FiguresPanel = Awaited<ReturnType<typeof getFiguresPanel>>;

/** Returns figures, worst verdict first, then in the order of result.json. Facets count figures of the whole job. */
export async function getFiguresPanel(store: IndexStore, job: JobHead, filter: FiguresParams) {
  const { text, verdicts, kinds, groups, figure } = filter;
  const selection = { text, verdicts, kinds, groups, path: figure };
  const [list, facets] = await Promise.all([
    readFigures(store, job.rowId, selection, rangeOfPage(filter.page, PAGE_ROWS)),
    readJobFacets(store, job.rowId),
  ]);
  return {
    ...list,
    nFigures: job.nFigures,
    verdicts: pickKnown(facets, "figure-verdict", VERDICTS),
    kinds: pickKnown(facets, "figure-kind", FIGURE_KINDS),
    groups: facets.get("figure-group") ?? [],
  };
}

export type GroupRuleScores = Awaited<ReturnType<typeof computeRuleScores>>[number];

const cached = createCache<readonly GroupRuleScores[]>(20);

/** Returns the scores of a job's groups under each rule; none for a ledger, which Harbor did not score. */
export async function readRuleScores(store: IndexStore, job: JobHead): Promise<readonly GroupRuleScores[]> {
  if (job.kind === "ledger") return [];
  return cached(`${job.rowId} ${job.version}`, () => computeRuleScores(store, job));
}

async function computeRuleScores(store: IndexStore, { rowId, groups, scoringRule }: JobHead) {
  const byGroup = Map.groupBy(await readRuleTallies(store, rowId), ({ groupKey }) => groupKey);
  return groups.map(({ group: { key } }) => ({
    groupKey: key,
    scores: scoreUnderRules(byGroup.get(key) ?? [], scoringRule),
  }));
}
