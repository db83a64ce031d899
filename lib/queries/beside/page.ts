import "server-only";

import type { TrialRef } from "@/lib/addresses/beside";
import type { OpenTrial } from "@/lib/addresses/trial";
import type { ListPage } from "@/lib/domain/list-page";
import { readCost } from "@/lib/domain/spending";
import { sumTokens, type TrialRecord } from "@/lib/domain/trial";
import { computeDifference } from "@/lib/domain/value-difference";
import type { JobHead } from "@/lib/store";
import {
  type BesideReading,
  type BesideRequest,
  prepareUnread,
  readApart,
  unlessReadingFails,
} from "@/lib/trial-reading";
import { readReward, type RewardText } from "@/lib/verification";

import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import { type LocatedTrial, locateTrial } from "../trial/locate";
import { type PickedAttempt, readPicker } from "./attempts";

export interface BesideTrial {
  readonly at: OpenTrial;
  readonly job: JobHead;
  readonly trial: TrialRecord;
  readonly identity: number;
  /** Null when there is no reward, and of several when none is called `reward`. */
  readonly headline: RewardText | null;
}

/** What is compared of two results, in the order of its rows. */
export type ResultName = "reward" | "steps" | "duration" | "tokens" | "cost" | "errors";

/** A value of both trials and A less B; null where one is unknown, and of rewards of different keys. */
export interface ResultRow {
  readonly name: ResultName;
  readonly a: number | null;
  readonly b: number | null;
  readonly difference: number | null;
}

/** A dimension with the difference of its scores, A less B; null where one is unknown or they have different maxima. */
export type DimensionRow = BesideReading["dimensions"]["rows"][number] & {
  readonly difference: number | null;
};

/** Two trials side by side, outside the tab of their files. */
export interface BesidePage {
  readonly a: BesideTrial;
  readonly b: BesideTrial;
  readonly results: readonly ResultRow[];
  /** Differing ones first, the largest difference before others. */
  readonly dimensionRows: readonly DimensionRow[];
  readonly reading: BesideReading;
  /** Why the files could not be read as a whole, so that `reading` says nothing; null when they could. */
  readonly failure: string | null;
}

/** Which of the two trials of an address are there. */
export interface BesideChoice {
  readonly a: LocatedTrial | null;
  readonly b: LocatedTrial | null;
}

/** The trials that an address names; null for one that it does not name or that no open folder holds. */
export async function locateBoth(a: TrialRef | null, b: TrialRef | null): Promise<BesideChoice> {
  const locate = async (ref: TrialRef | null) =>
    ref === null ? null : locateTrial(await getStoreOfJob(ref.jobKey), ref.jobKey, ref.trialKey);
  const [one, other] = await Promise.all([locate(a), locate(b)]);
  return { a: one, b: other };
}

export async function getPicker(trial: LocatedTrial, page: number): Promise<ListPage<PickedAttempt>> {
  return readPicker(await getStore(), trial, page);
}

/** One of two trials with what its heading shows. */
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

/** Everything that the page of two trials shows outside the tab of their files. */
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
