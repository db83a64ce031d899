import { toColumnText } from "@/lib/database";
import type { TrialFindings } from "@/lib/domain/breakdown";
import type { RubricFit } from "@/lib/domain/rubric";
import type { FindingCounts, PlacedTrial } from "@/lib/store";

import { DimensionRollup } from "./dimension-rollup";

type Trial = Pick<PlacedTrial, "groupKey"> & {
  readonly trial: Pick<PlacedTrial["trial"], "taskName" | "state">;
};

interface TagTally {
  readonly groupKey: string;
  readonly category: string;
  readonly source: string;
  nTrials: number;
  nFinished: number;
}

/** Gathers what the trials of one job say of dimensions and tags, one trial after the other, in directory order. */
export class FindingsRollup {
  private readonly dimensions = new DimensionRollup();
  private readonly tags = new Map<string, TagTally>();

  add(placed: Trial, { dimensions, errorTags }: TrialFindings, fit: RubricFit): void {
    this.dimensions.add(placed, dimensions, fit);
    if (errorTags.length === 0) return;
    const isFinished = placed.trial.state === "finished";
    // Trials count once, however often they name the same.
    const names = new Set(["\nany"]);
    for (const { category, source } of errorTags) {
      const text = toColumnText(category);
      names.add(`${text}\n${source}`).add(`${text}\nany`);
    }
    for (const name of names) this.countTag(placed.groupKey, name, isFinished);
  }

  /** What all trials that were added come to. */
  close(): Pick<FindingCounts, "families" | "dimensions" | "tags"> {
    return {
      ...this.dimensions.close(),
      tags: [...this.tags.values()].map(({ groupKey, category, source, nTrials, nFinished }, position) => ({
        position,
        group_key: groupKey,
        category,
        source,
        n_trials: nTrials,
        n_finished: nFinished,
      })),
    };
  }

  private countTag(groupKey: string, name: string, isFinished: boolean): void {
    const key = `${name}\n${groupKey}`;
    const at = name.lastIndexOf("\n");
    const known = this.tags.get(key);
    const tally = known ?? {
      groupKey,
      category: name.slice(0, at),
      source: name.slice(at + 1),
      nTrials: 0,
      nFinished: 0,
    };
    if (known === undefined) this.tags.set(key, tally);
    tally.nTrials++;
    if (isFinished) tally.nFinished++;
  }
}
