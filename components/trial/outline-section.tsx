import { trialPageHref } from "@/lib/addresses/trial";
import { Outline } from "./trajectory/outline";
import type { TrialPage } from "@/lib/queries/trial/page";
import type { TrajectoryMap } from "@/lib/trial-reading";

import { AsideSection } from "./aside-section";

/** The outline of a trajectory in the left column; nothing without one. */
export function OutlineSection({
  page: { entry, trial },
  map,
  currentKey,
}: {
  page: TrialPage;
  map: TrajectoryMap;
  /** Step that is open; null where none is. */
  currentKey: string | null;
}) {
  if (map.outline.length === 0) return null;
  return (
    <AsideSection title="Outline">
      <Outline
        entries={map.outline}
        total={map.outlineTotal}
        currentKey={currentKey}
        hrefOf={(step) => trialPageHref(entry.job.key, trial.key, { step })}
      />
    </AsideSection>
  );
}
