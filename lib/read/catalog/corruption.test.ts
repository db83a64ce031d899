import { chmodSync, cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { afterAll, expect, it } from "vitest";

import type { CatalogSnapshot, JobEntry } from "@/lib/core/domain/catalog";
import { listCorpusJobs } from "@/lib/core/verification/corpus.fixture";
import { readCatalog } from "@/lib/read/catalog";
import { readBreakdown, readTestReports, readTrajectory } from "@/lib/read/loader/detail";
import { type Corruption, corrupt, listAll, repair } from "@/lib/testing/corruptions.fixture";
import { withinTime } from "@/lib/testing/mutations.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";
import { Random } from "@/lib/testing/random";
import { getSampleFolder } from "@/lib/testing/samples.fixture";

/** Long after all jobs were written, so that none runs. */
const LATER = Date.UTC(2100, 0);
const read = (folder: string) => readCatalog({ roots: [folder], now: () => LATER });

/** Small ones: what is done to a job of thousands of trials is what is done to one of thirty. */
const SAMPLES = [
  "swe-mini-31",
  "kernel-steps",
  "voltage-drop-aec",
  "legacy-2025",
  "ledger",
  "infra-smoke-edited",
];

/** An intact folder with a job, a copy of it, and what the intact one says. */
interface Subject {
  readonly intact: string;
  readonly copy: string;
  readonly entries: ReturnType<typeof listAll>;
  readonly truth: Reading;
}

const scratch = mkdtempSync(join(tmpdir(), "corrupted-"));
// As root, tests read copies as another user.
chmodSync(scratch, 0o755);
const subjects = new Map<string, Subject>();
afterAll(() => subjects.clear());

function prepareSubject(source: string): Subject {
  const known = subjects.get(source);
  if (known !== undefined) return known;
  const copy = join(scratch, String(subjects.size), basename(source));
  cpSync(source, copy, { recursive: true });
  const subject = {
    intact: source,
    copy,
    entries: listAll(copy),
    truth: describe(withoutRights(() => read(copy))),
  };
  expect(subject.truth.scores.size).toBeGreaterThan(0);
  subjects.set(source, subject);
  return subject;
}

/** The results of a reading, as texts by name. */
interface Reading {
  /** Rewards and outcomes of trials, and figures recomputed from them. */
  readonly scores: ReadonlyMap<string, readonly string[]>;
  /** Trials that nothing else mentions. */
  readonly unlisted: ReadonlySet<string>;
  /** Other values of each trial's result by trial name, and their places. */
  readonly facts: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Everything on a page that reports a problem. */
  readonly warnings: ReadonlySet<string>;
}

function describe({ jobs, issues }: CatalogSnapshot): Reading {
  const scores = new Map<string, readonly string[]>();
  const facts = new Map<string, Readonly<Record<string, unknown>>>();
  const warnings = new Set(issues.map(({ code, path }) => `${code} ${path}`));
  for (const entry of jobs) {
    describeJob(entry, scores, warnings);
    for (const { folder, ledger, steps, state, tokens, time, trialName } of entry.trials) {
      const times = { started_at: time.startedAt?.text ?? null, finished_at: time.finishedAt?.text ?? null };
      const isStated = state === "finished" && folder !== "" && ledger === null && steps === null;
      if (isStated) facts.set(trialName, { ...tokens, ...times, folder });
    }
  }
  const unlisted = new Set(
    jobs.flatMap(({ job, trials }) =>
      trials
        .filter(({ ledger }) => job.state !== "finished" || ledger !== null)
        .map(({ trialName }) => `${job.folder} ${trialName}`),
    ),
  );
  return { scores, unlisted, facts, warnings };
}

function describeJob(
  { job, trials, report }: JobEntry,
  scores: Map<string, readonly string[]>,
  warnings: Set<string>,
): void {
  warnings.add(`${job.folder} ${job.state} ${report.verdict}`);
  for (const { path, verdict, reason } of report.figures)
    if (verdict !== "exact" || reason !== null) warnings.add(`${job.folder} ${path} ${verdict} ${reason}`);
  for (const trial of trials) {
    // By the name in its result: a folder that is renamed is the same trial.
    const name = `${job.folder} ${trial.trialName}`;
    if (trial.state !== "finished") warnings.add(`${name} ${trial.state}`);
    const rewards = Array.from(trial.rewards ?? [], ([key, value]) => `${key} ${Number(value)}`);
    const before = scores.get(name) ?? [];
    scores.set(name, [...before, [trial.outcome, ...rewards].join()].toSorted());
  }
  // An unfinished job records no figures and lists no trials. Its page says so, and has the trials that exist.
  if (job.state !== "finished") return;
  for (const { key, metrics, passAtK } of report.groups) {
    const values = metrics.flatMap(({ value }) =>
      Array.from(value ?? [], ([name, number]) => `${name} ${Number(number)}`),
    );
    if (values.length > 0) scores.set(`${job.folder} ${key}`, [...values, ...passAtK].map(String));
  }
}

const { numRuns, seed } = planRuns({ short: 30, long: 10_000 });

it("no corrupted copy of a job ends a reading or changes a score that nothing is said of", async () => {
  const corpus = listCorpusJobs().flatMap(({ path }, nth) => (IS_LONG_RUN || nth % 12 === 0 ? [path] : []));
  const samples = SAMPLES.slice(IS_LONG_RUN ? 0 : -2).map((name) => join(getSampleFolder(), name));
  const random = new Random(`corruptions ${seed}`);
  const silent: string[] = [];
  let nChanged = 0;
  for (let run = 0; run < numRuns; run++) {
    const own = random.fork(String(run));
    const list = run % 8 === 0 ? samples : corpus;
    const subject = prepareSubject(list[own.int(0, list.length - 1)] ?? "");
    const corruption = corrupt(subject.copy, subject.entries, own);
    try {
      const { jobs, issues } = await withinTime(() => withoutRights(() => read(subject.copy)));
      const found = describe({ jobs, issues, roots: [], copies: [] });
      if (listChanged(subject, found).length > 0) nChanged++;
      const changes = [...listSilent(subject, found), ...listUnfaithful(subject, found)];
      silent.push(
        ...changes.map((change) => `${String(run)} ${subject.intact} ${corruption.what}: ${change}`),
      );
      await readDetails(subject, corruption);
    } catch (error) {
      throw new Error(`${String(run)} ${subject.intact} ${corruption.what}`, { cause: error });
    } finally {
      repair(subject.copy, subject.intact, corruption);
    }
  }
  expect(silent).toEqual([]);
  if (IS_LONG_RUN)
    console.log(`${numRuns} corrupted copies, of which ${nChanged} have other scores than before`);
});

/** Scores that are others than those of the intact job, where nothing says that anything is wrong. */
function listSilent({ truth }: Pick<Subject, "truth">, found: Reading): readonly string[] {
  return [...found.warnings].some((warning) => !truth.warnings.has(warning))
    ? []
    : listChanged({ truth }, found);
}

function listChanged({ truth }: Pick<Subject, "truth">, found: Reading): readonly string[] {
  const names = new Set([...truth.scores.keys(), ...found.scores.keys()]);
  const isListed = (name: string) => found.scores.has(name) || !truth.unlisted.has(name);
  return [...names]
    .filter(isListed)
    .map((name) => [name, String(truth.scores.get(name)), String(found.scores.get(name))])
    .filter(([, before, now]) => before !== now)
    .map(([name, before, now]) => `${name} was ${before} and is ${now}`);
}

/** Tokens, cost and times that are neither as they were nor what the trial's file states now. */
function listUnfaithful({ copy, truth }: Subject, found: Reading): readonly string[] {
  return [...found.facts].flatMap(([trial, { folder, ...facts }]) => {
    const before = truth.facts.get(trial);
    const changed = Object.entries(facts).filter(([name, fact]) => fact !== null && fact !== before?.[name]);
    if (before === undefined || changed.length === 0) return [];
    const text = readFileSync(join(copy, String(folder), "result.json"), "latin1");
    return changed
      .filter(([, fact]) => !text.includes(String(fact)))
      .map(([name, fact]) => `${trial} ${name} was ${String(before[name])} and is ${String(fact)}`);
  });
}

/** Files besides the result that a trial's page reads. */
async function readDetails({ copy }: Subject, { touched }: Corruption): Promise<void> {
  const names = new Set(
    touched.map((path) => path.split("/", 1)[0] ?? "").filter((name) => name.includes("__")),
  );
  for (const name of names) {
    const trial = join(copy, name);
    await withinTime(async () => {
      await readTrajectory(trial);
      await readTestReports(trial, null);
      await readBreakdown(trial);
    });
  }
}

/** Runs without the superuser's rights, to whom nothing is locked. */
function withoutRights<T>(run: () => T): T {
  if (process.getuid?.() !== 0) return run();
  process.seteuid?.("nobody");
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}
