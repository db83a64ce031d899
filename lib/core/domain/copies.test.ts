import { expect, it } from "vitest";

import {
  type CopyJob,
  type CopyTrial,
  findCopies,
  listUncountedJobs,
  listUncountedTrials,
  WHOLE_JOB,
} from "./copies";

/** Jobs by name, each with its job id and the identities of its trials. */
type Folders = Readonly<Record<string, readonly [uuid: string | null, trials: readonly string[]]>>;

function makeRows(folders: Folders) {
  const all = Object.values(folders);
  const jobs = all.map(([uuid, trials], id): CopyJob => ({
    ...{ id, uuid, nTrials: trials.length, nFinished: trials.length, endedMs: null, trialNames: trials },
  }));
  const trials = all.flatMap(([, own], jobId) =>
    own.map((identity, position): CopyTrial => ({
      jobId,
      position,
      // A leading "=" marks a trial with nothing but equal content.
      uuid: identity.startsWith("=") ? null : identity,
      identity,
      runUuid: null,
    })),
  );
  const repeated = trials.filter(
    ({ identity }) => trials.filter((other) => other.identity === identity).length > 1,
  );
  return findCopies(jobs, repeated);
}

/** Names of the jobs that do not count, and the trials that do not count in others. */
function describe(folders: Folders) {
  const names = Object.keys(folders);
  const rows = makeRows(folders);
  return {
    jobs: [...listUncountedJobs(rows)].map((id) => names[id]).toSorted(),
    trials: listUncountedTrials(rows).map(
      ({ jobId, position }) =>
        `${String(names[jobId])} ${String(Object.values(folders)[jobId]?.[1][position])}`,
    ),
  };
}

it("a job is a copy of one that has its id and all of its trials", () => {
  expect(describe({ run: ["u", ["a", "b"]], old: ["u", ["a"]] })).toEqual({ jobs: ["old"], trials: [] });
});

it("parts of one job that share a trial both count, and the trial once", () => {
  expect(describe({ first: ["u", ["a", "b", "c"]], second: ["u", ["c", "d"]] })).toEqual({
    jobs: [],
    trials: ["second c"],
  });
});

it("a folder without a job id never makes one job of two", () => {
  const loose: Folders = {
    one: ["u", ["a", "b"]],
    other: ["v", ["d", "e", "a"]],
    loose: [null, ["a"]],
  };
  expect(describe(loose)).toEqual({ jobs: ["loose"], trials: ["one a"] });
  const pile: Folders = { pile: [null, ["a", "b"]], one: ["u", ["a"]], other: ["v", ["b"]] };
  expect(describe(pile)).toEqual({ jobs: [], trials: ["one a", "other b"] });
});

it("jobs with the same trials are one under any id, and parts of them are not", () => {
  expect(describe({ run: ["u", ["a", "b"]], again: ["v", ["a", "b"]], part: ["w", ["b"]] })).toEqual({
    jobs: ["again"],
    trials: ["part b"],
  });
});

it("equal trials without ids are no copies where both jobs have ids and these differ", () => {
  const trials = ["=a", "=b"];
  expect(describe({ run: ["u", trials], next: ["v", trials] })).toEqual({ jobs: [], trials: [] });
  expect(describe({ run: ["u", trials], next: ["v", ["=a", "=c"]] }).trials).toEqual([]);
  // A job with the same id, or without one, is a copy.
  expect(describe({ run: ["u", trials], next: ["v", trials], again: ["v", trials] }).jobs).toEqual(["again"]);
  expect(describe({ run: ["u", trials], next: ["v", trials], loose: [null, trials] }).jobs).toEqual([
    "loose",
  ]);
  expect(describe({ one: [null, trials], other: [null, trials] }).jobs).toEqual(["other"]);
});

it("hiding the whole job joins none of its parts", () => {
  const folders: Folders = { run: ["u", ["a", "b"]], one: ["u", ["a"]], other: ["u", ["b"]] };
  const rows = makeRows(folders).filter(({ position }) => position === WHOLE_JOB);
  for (const own of Map.groupBy(rows, ({ family }) => family).values())
    expect(own.map(({ jobId }) => jobId)).toContain(0);
});

it("finds the copies of a job that is open a thousand times", () => {
  const folders = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [`run ${String(at)}`, ["u", ["a"]] as const]),
  );
  expect(describe(folders).jobs).toHaveLength(999);
});
