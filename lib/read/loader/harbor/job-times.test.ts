import { describe, expect, it } from "vitest";

import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { readCatalog } from "@/lib/read/catalog";
import {
  jobFiles,
  jobResult,
  makeFolder,
  readOnlyJob,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";

const A = "alpha__aaaaaaa";

/** A run on a clock `hours` east of UTC: the job from 17:00 to 17:10 UTC, as Harbor writes it. */
function makeRun(hours: number, over: Readonly<Record<string, unknown>> = {}) {
  const wall = (time: string) =>
    new Date(Date.parse(`2026-05-01T${time}Z`) + hours * 3_600_000).toISOString().slice(0, -1);
  const times = { started_at: wall("16:59:58"), updated_at: wall("17:10:00"), finished_at: wall("17:10:00") };
  return makeFolder(jobFiles("run", { [A]: 1 }, { ...times, ...over }));
}

describe("times of a job in naive local time", () => {
  it.each([-7, 0, 5.5, 10.5])("are placed on the clock of its trials, %s hours from UTC", (hours) => {
    const { job, trials } = readOnlyJob(makeRun(hours));
    expect(job.time.startedAt).toMatchObject({ epochMs: Date.parse("2026-05-01T16:59:58Z"), zoned: true });
    expect(job.time.finishedAt).toMatchObject({ epochMs: Date.parse("2026-05-01T17:10:00Z"), zoned: true });
    expect(job.updatedAt).toMatchObject({ epochMs: Date.parse("2026-05-01T17:10:00Z"), zoned: true });
    expect(
      computeDurationMs({ startedAt: job.time.startedAt, finishedAt: trials[0]?.time.finishedAt ?? null }),
    ).toBe(602_000);
  });

  it("keep the text of the file", () => {
    expect(readOnlyJob(makeRun(-7)).job.time.startedAt?.text).toBe("2026-05-01T09:59:58.000");
  });

  it("stay naive when the trials are, and a duration is not taken across clocks", () => {
    const folder = makeRun(-7);
    const naive = { started_at: "2026-05-01T10:00:00", finished_at: "2026-05-01T10:10:00" };
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 1, naive) });
    const { job, trials } = readOnlyJob(folder);
    expect(job.time.startedAt?.zoned).toBe(false);
    expect(computeDurationMs(job.time)).toBe(602_000);
    expect(computeDurationMs(trials[0]?.time ?? null)).toBe(600_000);
  });

  it("tell a running job from an interrupted one as instants", () => {
    const cutOff = { finished_at: null, updated_at: null };
    const folder = makeRun(-7, cutOff);
    const at = (time: string) => () => Date.parse(`2026-05-01T${time}Z`);
    // Read as UTC the start would be seven hours older, and its trial's end is what counts.
    expect(readOnlyJob(folder, at("17:39:00")).job.state).toBe("running");
    expect(readOnlyJob(folder, at("17:41:00")).job.state).toBe("interrupted");
  });

  it("sort jobs of several clocks by what came first", () => {
    const wall = { started_at: "2026-05-01T09:59:58", updated_at: null, finished_at: "2026-05-01T10:10:00" };
    const later = { started_at: "2026-05-01T19:00:00Z", finished_at: "2026-05-01T19:10:00Z" };
    // Both say the same hours, one of them seven behind UTC and the other one nine.
    const files = {
      ...jobFiles("west", { beta__bbbbbbb: 1 }, { ...wall, id: "west" }),
      ...jobFiles("far-west", { [A]: 1 }, wall),
    };
    const folder = makeFolder({ ...files, [`far-west/${A}/result.json`]: trialResult(A, 1, later) });
    const { jobs } = readCatalog({ roots: [folder] });
    expect(jobs.map(({ job }) => job.name)).toEqual(["far-west", "west"]);
  });

  it("of exceptions are those of the file again before a job is read again", () => {
    const folder = makeRun(-7);
    const exception_info = { exception_type: "E", exception_message: "", occurred_at: "2026-05-01T10:05:00" };
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 1, { exception_info }) });
    const [trial] = readOnlyJob(folder).trials;
    if (trial === undefined) throw new Error("the job has a trial");
    expect(trial.exception?.occurredAt).toMatchObject({
      epochMs: Date.parse("2026-05-01T17:05:00Z"),
      zoned: true,
    });
  });

  it("are known from lock.json before the first trial ends", () => {
    const wall = { started_at: "2026-05-01T10:00:00.100", updated_at: null, finished_at: null };
    const folder = makeFolder({
      "run/result.json": jobResult({}, wall),
      "run/lock.json": { created_at: "2026-05-01T17:00:00.140Z", trials: [] },
      [`run/${A}/config.json`]: { trial_name: A },
    });
    expect(readOnlyJob(folder).job.time.startedAt?.epochMs).toBe(Date.parse("2026-05-01T17:00:00.100Z"));
  });
});
