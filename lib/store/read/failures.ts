import type { FailureClass } from "@/lib/triage/classes";
import type { Signal } from "@/lib/triage/signals";

import { namePlace } from "./candidates";
import { atSamePlace, isAt, type RowPlace } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";

/** What the rules say of a trial. */
export interface TrialClassRow {
  readonly failureClass: FailureClass;
  /** Id of the rule; null where none fitted. */
  readonly rule: string | null;
  /** Of the rules. */
  readonly version: string;
  /** The sentence of the rule; null where none fitted. */
  readonly why: string | null;
  readonly evidence: readonly Signal[];
}

/** Why one trial did not pass. */
export interface TrialFailureRow extends TrialClassRow {
  readonly clusterKey: string;
  readonly clusterText: string;
}

/** Why a trial did not pass; null for one that passed or still runs, and while its job is not classified. */
export async function readTrialFailure(
  { db }: IndexStore,
  jobRowId: number,
  position: number,
): Promise<TrialFailureRow | null> {
  const row = await db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .select(["trialFailures.failureClass", "trialFailures.rule", "trialFailures.clusterKey"])
    .select(["trialFailures.version", "failureEvidence.why", "failureEvidence.evidence"])
    .select("failureEvidence.clusterText")
    .where("trialFailures.jobRowId", "=", jobRowId)
    .where("trialFailures.position", "=", position)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...row, rule: row.rule === "" ? null : row.rule, evidence: decodeValue(row.evidence) };
}

/** Classes of some trials by {@link namePlace}; those that passed, run or are not classified are not among them. */
export async function readFailuresAt(
  store: IndexStore,
  places: readonly RowPlace[],
): Promise<ReadonlyMap<string, Pick<TrialClassRow, "failureClass" | "rule" | "evidence">>> {
  if (places.length === 0) return new Map();
  const rows = await store.db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .select(["trialFailures.jobRowId", "trialFailures.position", "trialFailures.failureClass"])
    .select(["trialFailures.rule", "failureEvidence.evidence"])
    .where(isAt(store, "trialFailures", places))
    .execute();
  return new Map(
    rows.map(({ rule, evidence, failureClass, ...place }) => [
      namePlace(place),
      { failureClass, rule: rule === "" ? null : rule, evidence: decodeValue(evidence) },
    ]),
  );
}

/** What a trial with an exception did not fail for; null for any other, and while its job is not classified. */
export async function readPassedFailure(
  { db }: IndexStore,
  jobRowId: number,
  position: number,
): Promise<TrialClassRow | null> {
  const row = await db
    .selectFrom("passedFailures")
    .select(["failureClass", "rule", "version", "why", "evidence"])
    .where("jobRowId", "=", jobRowId)
    .where("position", "=", position)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...row, rule: row.rule === "" ? null : row.rule, evidence: decodeValue(row.evidence) };
}
