import { sql } from "kysely";

import type { UncomparedReason } from "@/lib/domain/verifier-check";

import { isAmong } from "./among";
import type { IndexStore } from "../open-store";

/** How a job's trials compare with all trials of the same task that put out the same. */
export interface DeterminismCounts {
  /** Trials of the job with a task digest, an output and a reward. */
  readonly nChecked: number;
  /** Of these, those whose output another trial of any job has too, and those of them whose rewards differ. */
  readonly nShared: number;
  readonly nDisagreeing: number;
  /** Outputs that disagreeing trials of the job share. */
  readonly nGroups: number;
  /** Trials of the job that are not compared, by reason; those that left nothing at all are not among them. */
  readonly uncompared: ReadonlyMap<UncomparedReason, number>;
  /** Trials of the job about which anything is known. */
  readonly nKnown: number;
}

/** Compares the trials of a job with all of the index. Linear in the trials that share an output with one of the job. */
export async function readDeterminism(store: IndexStore, jobId: number): Promise<DeterminismCounts> {
  const { db } = store;
  const reasons = await db
    .selectFrom("trial_checks")
    .select(({ fn }) => ["uncompared", fn.countAll<number>().as("n")])
    .where("job_id", "=", jobId)
    .groupBy("uncompared")
    .execute();
  const shared = selectShared(store, jobId).as("shared");
  const sums = await db
    .selectFrom(shared)
    .select([
      sql<number | null>`sum(n_own)`.as("n_shared"),
      sql<number | null>`sum(case when low <> high then n_own else 0 end)`.as("n_disagreeing"),
      sql<number | null>`sum(case when low <> high then 1 else 0 end)`.as("n_groups"),
    ])
    .executeTakeFirst();
  const nKnown = reasons.reduce((sum, { n }) => sum + n, 0);
  return {
    nChecked: reasons.find(({ uncompared }) => uncompared === null)?.n ?? 0,
    nShared: sums?.n_shared ?? 0,
    nDisagreeing: sums?.n_disagreeing ?? 0,
    nGroups: sums?.n_groups ?? 0,
    uncompared: new Map(
      reasons.flatMap(
        ({ uncompared, n }) => (uncompared === null ? [] : [[uncompared as UncomparedReason, n]]), // The indexer writes members of the closed list.
      ),
    ),
    nKnown,
  };
}

/** Outputs that several trials share, at least one of them of the job. */
function selectShared({ db }: IndexStore, jobId: number) {
  return db
    .selectFrom("trial_checks")
    .select(({ fn }) => [
      "compare_key",
      fn.min("rewards_key").as("low"),
      fn.max("rewards_key").as("high"),
      fn.countAll<number>().as("n"),
      sql<number>`sum(case when job_id = ${jobId} then 1 else 0 end)`.as("n_own"),
    ])
    .where("compare_key", "in", (keys) =>
      keys
        .selectFrom("trial_checks as own")
        .select("own.compare_key")
        .where("own.job_id", "=", jobId)
        .where("own.compare_key", "is not", null),
    )
    .groupBy("compare_key")
    .having(({ fn }) => fn.countAll(), ">", 1);
}

/** One trial of several that put out the same. */
export interface SameOutputTrial {
  readonly jobKey: string;
  readonly jobName: string;
  readonly key: string;
  readonly taskName: string;
  readonly attempt: number;
  readonly agent: string;
  readonly model: string | null;
  /** Reward keys with their values as Python writes them, in order of the keys. */
  readonly rewards: readonly (readonly [key: string, text: string])[];
  /** The output, relative to the trial's folder. */
  readonly outputPath: string;
}

/** Trials of the same task and output whose rewards differ. */
export interface Disagreement {
  /** SHA-256 of the output in hex. */
  readonly digest: string;
  readonly nTrials: number;
  /** The first of them, those of the job in question first. */
  readonly trials: readonly SameOutputTrial[];
}

const MOST_MEMBERS = 20;

/** The outputs that disagreeing trials of a job share, those of most trials first; of one trial alone when it is given. */
export async function readDisagreements(
  store: IndexStore,
  jobId: number,
  limit: number,
  position: number | null = null,
): Promise<readonly Disagreement[]> {
  let query = selectShared(store, jobId).having(sql<boolean>`min(rewards_key) <> max(rewards_key)`);
  if (position !== null) {
    query = query.where("compare_key", "=", (key) =>
      key
        .selectFrom("trial_checks as one")
        .select("one.compare_key")
        .where("one.job_id", "=", jobId)
        .where("one.position", "=", position),
    );
  }
  const groups = await query.orderBy("n", "desc").orderBy("compare_key").limit(limit).execute();
  const found: Disagreement[] = [];
  for (const { compare_key: key, n } of groups) {
    const members = await readMembers(store, jobId, key ?? "");
    found.push({ digest: members[0]?.digest ?? "", nTrials: n, trials: members.map(({ trial }) => trial) });
  }
  return found;
}

async function readMembers(
  store: IndexStore,
  jobId: number,
  compareKey: string,
): Promise<readonly { readonly digest: string; readonly trial: SameOutputTrial }[]> {
  const rows = await store.db
    .selectFrom("trial_checks")
    .innerJoin("trials", (join) =>
      join
        .onRef("trials.job_id", "=", "trial_checks.job_id")
        .onRef("trials.position", "=", "trial_checks.position"),
    )
    .innerJoin("jobs", "jobs.id", "trial_checks.job_id")
    .select([
      "trial_checks.job_id as jobId",
      "trial_checks.position",
      "trial_checks.output_digest as digest",
      "trial_checks.output_path as outputPath",
      "jobs.key as jobKey",
      "jobs.name as jobName",
      "trials.key",
      "trials.task_name as taskName",
      "trials.attempt",
      "trials.agent",
      "trials.model",
      "trials.reward_key as rewardKey",
      "trials.reward_text as rewardText",
      "trials.n_reward_keys as nRewardKeys",
    ])
    .where("trial_checks.compare_key", "=", compareKey)
    .orderBy(sql`case when trial_checks.job_id = ${jobId} then 0 else 1 end`)
    .orderBy("jobs.key")
    .orderBy("trial_checks.position")
    .limit(MOST_MEMBERS)
    .execute();
  const several = await readAllRewards(
    store,
    rows.filter(({ nRewardKeys }) => nRewardKeys > 1),
  );
  return rows.map((row) => {
    const { jobKey, jobName, key, taskName, attempt, agent, model, rewardKey, rewardText } = row;
    const headline = rewardKey === null || rewardText === null ? [] : ([[rewardKey, rewardText]] as const);
    return {
      digest: row.digest ?? "",
      trial: {
        ...{ jobKey, jobName, key, taskName, attempt, agent, model },
        outputPath: row.outputPath ?? "",
        rewards: several.get(`${row.jobId} ${row.position}`) ?? headline,
      },
    };
  });
}

/** All rewards of those trials that have several, by job and position. */
async function readAllRewards(
  store: IndexStore,
  trials: readonly { readonly jobId: number; readonly position: number }[],
): Promise<ReadonlyMap<string, SameOutputTrial["rewards"]>> {
  const byTrial = new Map<string, (readonly [string, string])[]>();
  for (const [jobId, own] of Map.groupBy(trials, (trial) => trial.jobId)) {
    const positions = own.map(({ position }) => position);
    const rows = await store.db
      .selectFrom("trial_rewards")
      .select(["position", "key", "text"])
      .where("job_id", "=", jobId)
      .where(isAmong(store, "position", positions))
      .orderBy("key")
      .execute();
    for (const { position, key, text } of rows) {
      const name = `${jobId} ${position}`;
      byTrial.set(name, [...(byTrial.get(name) ?? []), [key, text]]);
    }
  }
  return byTrial;
}

/** Keys of a job's trials whose output got another reward elsewhere. */
export async function readDisagreeingKeys(store: IndexStore, jobId: number): Promise<ReadonlySet<string>> {
  const shared = selectShared(store, jobId).as("shared");
  const rows = await store.db
    .selectFrom(shared)
    .innerJoin("trial_checks", "trial_checks.compare_key", "shared.compare_key")
    .innerJoin("trials", (join) =>
      join
        .onRef("trials.job_id", "=", "trial_checks.job_id")
        .onRef("trials.position", "=", "trial_checks.position"),
    )
    .select("trials.key")
    .where("trial_checks.job_id", "=", jobId)
    .where(sql<boolean>`shared.low <> shared.high`)
    .execute();
  return new Set(rows.map(({ key }) => key));
}
