import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { TrialRecord } from "@/lib/domain/trial";
import type { Figure } from "@/lib/domain/verification";
import { dumpPythonJson, type PyValue } from "@/lib/scoring";
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

/** Figures of which another value looks like something that Harbor does, by scenario, with the reason. */
const UNTOLD: Readonly<Record<string, RegExp>> = {
  // Harbor writes null for a reward that is no number, so that the trials do not tell what the figures were made of.
  "not-numbers": /./,
  // Which metric a dataset brought stands nowhere but in its values: others may be those of a script.
  "dataset-metric-of-several-keys": /\.metrics\[0\]/,
};

/** Of each kind of figure, in how many jobs of each version `npm test` changes it. */
const N_JOBS_EACH = 3;

const jobs = listCorpusJobs()
  .filter(({ scenario }) => UNTOLD[scenario]?.source !== ".")
  .filter(({ path }) => readCorpusJob(path).job.state === "finished");
const changes = jobs.flatMap((corpus) => listChanges(corpus));

describe.each(Object.entries(Object.groupBy(chooseChanges(), ({ corpus }) => corpus.name)))(
  "in %s",
  (_name, own = []) => {
    let copy = "";
    beforeAll(() => {
      const { path } = own[0]?.corpus ?? { path: "" };
      copy = join(mkdtempSync(join(tmpdir(), "assay-corpus-")), basename(path));
      cpSync(path, copy, { recursive: true });
    });
    afterAll(() => rmSync(dirname(copy), { recursive: true }));

    test.each(own)("another $title is a mismatch", ({ file, place, figure, strangers }) => {
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
    });
  },
);

/** A value in a file of a job, and the figure that another value has to contradict. */
interface Change {
  readonly corpus: CorpusJob;
  readonly title: string;
  /** What is changed, the same for all figures of a kind. */
  readonly kind: string;
  readonly file: string;
  /** Null for a text file that holds nothing but the number. */
  readonly place: Place | null;
  readonly figure: string;
  /** Names that a list of trials can get. */
  readonly strangers: readonly string[];
}

/** All changes in `npm run test:long`; else those of each kind in the first jobs of each version that have it. */
function chooseChanges(): readonly Change[] {
  if (IS_LONG_RUN) return changes;
  const counts = new Map<string, number>();
  return changes.filter(({ corpus, kind }, index) => {
    const isRepeated = changes.findIndex((other) => other.corpus === corpus && other.kind === kind) !== index;
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
      kind: String(place[0] === "stats" && place[1] === "evals" ? place[3] : place.at(-1)),
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
  return [...stated, ...outcomes, ...trials.flatMap((trial) => listTrialChanges(corpus, trial, strangers))];
}

/** The rewards of a trial and its steps, in its result.json and in the files that Harbor read them from. */
function listTrialChanges(
  corpus: CorpusJob,
  { key, folder }: TrialRecord,
  strangers: readonly string[],
): Change[] {
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

/** What a change draws its value from. */
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

function writeAt(document: PyValue, place: Place, value: PyValue): void {
  const holder = readAt(document, place.slice(0, -1));
  if (!(holder instanceof Map)) throw new Error(`nothing holds ${place.join(".")}`);
  holder.set(String(place.at(-1)), value);
}
