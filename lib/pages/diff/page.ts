import "server-only";
import { placeInList, rangeOfPage } from "@/lib/core/domain/list-page";
import { readCost } from "@/lib/core/domain/spending";
import { sumTokens } from "@/lib/core/domain/trial";
import { computeDifference } from "@/lib/core/domain/value-difference";
import { readReward } from "@/lib/core/verification";
import type { TrialRef } from "@/lib/pages/diff/address";
import type { OpenTrial } from "@/lib/pages/trial/address";
import {
  type DiffReading,
  type DiffRequest,
  prepareUnread,
  readApart,
  unlessReadingFails,
} from "@/lib/read/trial-reading";
import { readOtherAttempts } from "@/lib/store/tables";

import { getIdentityOf, getStore, getStoreOfJob } from "../shell/catalog";
import { type LocatedTrial, locateTrial, requireTrial } from "../trial/locate";

export type DiffPage = Awaited<ReturnType<typeof getDiffPage>>;
export type DiffTrial = Awaited<ReturnType<typeof describeDiffTrial>>;

const RESULTS = ["reward", "steps", "duration", "tokens", "cost", "errors"] as const;

export type ResultName = (typeof RESULTS)[number];
export type ResultRow = DiffPage["results"][number];

/** `difference` is A minus B; null if a score is unknown, or the maxima differ. */
export type DimensionRow = DiffReading["dimensions"]["rows"][number] & {
  readonly difference: number | null;
};

/** Null for a trial that the address does not name, or that is in no open folder. */
export async function locateBoth(a: TrialRef | null, b: TrialRef | null) {
  const locate = async (ref: TrialRef | null) =>
    ref === null ? null : locateTrial(await getStoreOfJob(ref.jobKey), ref.jobKey, ref.trialKey);
  const [one, other] = await Promise.all([locate(a), locate(b)]);
  return { a: one, b: other };
}

const PICKER_ROWS = 50;

export type PickedAttempt = Awaited<ReturnType<typeof getPicker>>["rows"][number];

export async function getPicker({ job, row, trial }: LocatedTrial, page: number) {
  const range = rangeOfPage(page, PICKER_ROWS);
  const { taskName, taskDigest, agent, model, outcome } = trial;
  const sought = { jobRowId: job.rowId, position: row.position, taskName, taskDigest, agent, model, outcome };
  const [{ rows, nMatching }, identityOf] = await Promise.all([
    readOtherAttempts(await getStore(), sought, range),
    getIdentityOf(),
  ]);
  return {
    rows: rows.map((one) => ({ ...one, identity: identityOf(one.agent, one.model) })),
    ...placeInList(range, nMatching),
  };
}

export async function describeDiffTrial({ job, trial }: LocatedTrial) {
  const identityOf = await getIdentityOf();
  const at: OpenTrial = { jobKey: job.key, trialKey: trial.key, list: null, queue: null };
  return {
    at,
    job,
    trial,
    identity: identityOf(trial.agent, trial.model),
    /** Null without a reward, and if none of several is called `reward`. */
    headline: readReward(trial.rewards),
  };
}

export async function getDiffPage(locatedA: LocatedTrial, locatedB: LocatedTrial, request: DiffRequest) {
  const readings = readApart("diff", locatedA.place.path ?? "", locatedA.place, locatedB.place, request);
  const [a, b, { reading, failure }] = await Promise.all([
    describeDiffTrial(locatedA),
    describeDiffTrial(locatedB),
    unlessReadingFails<{ reading: DiffReading; failure: string | null }>(
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
      /** A minus B; null if a value is unknown, or the rewards have different keys. */
      difference:
        name === "reward" && a.headline?.key !== b.headline?.key
          ? null
          : computeDifference(valuesA[name], valuesB[name]),
    })),
    dimensionRows: listDimensionRows(reading),
    reading,
    /** Why the files could not be read as a whole; `reading` is then empty. */
    failure,
  };
}

function listValues(
  { row, trial }: LocatedTrial,
  { headline }: DiffTrial,
  { nSteps }: DiffReading["sources"]["a"],
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

function listDimensionRows({ dimensions }: DiffReading): readonly DimensionRow[] {
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

/** @throws NotFoundError, ReadingError */
export async function getDiffFiles({ a, b }: DiffPage, file: string | null) {
  const { place } = await requireTrial(a.at.jobKey, a.at.trialKey);
  const other = await requireTrial(b.at.jobKey, b.at.trialKey);
  return readApart("diff-files", place.path ?? "", place, other.place, file);
}
