import { listPartHref, type TrialParams } from "@/lib/addresses/trial";
import { PartPager } from "@/components/ui/pager";
import type { ListPart } from "@/lib/domain/page-place";
import { PART_SIZES, type PartedList } from "@/lib/domain/trial-lists";
import type { TrialPage } from "@/lib/queries/trial/page";

/** The trial whose lists are shown, and the address that it is shown at. */
export interface TrialAt {
  readonly page: TrialPage;
  readonly search: TrialParams;
}

const ROWS = {
  keys: { noun: "reward key", plural: "reward keys" },
  dimensions: { noun: "dimension or criterion", plural: "dimensions and criteria" },
  tests: { noun: "test", plural: "tests" },
  tags: { noun: "error tag", plural: "error tags" },
  checks: { noun: "check", plural: "checks" },
} as const satisfies Record<PartedList, object>;

/** The way to the other parts of a long list of a trial; nothing when it is shown whole. */
export function ListPager({
  at: { page, search },
  list,
  part,
}: {
  at: TrialAt;
  list: PartedList;
  part: ListPart;
}) {
  const { entry, trial } = page;
  return (
    <PartPager
      part={part}
      size={PART_SIZES[list]}
      {...ROWS[list]}
      label={`Pages of the ${ROWS[list].plural}`}
      hrefOf={(from) => listPartHref(entry.job.key, trial.key, search, list, from)}
    />
  );
}
