import { toColumnText } from "@/lib/database";
import type { TrialDerivedDetails } from "@/lib/domain/breakdown";
import type { RubricFit } from "@/lib/domain/rubric";
import type { DerivedDetailCounts, JobRow, PlacedTrial } from "@/lib/store";

import { DimensionRollup } from "./dimension-rollup";

type Trial = Pick<PlacedTrial, "groupKey"> & {
  readonly trial: Pick<PlacedTrial["trial"], "taskName" | "state">;
};

type TagTally = Omit<JobRow<"tags">, "position">;

/** Gathers what the trials of one job say of dimensions and tags, one trial after the other, in directory order. */
export class DerivedDetailsRollup {
  private readonly dimensions = new DimensionRollup();
  private readonly tags = new Map<string, TagTally>();

  add(placed: Trial, { dimensions, errorTags }: TrialDerivedDetails, fit: RubricFit): void {
    this.dimensions.add(placed, dimensions, fit);
    if (errorTags.length === 0) return;
    const isFinished = placed.trial.state === "finished";
    // Trials count once, however often they name the same.
    const tags = errorTags.flatMap(({ category, source }) => {
      const text = toColumnText(category);
      return [
        { category: text, source },
        { category: text, source: null },
      ];
    });
    const { groupKey } = placed;
    const named = [{ category: null, source: null }, ...tags].map((tag) => ({ groupKey, ...tag }));
    for (const [key, tag] of new Map(named.map((one) => [JSON.stringify(one), one]))) {
      const tally = this.tags.get(key) ?? { ...tag, nTrials: 0, nFinished: 0 };
      this.tags.set(key, tally);
      tally.nTrials++;
      if (isFinished) tally.nFinished++;
    }
  }

  /** What all trials that were added come to. */
  close(): Pick<DerivedDetailCounts, "families" | "dimensions" | "tags"> {
    return {
      ...this.dimensions.close(),
      tags: [...this.tags.values()].map((tally, position) => ({ position, ...tally })),
    };
  }
}
