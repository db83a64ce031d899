import "server-only";
import type { ListPage } from "@/lib/core/domain/list-page";
import { readCost } from "@/lib/core/domain/spending";
import { sumTokens, type TrialRecord } from "@/lib/core/domain/trial";
import { computeDifference } from "@/lib/core/domain/value-difference";
import { readReward, type RewardText } from "@/lib/core/verification";
import type { TrialRef } from "@/lib/pages/beside/address";
import type { OpenTrial } from "@/lib/pages/trial/address";
import {
  type BesideReading,
  type BesideRequest,
  prepareUnread,
  readApart,
  unlessReadingFails,
} from "@/lib/read/trial-reading";
import type { JobHead } from "@/lib/store/tables";

import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import { type LocatedTrial, locateTrial } from "../trial/locate";
import { type PickedAttempt, readPicker } from "./attempts";

export interface BesideTrial {
  readonly at: OpenTrial;
  readonly job: JobHead;
  readonly trial: TrialRecord;
  readonly identity: number;
  /** Null without a reward, and if none of several is called `reward`. */
  readonly headline: RewardText | null;
}

export type ResultName = "reward" | "steps" | "duration" | "tokens" | "cost" | "errors";

/** `difference` is A minus B; null if a value is unknown, or the rewards have different keys. */
export interface ResultRow {
  readonly name: ResultName;
  readonly a: number | null;
  readonly b: number | null;
  readonly difference: number | null;
}

/** `difference` is A minus B; null if a score is unknown, or the maxima differ. */
export type DimensionRow = BesideReading["dimensions"]["rows"][number] & {
  readonly difference: number | null;
};

export interface BesidePage {
  readonly a: BesideTrial;
  readonly b: BesideTrial;
  readonly results: readonly ResultRow[];
  readonly dimensionRows: readonly DimensionRow[];
  readonly reading: BesideReading;
  /** Why the files could not be read as a whole; `reading` is then empty. */
  readonly failure: string | null;
}

export interface BesideChoice {
  readonly a: LocatedTrial | null;
  readonly b: LocatedTrial | null;
}

/** Null for a trial that the address does not name, or that is in no open folder. */
export async function locateBoth(a: TrialRef | null, b: TrialRef | null): Promise<BesideChoice> {
  const locate = async (ref: TrialRef | null) =>
    ref === null ? null : locateTrial(await getStoreOfJob(ref.jobKey), ref.jobKey, ref.trialKey);
  const [one, other] = await Promise.all([locate(a), locate(b)]);
  return { a: one, b: other };
}

export async function getPicker(trial: LocatedTrial, page: number): Promise<ListPage<PickedAttempt>> {
  return readPicker(await getStore(), trial, page);
}

export async function describeBesideTrial({ job, trial }: LocatedTrial): Promise<BesideTrial> {
  const identityOf = await getIdentityOf();
  return {
    at: { jobKey: job.key, trialKey: trial.key, list: null, queue: null },
    job,
    trial,
    identity: identityOf(trial.agent, trial.model),
    headline: readReward(trial.rewards),
  };
}

export async function getBesidePage(
  locatedA: LocatedTrial,
  locatedB: LocatedTrial,
  request: BesideRequest,
): Promise<BesidePage> {
  const readings = readApart("beside", locatedA.place.path ?? "", locatedA.place, locatedB.place, request);
  const [a, b, { reading, failure }] = await Promise.all([
    describeBesideTrial(locatedA),
    describeBesideTrial(locatedB),
    unlessReadingFails<Pick<BesidePage, "reading" | "failure">>(
      readings.then((read) => ({ reading: read, failure: null })),
      (error) => ({ reading: prepareUnread(request), failure: error.message }),
    ),
  ]);
  const valuesA = listValues(locatedA, a, reading.sources.a, reading.steps.map.nErrors.a);
  const valuesB = listValues(locatedB, b, reading.sources.b, reading.steps.map.nErrors.b);
  return {
    a,
    b,
    results: RESULTS.map((name) => ({
      name,
      a: valuesA[name],
      b: valuesB[name],
      difference:
        name === "reward" && a.headline?.key !== b.headline?.key
          ? null
          : computeDifference(valuesA[name], valuesB[name]),
    })),
    dimensionRows: listDimensionRows(reading),
    reading,
    failure,
  };
}

const RESULTS = [
  "reward",
  "steps",
  "duration",
  "tokens",
  "cost",
  "errors",
] as const satisfies readonly ResultName[];

function listValues(
  { row, trial }: LocatedTrial,
  { headline }: BesideTrial,
  { nSteps }: BesideReading["sources"]["a"],
  nErrors: number,
): Readonly<Record<ResultName, number | null>> {
  return {
    reward: headline === null ? null : Number(headline.value),
    steps: nSteps,
    duration: row.durationMs,
    tokens: sumTokens(trial.tokens),
    cost: readCost(trial),
    errors: nSteps === null ? null : nErrors,
  };
}

function listDimensionRows({ dimensions }: BesideReading): readonly DimensionRow[] {
  const rows = dimensions.rows.map((row) => {
    const isOneScale = row.a?.maxScore === row.b?.maxScore;
    return {
      ...row,
      difference: isOneScale ? computeDifference(row.a?.score ?? null, row.b?.score ?? null) : null,
    };
  });
  const differing = rows.filter(({ relation }) => relation === "differs");
  const size = ({ difference }: DimensionRow) => Math.abs(difference ?? 0);
  return [
    ...differing.toSorted((one, other) => size(other) - size(one)),
    ...rows.filter(({ relation }) => relation !== "differs"),
  ];
}
