import { join } from "node:path";

import { expect, test } from "vitest";

import { LIST_STARTS } from "@/lib/core/domain/trial-lists";
import { jobFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { readTrialDetails } from "./details";
import { NO_TRAJECTORY } from "./steps";

const NAME = "alpha__aaaaaaa";

test("totals of tests are those of the reports that count, and parts are of all that are listed", async () => {
  const tests = (n: number, status: string, first = "t") =>
    Array.from({ length: n }, (_, at) => ({ name: `${first}${at}`, status }));
  const root = makeFolder({
    ...jobFiles("run", { [NAME]: 1 }),
    [`run/${NAME}/verifier/ctrf.json`]: { results: { tests: tests(300, "passed") } },
    [`run/${NAME}/verifier/reports/a.json`]: { results: { tests: tests(200, "failed", "u") } },
  });
  const place = {
    path: join(root, "run", NAME),
    root: { index: 0, label: "jobs", path: root },
    stepNames: null,
    ledger: null,
  };
  const first = await readTrialDetails(place, NO_TRAJECTORY, LIST_STARTS);
  expect(first.testTally).toEqual({ nTests: 300, nPassed: 300, nFailed: 0, textFiles: [] });
  expect(first.parts.tests).toEqual({ from: 0, shown: 400, total: 500 });
  const next = await readTrialDetails(place, NO_TRAJECTORY, { ...LIST_STARTS, tests: 400 });
  expect(next.testTally).toEqual(first.testTally);
  expect(next.tests.map((report) => report.tests.length)).toEqual([0, 100]);
  // A test by its name is in the part that has it; one that is not there changes nothing.
  const named = async (test: string) =>
    (await readTrialDetails(place, NO_TRAJECTORY, { ...LIST_STARTS, test })).parts.tests.from;
  expect([await named("t299"), await named("u99"), await named("u100"), await named("v")]).toEqual([
    0, 0, 400, 0,
  ]);
});
