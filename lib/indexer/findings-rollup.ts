import { toColumnText } from "@/lib/database";
import type { TrialFindings } from "@/lib/domain/breakdown";
import { computeMeanInterval } from "@/lib/stats";
import { type DimensionCell, encodeValue, type FindingCounts, type PlacedTrial } from "@/lib/store";

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
  /** Shares by dimension, group and task, in order of appearance. Finished trials only. */
  private readonly shares = new Map<string, Map<string, Map<string, number[]>>>();
  /** Finished trials by group and task. */
  private readonly finished = new Map<string, Map<string, number>>();
  private readonly tags = new Map<string, TagTally>();

  add({ groupKey, trial }: Trial, { dimensions, errorTags }: TrialFindings): void {
    const isFinished = trial.state === "finished";
    for (const name of dimensions.keys()) openMap(this.shares, name);
    if (isFinished) {
      const tasks = openMap(this.finished, groupKey);
      tasks.set(trial.taskName, (tasks.get(trial.taskName) ?? 0) + 1);
      for (const [name, { share }] of dimensions) {
        if (share === null) continue;
        const byTask = openMap(openMap(this.shares, name), groupKey);
        const values = byTask.get(trial.taskName);
        if (values === undefined) byTask.set(trial.taskName, [share]);
        else values.push(share);
      }
    }
    if (errorTags.length === 0) return;
    // Trials count once, however often they name the same.
    const names = new Set(["\nany"]);
    for (const { category, source } of errorTags) {
      const text = toColumnText(category);
      names.add(`${text}\n${source}`).add(`${text}\nany`);
    }
    for (const name of names) this.countTag(groupKey, name, isFinished);
  }

  /** What all trials that were added come to. */
  close(): Pick<FindingCounts, "dimensions" | "tags"> {
    return {
      dimensions: [...this.shares].map(([name, groups], position) => ({
        position,
        name,
        cells: encodeValue(this.computeCells(groups)),
      })),
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

  private computeCells(groups: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>) {
    const cells = new Map<string, DimensionCell>();
    for (const [groupKey, byTask] of groups) {
      const tasks = [...(this.finished.get(groupKey) ?? [])].map(([task, nTrials]) => {
        const shares = byTask.get(task) ?? [];
        const nMissing = nTrials - shares.length;
        return { task, values: [...shares, ...new Array<null>(nMissing).fill(null)] };
      });
      const interval = computeMeanInterval(tasks, { missing: "exclude" });
      if (interval.kind !== "computed") continue;
      const { mean, bounds, n, nMissing } = interval;
      cells.set(groupKey, { mean, bounds: bounds.kind === "computed" ? bounds : null, n, nMissing });
    }
    return cells;
  }
}

function openMap<K, A, B>(maps: Map<K, Map<A, B>>, key: K): Map<A, B> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<A, B>();
  maps.set(key, made);
  return made;
}
