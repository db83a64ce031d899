import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Trial } from "@/lib/core/domain/trial";
import type { Figure } from "@/lib/core/domain/verification";
import { dumpPythonJson, type PyValue } from "@/lib/core/scoring";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";

import {
  type CorpusJob,
  listCorpusJobs,
  listRecordedFigures,
  type Place,
  readCorpusJob,
  readDocument,
  readsTextFirst,
} from "./corpus.fixture";

/** Figures with another value that also looks like Harbor's, by scenario, with the reason. */
const UNTOLD: Readonly<Record<string, RegExp>> = {
  // Harbor writes null for a reward that is no number, so that the trials do not tell what the figures were made of.
  "not-numbers": /./,
  // Only its values show which metric a dataset brought; other values may come from a script.
  "dataset-metric-of-several-keys": /\.metrics\[0\]/,
};

/** The same of figures that are taken out. */
const UNMISSED: Readonly<Record<string, RegExp>> = {
  // No file records how many metrics a dataset brought.
  "dataset-metrics-before-mean": /\.metrics/,
  "one-dataset-twice": /\.metrics/,
  "dataset-metric-of-several-keys": /\.metrics/,
  // The Harbor before it recorded no pass@k, and only lock.json tells later ones from each other.
  "0.5.0/pass-at-k": /\.pass_at_k$/,
  // Without lock.json and statistics nothing tells the Harbor, and without rewards no outcome differs.
  "0.1.45/no-verifier": /^stats$/,
};

/** Number of jobs per version in which `npm test` changes each kind of figure. */
const N_JOBS_EACH = 1;

const jobs = listCorpusJobs()
  .filter(({ scenario }) => UNTOLD[scenario]?.source !== ".")
  .filter(({ path }) => readCorpusJob(path).job.state === "finished");
const changes = jobs.flatMap((corpus) => listChanges(corpus));
const removals = jobs.flatMap((corpus) => listRemovals(corpus));
const chosen = [...chooseEach(changes), ...chooseEach(removals)];

describe.each(Object.entries(Object.groupBy(chosen, ({ corpus }) => corpus.name)))(
  "in %s",
  (_name, own = []) => {
    let copy = "";
    beforeAll(() => {
      const { path } = own[0]?.corpus ?? { path: "" };
      copy = join(mkdtempSync(join(tmpdir(), "assay-corpus-")), basename(path));
      cpSync(path, copy, { recursive: true });
    });
    afterAll(() => rmSync(dirname(copy), { recursive: true }));

    test.each(own.filter(({ isRemoval }) => isRemoval))("without $title there is a mismatch", (removal) => {
      const target = join(copy, removal.file);
      const before = readFileSync(target, "utf8");
      const document = readDocument(target);
      removeAt(document, removal.place ?? []);
      writeFileSync(target, dumpPythonJson(document));
      try {
        const { report } = readCorpusJob(copy);
        expect(report.verdict).toBe("mismatch");
        const mismatches = report.figures.filter(({ verdict }) => verdict === "mismatch");
        const missed = mismatches.filter(({ path }) => path.startsWith(cutName(removal.figure)));
        expect(missed, mismatches.map(({ path }) => path).join(", ")).not.toEqual([]);
      } finally {
        writeFileSync(target, before);
      }
    });

    test.each(own.filter(({ isRemoval }) => !isRemoval))(
      "another $title is a mismatch",
      ({ file, place, figure, strangers }) => {
        fc.assert(
          fc.property(arbitraryNoise, (noise) => {
            const target = join(copy, file);
            const before = readFileSync(target, "utf8");
            const { text, change } = changeText(before, target, place, noise, strangers);
            writeFileSync(target, text);
            try {
              const found = findFigure(copy, figure);
              expect(found?.verdict, `${change}: ${found?.reason}`).toBe("mismatch");
            } finally {
              writeFileSync(target, before);
            }
          }),
          planRuns({ short: 1, long: 10 }),
        );
      },
    );
  },
);

/** A value in a file of a job, and the figure that another value has to contradict. */
interface Change {
  readonly corpus: CorpusJob;
  readonly title: string;
  /** The changed part, the same for all figures of a kind. */
  readonly kind: string;
  readonly file: string;
  /** Null for a text file that holds nothing but the number. */
  readonly place: Place | null;
  readonly figure: string;
  /** Names that a list of trials can get. */
  readonly strangers: readonly string[];
  /** Taken out instead of changed; `figure` is then empty where what is taken out holds many. */
  readonly isRemoval?: boolean;
}

/** All changes in `npm run test:long`; else those of each kind in the first jobs of each version that have it. */
function chooseEach(all: readonly Change[]): readonly Change[] {
  if (IS_LONG_RUN) return all;
  const counts = new Map<string, number>();
  return all.filter(({ corpus, kind }, index) => {
    const isRepeated = all.findIndex((other) => other.corpus === corpus && other.kind === kind) !== index;
    const nBefore = counts.get(`${corpus.version} ${kind}`) ?? 0;
    if (isRepeated || nBefore === N_JOBS_EACH) return false;
    counts.set(`${corpus.version} ${kind}`, nBefore + 1);
    return true;
  });
}

function listChanges(corpus: CorpusJob): Change[] {
  const { job, trials } = readCorpusJob(corpus.path);
  // Without a lock.json to say how many trials there were, a name more is a trial that is missing: merged files have such.
  const stranger = job.plan === null ? [] : ["stranger__0000000"];
  const strangers = [...trials.map((trial) => trial.trialName), ...stranger];
  const recorded = [...listRecordedFigures(readDocument(join(corpus.path, "result.json")))];
  const stated = recorded
    .filter(([figure]) => UNTOLD[corpus.scenario]?.test(figure) !== true)
    .map(([figure, place]) => ({
      ...{ corpus, strangers, figure, place, file: "result.json" },
      title: figure,
      kind: nameKind(place),
    }));
  const metrics = stated.filter(({ kind }) => kind === "metrics");
  const outcomes =
    metrics.length === 1
      ? metrics.map((change) => ({
          ...change,
          title: `outcome by ${change.title}`,
          kind: "outcome",
          figure: "outcome",
        }))
      : [];
  const own = trials.flatMap((trial) => [
    ...listTrialChanges(corpus, trial, strangers),
    ...listValidity(corpus, trial, false),
  ]);
  return [...stated, ...outcomes, ...own];
}

/** Each figure of result.json taken out on its own, then all of a kind, and the rewards of each trial. */
function listRemovals(corpus: CorpusJob): Change[] {
  const { trials } = readCorpusJob(corpus.path);
  const result = readDocument(join(corpus.path, "result.json"));
  const figures = [...listRecordedFigures(result)].map(([figure, place]) => ({ figure, place }));
  const places = figures.flatMap(({ place }) => place.map((_, index) => place.slice(0, index + 1)));
  const wholes = new Map(places.map((place) => [dumpPythonJson(place.map(String)), place]));
  for (const { place } of figures) wholes.delete(dumpPythonJson(place.map(String)));
  const strangers: readonly string[] = [];
  const common = { corpus, strangers, isRemoval: true };
  const { version, scenario } = corpus;
  const unmissed = [UNMISSED[scenario], UNMISSED[`${version}/${scenario}`]];
  const inJob = [...figures, ...[...wholes.values()].map((place) => ({ figure: "", place }))].map(
    ({ figure, place }): Change => ({
      ...{ ...common, figure, place, file: "result.json" },
      title: place.join("."),
      kind: `${place.length} ${nameKind(place)}`,
    }),
  );
  // A reward that does not count is in no figure, and after some exceptions none is recorded.
  const inTrials = trials
    .filter(({ rewards, isRewardValid }) => rewards !== null && isRewardValid)
    .map(({ folder }): Change => ({
      ...{ ...common, figure: "", place: ["verifier_result", "rewards"] },
      file: `${basename(folder)}/result.json`,
      title: `rewards of ${basename(folder)}`,
      kind: "rewards",
    }));
  const validity = trials.flatMap((trial) => listValidity(corpus, trial, true));
  return [
    ...inJob.filter(({ title }) => !unmissed.some((rule) => rule?.test(title))),
    ...inTrials,
    ...validity,
  ];
}

/** Figures that Harbor records for a trial since 0.26: reward validity and the policy of each exception. */
function listValidity(corpus: CorpusJob, { key, folder }: Trial, isRemoval: boolean): Change[] {
  const file = `${basename(folder)}/result.json`;
  const result = readDocument(join(corpus.path, file));
  if (!result.has("reward_valid")) return [];
  const steps = readAt(result, ["step_results"]);
  const holders: Place[] = [
    [],
    ...(Array.isArray(steps) ? steps : []).map((_, index) => ["step_results", index]),
  ];
  const policies = holders
    .map((holder) => [...holder, "exception_info"])
    .filter((place) => readAt(result, place) !== null)
    .flatMap((place, index) => {
      const type = readAt(result, [...place, "exception_type"]);
      if (typeof type !== "string") throw new Error(`${folder}: an exception has no type`);
      const flags = ["should_retry", "should_grade", "has_valid_reward"].map((flag) => ["policy", flag]);
      return [...(isRemoval ? [["policy"]] : []), ...flags].map((path) => ({
        figure: `${key}/exceptions[${index}].${type}.policy`,
        place: [...place, ...path],
      }));
    });
  return [{ figure: `${key}/reward_valid`, place: ["reward_valid"] }, ...policies].map(
    ({ figure, place }) => ({
      ...{ corpus, strangers: [], file, figure, place, isRemoval },
      title: `${figure} ${String(place.at(-1))}`,
      kind: `${place.length} ${String(place.at(-1))}`,
    }),
  );
}

/** Without the name of a metric that only its entry gives, or a value that two files spell differently. */
function cutName(figure: string): string {
  return figure.replace(/(\.metrics\[\d+\]|\.reward_stats)\..*$/, "$1");
}

/** The properties that all figures of a kind share. */
function nameKind(place: Place): string {
  return String(place[0] === "stats" && place[1] === "evals" ? place[3] : place.at(-1));
}

/** The rewards of a trial and its steps, in its result.json and in the files that Harbor read them from. */
function listTrialChanges(corpus: CorpusJob, { key, folder }: Trial, strangers: readonly string[]): Change[] {
  const name = basename(folder);
  const result = readDocument(join(corpus.path, name, "result.json"));
  const steps = readAt(result, ["step_results"]);
  const places: [string, string, Place][] = [
    [Array.isArray(steps) ? `${key}/steps` : key, "verifier", []],
    ...(Array.isArray(steps) ? steps : []).map((step, index): [string, string, Place] => {
      const stepName = readAt(step, ["step_name"]);
      if (typeof stepName !== "string") throw new Error(`${folder}: step ${String(index)} has no name`);
      return [`${key}/steps/${stepName}`, `steps/${stepName}/verifier`, ["step_results", index]];
    }),
  ];
  return places.flatMap(([figure, verifier, holder]) => {
    const place = [...holder, "verifier_result", "rewards"];
    const rewards = readAt(result, place);
    const [first] = rewards instanceof Map ? rewards.keys() : [];
    if (first === undefined) return [];
    const common = { corpus, figure, strangers };
    const inResult = { ...common, title: `reward of ${figure}`, kind: `reward ${holder.length}` };
    return [
      { ...inResult, file: `${name}/result.json`, place: [...place, first] },
      ...findRewardFile(corpus, join(name, verifier)).map((file) => ({
        ...common,
        title: file,
        kind: `${basename(file)} ${holder.length}`,
        file,
        place: file.endsWith(".txt") ? null : [first],
      })),
    ];
  });
}

/** The reward file that Harbor read: of both, reward.txt up to 0.6.6. */
function findRewardFile({ version, path }: CorpusJob, folder: string): string[] {
  const files = globSync(`${folder}/reward.{json,txt}`, { cwd: path }).toSorted();
  return (readsTextFirst(version) ? files.reverse() : files).slice(0, 1);
}

function findFigure(copy: string, path: string): Figure | undefined {
  return readCorpusJob(copy).report.figures.find((figure) => figure.path === path);
}

/** The source of a changed value. */
interface Noise {
  readonly whole: bigint;
  readonly part: number;
  readonly pick: number;
}

const arbitraryNoise: fc.Arbitrary<Noise> = fc.record({
  whole: fc.bigInt({ min: -1000n, max: 1000n }).filter((whole) => whole !== 0n),
  part: fc.double({ min: -10, max: 10, noNaN: true }).filter((part) => Math.abs(part) > 1e-6),
  pick: fc.nat(),
});

function changeText(
  before: string,
  file: string,
  place: Place | null,
  noise: Noise,
  strangers: readonly string[],
) {
  if (place === null) {
    const text = dumpPythonJson(changeValue(Number(before), noise, strangers));
    return { text, change: `${before} -> ${text}` };
  }
  const document = readDocument(file);
  const value = readAt(document, place);
  const changed = changeValue(value, noise, strangers);
  writeAt(document, place, changed);
  return { text: dumpPythonJson(document), change: `${dumpPythonJson(value)} -> ${dumpPythonJson(changed)}` };
}

/** Another value of the same kind: another number, or another set of trial names. */
function changeValue(value: PyValue, { whole, part, pick }: Noise, strangers: readonly string[]): PyValue {
  if (typeof value === "boolean") return !value;
  if (typeof value === "bigint") return value + whole;
  if (typeof value === "number") return value + part * Math.max(1, Math.abs(value));
  if (!Array.isArray(value)) throw new Error(`${dumpPythonJson(value)} is no figure`);
  const others = strangers.filter((name) => !value.includes(name));
  const other = others[pick % others.length] ?? "";
  const at = pick % value.length;
  const sets = [
    value.toSpliced(at, 1, other),
    [...value, other],
    ...(value.length > 1 ? [value.toSpliced(at, 1)] : []),
  ];
  return sets[pick % sets.length] ?? [];
}

function readAt(document: PyValue, place: Place): PyValue {
  return place.reduce<PyValue>((value, part) => {
    const found =
      value instanceof Map ? value.get(String(part)) : Array.isArray(value) ? value[Number(part)] : null;
    return found ?? null;
  }, document);
}

function removeAt(document: PyValue, place: Place): void {
  const holder = readAt(document, place.slice(0, -1));
  if (holder instanceof Map) holder.delete(String(place.at(-1)));
  else if (Array.isArray(holder)) holder.splice(Number(place.at(-1)), 1);
  else throw new Error(`nothing holds ${place.join(".")}`);
}

function writeAt(document: PyValue, place: Place, value: PyValue): void {
  const holder = readAt(document, place.slice(0, -1));
  if (!(holder instanceof Map)) throw new Error(`nothing holds ${place.join(".")}`);
  holder.set(String(place.at(-1)), value);
}
