import { ListFacet } from "@/components/ui/facet-menu";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterText } from "@/components/ui/filter-text";
import { type Filter, type Filtered, NoMatches } from "@/components/ui/no-matches";
import { formatPlural } from "@/lib/core/format/number";
import {
  QUEUE_STANDINGS,
  type QueueParams,
  queuePageHref,
  type QueueStanding,
} from "@/lib/pages/queues/address";
import type { QueuePage } from "@/lib/pages/queues/queue";

import { STANDING_HEADINGS } from "./queue-words";

export function QueueFilters({ page, params }: { page: QueuePage; params: QueueParams }) {
  const { queueId } = page.queue;
  return (
    <FilterBar count={formatPlural(page.nMatching, "trial")}>
      <FilterText label="Filter trials" />
      <ListFacet
        label="State"
        values={page.facets.standings}
        chosen={params.standings}
        hrefOf={(chosen) => queuePageHref(queueId, params, { standings: pickStandings(chosen) })}
        wordFor={(standing) => STANDING_HEADINGS[standing]}
      />
      <ListFacet
        label="Reviewer"
        values={page.facets.reviewers}
        chosen={params.reviewers}
        hrefOf={(reviewers) => queuePageHref(queueId, params, { reviewers })}
      />
      <ListFacet
        label="Category"
        values={page.facets.categories}
        chosen={params.categories}
        hrefOf={(categories) => queuePageHref(queueId, params, { categories })}
      />
    </FilterBar>
  );
}

function pickStandings(chosen: readonly string[]): readonly QueueStanding[] {
  return QUEUE_STANDINGS.filter((standing) => chosen.includes(standing));
}

const FILTERS: readonly Filter<QueueParams>[] = [
  ["Text", { text: "" }],
  ["State", { standings: [] }],
  ["Reviewer", { reviewers: [] }],
  ["Category", { categories: [] }],
];

export function NoQueueRows({ queueId, ...list }: Filtered<QueueParams> & { queueId: string }) {
  return (
    <NoMatches
      {...list}
      noun="trial"
      filters={FILTERS}
      hrefOf={(params, change) => queuePageHref(queueId, params, change)}
    />
  );
}
