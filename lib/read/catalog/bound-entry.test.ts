import { expect, it } from "vitest";

import type { JobEntry } from "@/lib/core/domain/catalog";
import { jobFiles, makeFolder, readOnlyJob, trialResult, writeFiles } from "@/lib/testing/folder.fixture";

import { boundEntry } from "./bound-entry";

function boundJob(job: JobEntry, path: string): JobEntry {
  return boundEntry(job, { index: 0, label: "jobs", path });
}

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

it("cuts long names and texts, keeps different ones distinct and every figure unchanged, and says so", () => {
  const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
  const long = "x".repeat(1_000_000);
  const rewards = Object.fromEntries(Array.from({ length: 1200 }, (_, n) => [`key ${n}`, n]));
  writeFiles(folder, {
    [`run/${A}/result.json`]: trialResult(A, 1, {
      task_name: `${long}1`,
      exception_info: { exception_type: "E", exception_message: long, exception_traceback: long },
    }),
    [`run/${B}/result.json`]: trialResult(B, 0, {
      task_name: `${long}2`,
      verifier_result: { rewards: { reward: 0, ...rewards } },
    }),
  });
  const whole = readOnlyJob(folder);
  const entry = boundJob(whole, folder);
  const [first, second] = entry.trials;
  expect(first?.taskName).not.toBe(second?.taskName);
  expect(first?.rewards).toEqual(whole.trials[0]?.rewards);
  expect(second?.rewards?.size).toBe(1000);
  expect(JSON.stringify(first).length).toBeLessThan(50_000);
  expect(entry.report.counts).toEqual(whole.report.counts);
  // The test of figures that were left out is their number: those that remain are the very same.
  const names = new Set(
    whole.report.figures.map(({ kind, verdict, recorded }) => `${kind} ${verdict} ${recorded}`),
  );
  for (const { kind, verdict, recorded } of entry.report.figures.slice(0, 200)) {
    if ((recorded?.length ?? 0) < 300) expect(names).toContain(`${kind} ${verdict} ${recorded}`);
  }
  const said = entry.issues.filter(({ code }) => code === "text_too_long");
  expect(said.map(({ path }) => path)).toEqual([`jobs/run/${A}`, `jobs/run/${B}`, "jobs/run"]);
  expect(said[0]?.detail).toContain("1,000,001 characters");
});

it("gives the same job where nothing is too long", () => {
  const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
  const whole = readOnlyJob(folder);
  expect(boundJob(whole, folder)).toEqual(whole);
});

it("leaves nothing of a job out for having many trials", () => {
  const names = Array.from({ length: 12_000 }, (_, n) => `t${n}__aaaaaaa`);
  const whole = readOnlyJob(makeFolder(jobFiles("run", { [A]: 1, [B]: 0 })));
  const [trial] = whole.trials;
  const [figure] = whole.report.figures.filter(({ kind }) => kind === "reward-file");
  if (trial === undefined || figure === undefined) throw new Error("There is a trial, and its reward file.");
  const many = {
    ...whole,
    trials: names.map((key) => ({ ...trial, key })),
    report: {
      ...whole.report,
      figures: [
        ...whole.report.figures.map((one) => ({ ...one, trialKeys: names })),
        ...names.map((path) => ({ ...figure, path })),
      ],
    },
  };
  expect(boundJob(many, "/")).toEqual(many);
});
