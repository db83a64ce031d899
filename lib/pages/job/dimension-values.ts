import "server-only";
import { isSameAsKey } from "@/lib/core/domain/dimension-names";
import { isWeightedMean } from "@/lib/core/domain/rubric";
import { listStatedWeights } from "@/lib/core/evaluation";
import { computeLossShares, type TaskValues, type WeightedPart } from "@/lib/core/stats";
import { type IndexStore, type JobHead, readSeveralRewards, type RubricTrial } from "@/lib/store/tables";

import type { ChosenGroup } from "../compare/groups";
import { createCache } from "../shell/cache";
import { readInTurns } from "./rubric-trials";

/** `reward` is the headline, `reward-key` is one of several keys, `dimension` comes from a verifier's details. */
type RowKind = "reward" | "reward-key" | "dimension";

export interface StatedValues {
  readonly kind: RowKind;
  readonly name: string;
  /** By group key: tasks that have the dimension. A value is null if the trial does not record it. */
  readonly groups: ReadonlyMap<string, readonly TaskValues[]>;
}

export interface JobValues {
  /** Null without rewards, or if any is outside 0 to 1. */
  readonly reward: StatedValues | null;
  readonly stated: readonly StatedValues[];
  /** Reward keys with values outside 0 to 1. These are counts, not shares. */
  readonly unscaled: readonly string[];
  /** Share of lost reward by dimension; null unless every trial's reward is the weighted mean of its dimensions. */
  readonly lossShares: ReadonlyMap<string, number> | null;
}

type Values = Map<string, Map<string, number[]>>;

const keepValues = createCache<JobValues>(4);

export function readJobValues(store: IndexStore, job: DimensionJob): Promise<JobValues> {
  return keepValues(`${job.rowId} ${job.version}`, () =>
    gatherValues(store, [{ job, findGroup: ({ groupKey }) => groupKey }]),
  );
}

/** Collects the values of a run set by dimension under the key `setKey`. A rollout in several of its runs counts once. */
export function readSetValues(
  store: IndexStore,
  { runs, contents }: Pick<ChosenGroup, "runs" | "contents">,
  setKey: string,
): Promise<JobValues> {
  return gatherValues(
    store,
    runs.map(({ job }, at) => {
      const counted = new Set(contents[at]?.counted.map(({ key }) => key));
      return { job, findGroup: ({ key }) => (counted.has(key) ? setKey : null) };
    }),
  );
}

type DimensionJob = Pick<JobHead, "rowId" | "version">;

/** Returns the key that a trial counts under; null for a trial that does not count. */
interface ValueSource {
  readonly job: DimensionJob;
  readonly findGroup: (trial: RubricTrial) => string | null;
}

async function gatherValues(store: IndexStore, sources: readonly ValueSource[]): Promise<JobValues> {
  const gathered = new GatheredValues();
  for (const { job, findGroup } of sources)
    for await (const trials of readInTurns(store, job.rowId, null)) {
      const [first, last] = [trials[0]?.position ?? 0, trials.at(-1)?.position ?? 0];
      const rewards = await readSeveralRewards(store, job.rowId, first, last);
      const byTrial = Map.groupBy(rewards, ({ position }) => position);
      for (const trial of trials) {
        const groupKey = findGroup(trial);
        if (groupKey !== null) gathered.add({ ...trial, groupKey }, byTrial.get(trial.position) ?? []);
      }
    }
  return gathered.close();
}

class GatheredValues {
  private readonly rewards: Values = new Map();
  private readonly keys = new Map<string, Values>();
  /** Reward keys of trials without a share in the dimension of the same name. */
  private readonly keysAlone = new Map<string, Values>();
  private readonly differing = new Set<string>();
  private readonly dimensions = new Map<string, Values>();
  private readonly tasks = new Map<string, Set<string>>();
  private readonly nFinished = new Map<string, Map<string, number>>();
  private readonly unscaled = new Set<string>();
  private isRewardScaled = true;
  private losses: (readonly WeightedPart[])[] | null = [];
  /** Equal shares have the same mean under any weights, so they reveal no rule. */
  private isRuleSeen = false;

  add(trial: RubricTrial, rewards: readonly { readonly key: string; readonly value: number | null }[]): void {
    const counts = open(this.nFinished, trial.groupKey, () => new Map<string, number>());
    counts.set(trial.taskName, (counts.get(trial.taskName) ?? 0) + 1);
    if (trial.reward !== null) {
      this.isRewardScaled &&= isShare(trial.reward);
      put(this.rewards, trial, trial.reward);
    }
    const shares = new Map(trial.dimensions.map(({ name, share }) => [name, share]));
    for (const { key, value } of rewards) {
      if (key === "reward") continue;
      this.note(`key ${key}`, trial.taskName);
      if (value === null) continue;
      if (!isShare(value)) this.unscaled.add(key);
      put(open(this.keys, key, createValues), trial, value);
      const share = shares.get(key) ?? null;
      if (share === null) put(open(this.keysAlone, key, createValues), trial, value);
      else if (!isSameAsKey(share, value)) this.differing.add(key);
    }
    for (const { name, share } of trial.dimensions) {
      this.note(`dimension ${name}`, trial.taskName);
      const values = open(this.dimensions, name, createValues);
      if (share !== null) put(values, trial, share);
    }
    this.addLoss(trial);
  }

  close(): JobValues {
    const scaled = [...this.keys].filter(([key]) => !this.unscaled.has(key));
    const isJoined = (key: string) => this.dimensions.has(key) && !this.differing.has(key);
    const keys = scaled.filter(([key]) => !isJoined(key));
    for (const [key] of scaled) if (isJoined(key)) this.joinKey(key);
    const hasReward = this.rewards.size > 0 && this.isRewardScaled;
    return {
      reward: hasReward
        ? { kind: "reward", name: "reward", groups: this.listTasks(this.rewards, null) }
        : null,
      stated: [
        ...keys.map(([name, values]) => this.describe("reward-key", `key ${name}`, name, values)),
        ...Array.from(this.dimensions, ([name, values]) =>
          this.describe("dimension", `dimension ${name}`, name, values),
        ),
      ],
      unscaled: [...this.unscaled],
      lossShares: this.losses === null || !this.isRuleSeen ? null : computeLossShares(this.losses),
    };
  }

  /** Joins a dimension with the reward key of its name. A trial's share takes precedence over its reward. */
  private joinKey(key: string): void {
    const joined = open(this.dimensions, key, createValues);
    for (const [groupKey, tasks] of this.keysAlone.get(key) ?? [])
      for (const [taskName, values] of tasks)
        for (const value of values) put(joined, { groupKey, taskName }, value);
    for (const task of this.tasks.get(`key ${key}`) ?? []) this.note(`dimension ${key}`, task);
  }

  private describe(kind: RowKind, id: string, name: string, values: Values): StatedValues {
    return { kind, name, groups: this.listTasks(values, this.tasks.get(id) ?? new Set()) };
  }

  private listTasks(values: Values, tasks: ReadonlySet<string> | null): StatedValues["groups"] {
    return new Map(
      Array.from(this.nFinished, ([groupKey, counts]) => {
        const own = [...counts].filter(([task]) => tasks?.has(task) ?? true);
        return [
          groupKey,
          own.map(([task, nTrials]): TaskValues => {
            const known = values.get(groupKey)?.get(task) ?? [];
            return { task, values: [...known, ...new Array<null>(nTrials - known.length).fill(null)] };
          }),
        ] as const;
      }),
    );
  }

  private note(id: string, task: string): void {
    open(this.tasks, id, () => new Set<string>()).add(task);
  }

  private addLoss({ fit, dimensions }: RubricTrial): void {
    if (this.losses === null || dimensions.length === 0) return;
    if (!isWeightedMean(fit)) {
      this.losses = null;
      return;
    }
    this.isRuleSeen ||= new Set(dimensions.map(({ share }) => share)).size > 1;
    const weights = listStatedWeights(dimensions);
    this.losses.push(
      dimensions.map(({ name, share }) => ({
        name,
        share: share ?? Number.NaN,
        weight: weights.get(name) ?? 0,
      })),
    );
  }
}

function put(
  values: Values,
  { groupKey, taskName }: Pick<RubricTrial, "groupKey" | "taskName">,
  value: number,
): void {
  open(
    open(values, groupKey, () => new Map<string, number[]>()),
    taskName,
    () => [],
  ).push(value);
}

function createValues(): Values {
  return new Map();
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1;
}

function open<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
