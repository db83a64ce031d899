import { existsSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { HarborRule } from "@/lib/core/domain/verification";

import {
  type CorpusJob,
  listCorpusJobs,
  listRecordedFigures,
  readCorpusJob,
  readDocument,
  readsTextFirst,
} from "./corpus.fixture";

const jobs = listCorpusJobs();

/** Figures that nothing in the folder can confirm, by scenario, with the reason. */
const INCOMPLETE: Readonly<Record<string, RegExp>> = {
  // The machine went away between the end of a trial and the next writing of result.json.
  "cut-off": /./,
  // Up to 0.22 a reward that is no number is null in every JSON that Harbor writes, so that only its file tells it.
  "not-numbers": /metrics\[0\]|\.n_trials$|\.(nan|inf)$|^(alpha|beta)__\w+$/,
};

/** Rules besides the plain one that Harbor followed in a job. */
function listRules({ name, version, scenario }: CorpusJob): readonly HarborRule[] {
  const isOlder = version === "0.1.45" || version === "0.5.0";
  const rules: Readonly<Record<string, readonly HarborRule[]>> = {
    "both-reward-files": readsTextFirst(version) ? ["reward-text-first"] : [],
    "dataset-metric": ["dataset-metric"],
    "dataset-metrics-before-mean": ["dataset-metric"],
    "dataset-metric-of-several-keys": ["dataset-metric"],
    "one-dataset-twice": ["dataset-metric"],
    "regrade-of-unlisted-dataset": name.endsWith("/regraded") ? ["dataset-metric"] : [],
    "several-agents": ["dataset-metric"],
    separators: ["dataset-lookup"],
    "slash-in-dataset": version === "0.1.45" ? ["dataset-lookup"] : [],
    rebuilt: ["rebuilt-job"],
    "rebuilt-whole": ["rebuilt-job"],
    "policy-retries": ["retry"],
    retries: isOlder ? ["older-names"] : ["retry"],
    "single-key": isOlder ? ["older-names"] : [],
    cancelled: isOlder ? ["older-names"] : [],
    "cancelled-and-resumed": isOlder ? ["older-names"] : [],
  };
  return rules[scenario] ?? [];
}

test("the corpus holds jobs of every era", () => {
  expect([...new Set(jobs.map(({ version }) => version))]).toEqual([
    "0.1.45",
    "0.13.1",
    "0.24.0",
    "0.25.0",
    "0.26.0",
    "0.5.0",
    "0.6.6",
  ]);
});

describe.each(jobs)("$name, as Harbor wrote it,", (corpus) => {
  const { job, report } = readCorpusJob(corpus.path);

  test("has every figure that result.json states in the report", () => {
    const path = join(corpus.path, "result.json");
    const stated = existsSync(path) ? [...listRecordedFigures(readDocument(path)).keys()] : [];
    const paths = new Set(report.figures.map((figure) => figure.path));
    // A job that did not end and has no lock.json says nowhere else how many trials it was to have.
    if (job.state !== "finished" && job.plan === null) paths.add("n_total_trials");
    expect(stated.filter((figure) => !paths.has(figure))).toEqual([]);
  });

  test("contradicts no figure, and leaves none open but those that nothing can confirm", () => {
    const allowed = INCOMPLETE[corpus.scenario];
    const unexpected = report.figures.filter(
      ({ verdict, path }) =>
        verdict === "mismatch" || (verdict === "incomplete" && allowed?.test(path) !== true),
    );
    expect(unexpected.map((figure) => `${figure.verdict}: ${figure.path}: ${figure.reason}`)).toEqual([]);
  });

  test("follows the rules that its Harbor had", () => {
    const named = report.figures.flatMap(({ rule, verdict }) =>
      rule === null || verdict === "incomplete" ? [] : [rule],
    );
    expect([...new Set(named)].toSorted()).toEqual(listRules(corpus));
  });

  test("has one row for each recorded group and no other", () => {
    const keys = report.groups.map((group) => group.key);
    expect(keys).toEqual(job.recorded?.groups.map((group) => group.key) ?? keys);
  });
});
