import type { ExpressionBuilder } from "kysely";

import type { SettingValues } from "@/lib/core/domain/agent-settings";
import type { EnvironmentFacts } from "@/lib/core/domain/environment";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { IndexTables } from "../schema/tables";
import type { GroupPlace } from "./groups";
import { shareText } from "./shared-text";

const NO_REWARDS: ReadonlyMap<string, number> = new Map();

export async function readCountedTrials(store: IndexStore, place: GroupPlace) {
  const rows = await store.db
    .selectFrom("trials")
    .select(["position", "key", "uuid", "taskName", "taskDigest", "agentVersion", "attempt", "state"])
    .select(["outcome", "hasFolder", "rewardKey", "reward", "nRewardKeys", "exceptionType"])
    .select(["costUsd", "nTokens", "durationMs", "counts", "rewardValid"])
    .where(isInGroup(place))
    .orderBy("position")
    .execute();
  const several = rows.some(({ nRewardKeys }) => nRewardKeys > 1) ? await readSeveral(store, place) : null;
  const sources = await readSourceIds(store, place);
  const single = createSingleRewards();
  return rows.map(
    ({ position, hasFolder, rewardKey, reward, nRewardKeys, counts, rewardValid, ...trial }) => ({
      ...trial,
      counts: counts === 1,
      isRewardValid: rewardValid === 1,
      taskName: shareText(trial.taskName),
      taskDigest: shareText(trial.taskDigest),
      agentVersion: shareText(trial.agentVersion),
      state: shareText(trial.state),
      outcome: shareText(trial.outcome),
      exceptionType: shareText(trial.exceptionType),
      hasFolder: hasFolder === 1,
      /** Id of the trial it regrades, null if no file states it; undefined for a trial that was run. */
      sourceUuid: sources.get(position),
      rewards:
        nRewardKeys > 1
          ? (several?.get(position) ?? NO_REWARDS)
          : rewardKey === null
            ? NO_REWARDS
            : single(rewardKey, reward ?? Number.NaN),
    }),
  );
}

/** Shares one map among equal rewards: a map takes 200 bytes, and most rewards are 0 or 1. */
function createSingleRewards(): (key: string, value: number) => ReadonlyMap<string, number> {
  const made = new Map<string, ReadonlyMap<string, number>>();
  return (key, value) => {
    // Both zeros print alike.
    const name = `${Object.is(value, -0) ? "-" : ""}${value} ${key}`;
    const rewards = made.get(name) ?? new Map([[key, value]]);
    made.set(name, rewards);
    return rewards;
  };
}

function isInGroup({ jobRowId, key }: GroupPlace) {
  return (where: ExpressionBuilder<IndexTables, "trials">) =>
    where.and([
      where("trials.jobRowId", "=", jobRowId),
      where.or([
        where("trials.groupKey", "=", toColumnText(key)),
        where("trials.setupKey", "=", toColumnText(key)),
      ]),
    ]);
}

/** Selects by group, so that a job of a hundred groups does not read the rows of the other groups. */
function selectPositions(db: IndexStore["db"], place: GroupPlace) {
  return db.selectFrom("trials").select("trials.position").where(isInGroup(place));
}

async function readSeveral({ db }: IndexStore, place: GroupPlace) {
  const rows = await db
    .selectFrom("trialRewards")
    .select(["position", "key", "value"])
    .where("jobRowId", "=", place.jobRowId)
    .where("position", "in", selectPositions(db, place))
    .execute();
  const byTrial = Map.groupBy(rows, ({ position }) => position);
  return new Map(
    Array.from(byTrial, ([position, own]) => [
      position,
      new Map(own.map(({ key, value }) => [key, value ?? Number.NaN])),
    ]),
  );
}

async function readSourceIds({ db }: IndexStore, place: GroupPlace) {
  const rows = await db
    .selectFrom("trialSources")
    .select(["position", "uuid"])
    .where("jobRowId", "=", place.jobRowId)
    .where("position", "in", selectPositions(db, place))
    .execute();
  return new Map(rows.map(({ position, uuid }) => [position, uuid]));
}

export async function readGroupSettings(
  { db }: IndexStore,
  { jobRowId, key }: GroupPlace,
): Promise<{ readonly settings: SettingValues | null; readonly environment: EnvironmentFacts }> {
  const row = await db
    .selectFrom("groupSettings")
    .select(["settings", "environment"])
    .where("jobRowId", "=", jobRowId)
    .where("key", "=", toColumnText(key))
    .executeTakeFirst();
  const settings = row === undefined ? null : decodeValue(row.settings);
  return {
    settings: settings && new Map(Array.from(settings, ([name, values]) => [name, new Set(values)])),
    environment: row === undefined ? new Map() : decodeValue(row.environment),
  };
}
