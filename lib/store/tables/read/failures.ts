import type { FailureClass } from "@/lib/core/triage/classes";
import type { Signal } from "@/lib/core/triage/signals";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { namePlace } from "./candidates";
import { atSamePlace, isAt, type RowPlace } from "./query";

interface TrialClassRow {
  readonly failureClass: FailureClass;
  readonly rule: string | null;
  readonly version: string;
  readonly why: string | null;
  readonly evidence: readonly Signal[];
}

/** Null if the trial passed, still runs or is not classified yet. */
export async function readTrialFailure({ db }: IndexStore, jobRowId: number, position: number) {
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

/** The exception of a trial that did not fail for it; null for any other trial, and while its job is not classified. */
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
