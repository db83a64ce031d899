import { toColumnText } from "@/lib/database";
import type { RubricFit } from "@/lib/domain/rubric";

import type { IndexStore } from "../open-store";

/** A finished trial of a family with what its verifier says of each dimension. */
export interface RubricTrial {
  /** From 0, in directory order. */
  readonly position: number;
  readonly key: string;
  readonly taskName: string;
  readonly groupKey: string;
  readonly attempt: number;
  /** Headline reward; null when there is none, and for NaN. */
  readonly reward: number | null;
  /** The headline reward as Python writes it. */
  readonly rewardText: string | null;
  /** Null without dimensions. */
  readonly fit: RubricFit | null;
  /** In the order in which the trial names them. */
  readonly dimensions: readonly {
    readonly name: string;
    readonly share: number | null;
    readonly weight: number | null;
  }[];
}

/** Some finished trials of a family from a position on, in directory order. */
export async function readRubricTrials(
  { db }: IndexStore,
  jobId: number,
  family: string,
  from: number,
  limit: number,
): Promise<readonly RubricTrial[]> {
  const trials = await db
    .selectFrom("trials")
    .leftJoin("trial_checks", (join) =>
      join
        .onRef("trial_checks.job_id", "=", "trials.job_id")
        .onRef("trial_checks.position", "=", "trials.position"),
    )
    .select([
      "trials.position",
      "trials.key",
      "trials.task_name",
      "trials.group_key",
      "trials.attempt",
      "trials.reward",
      "trials.reward_text",
      "trial_checks.rubric_fit",
    ])
    .where("trials.job_id", "=", jobId)
    .where("trials.position", ">=", from)
    .where("trials.family", "=", toColumnText(family))
    .where("trials.state", "=", "finished")
    .orderBy("trials.position")
    .limit(limit)
    .execute();
  const [first, last] = [trials[0], trials.at(-1)];
  if (first === undefined || last === undefined) return [];
  const rows = await db
    .selectFrom("trial_dimensions")
    .select(["position", "name", "share", "weight"])
    .where("job_id", "=", jobId)
    .where("position", ">=", first.position)
    .where("position", "<=", last.position)
    .orderBy("position")
    .orderBy("ordinal")
    .execute();
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return trials.map((row) => ({
    position: row.position,
    key: row.key,
    taskName: row.task_name,
    groupKey: row.group_key,
    attempt: row.attempt,
    reward: row.reward,
    rewardText: row.reward_text,
    fit: row.rubric_fit as RubricFit | null, // The indexer writes members of the closed list.
    dimensions: byPosition.get(row.position) ?? [],
  }));
}
