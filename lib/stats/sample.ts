import { createRandomSource, RANDOM_NAME, type RandomSource, shuffle } from "./random";

/** A trial that may be drawn. */
export interface SampleItem {
  /** Names the trial; where two have the same, the first counts. */
  readonly key: string;
  /** What its sampling rate is known for, such as agent and verdict. */
  readonly stratum: string;
  /** The group of failures that it belongs to; null where it belongs to none. */
  readonly cluster: string | null;
}

/**
 * `random`: all trials with the same chance. `stratified`: as equal over strata as their sizes allow, by chance within.
 * `planned`: so many of each stratum as `sizes` says, by chance within. `one-per-cluster`: one trial of each cluster by
 * chance, the largest clusters first, trials without a cluster left out. `all`: the first ones in the given order.
 */
export type SampleOptions =
  | {
      readonly method: "random" | "stratified" | "one-per-cluster" | "all";
      readonly size: number;
      readonly seed: number;
    }
  | { readonly method: "planned"; readonly sizes: ReadonlyMap<string, number>; readonly seed: number };

/** How many of a stratum were drawn from how many: its sampling rate is `nDrawn / nTrials`. */
export interface SampledStratum {
  readonly stratum: string;
  readonly nTrials: number;
  readonly nDrawn: number;
}

/** Which trials are to be reviewed. */
export interface Sample {
  readonly method: SampleOptions["method"];
  /** In the order in which they are to be reviewed. */
  readonly keys: readonly string[];
  /** By name; null where the chance of a trial is not known, so that nothing can be said of trials that were not drawn. */
  readonly strata: readonly SampledStratum[] | null;
  /** Trials that could have been drawn. */
  readonly nTrials: number;
  /** Null where nothing was left to chance. */
  readonly seed: number | null;
  readonly generator: string | null;
}

/**
 * Draws the trials of a review queue. Whoever stops early has a sample as well: the first ones of a `random` draw are one,
 * and of a `stratified` one they are as equal over strata as all of it. The draw depends on the seed and on the trials, not
 * on their order, which counts for `all` alone.
 * @param options.size - at most so many, rounded down; fewer where there are no more. `sizes` in the same way
 * @returns a sample that may be empty. `strata` are given for `random`, `stratified`, `planned`, and for all trials
 * @see Cochran, "Sampling Techniques" (1977), sections 2.1 and 5.1
 * @remarks O(n log n)
 */
export function drawSample(items: readonly SampleItem[], options: SampleOptions): Sample {
  const known = [...Map.groupBy(items, ({ key }) => key).values()].flatMap((same) => same.slice(0, 1));
  const random = createRandomSource(options.seed);
  const drawn = drawItems(known, options, random);
  const isOfKnownChance =
    options.method === "random" || options.method === "stratified" || options.method === "planned";
  return {
    method: options.method,
    keys: drawn.map(({ key }) => key),
    strata: isOfKnownChance || drawn.length === known.length ? countStrata(known, drawn) : null,
    nTrials: known.length,
    seed: options.method === "all" ? null : options.seed >>> 0,
    generator: options.method === "all" ? null : RANDOM_NAME,
  };
}

function drawItems(items: readonly SampleItem[], options: SampleOptions, random: RandomSource): SampleItem[] {
  if (options.method === "all") return items.slice(0, toCount(options.size));
  const sorted = items.toSorted((a, b) => compare(a.key, b.key));
  switch (options.method) {
    case "random":
      return shuffle(random, sorted).slice(0, toCount(options.size));
    case "stratified":
      return drawRounds(sorted, random, () => Number.POSITIVE_INFINITY).slice(0, toCount(options.size));
    case "planned":
      return drawRounds(sorted, random, (stratum) => toCount(options.sizes.get(stratum) ?? 0));
    case "one-per-cluster":
      return groupSorted(sorted, ({ cluster }) => cluster)
        .filter(([cluster]) => cluster !== null)
        .toSorted(([, a], [, b]) => b.length - a.length)
        .flatMap(([, members]) => shuffle(random, members).slice(0, 1))
        .slice(0, toCount(options.size));
  }
}

/** One trial of every stratum that has one left, strata in an order of chance, and again until `most` of each are drawn. */
function drawRounds(
  sorted: readonly SampleItem[],
  random: RandomSource,
  most: (stratum: string) => number,
): SampleItem[] {
  const strata = groupSorted(sorted, ({ stratum }) => stratum).map(([stratum, members]) =>
    shuffle(random, members).slice(0, most(stratum ?? "")),
  );
  const nRounds = strata.reduce((rounds, { length }) => Math.max(rounds, length), 0);
  return Array.from({ length: nRounds }, (_, round) =>
    shuffle(
      random,
      strata.flatMap((members) => members.slice(round, round + 1)),
    ),
  ).flat();
}

function countStrata(items: readonly SampleItem[], drawn: readonly SampleItem[]): SampledStratum[] {
  const nDrawn = Map.groupBy(drawn, ({ stratum }) => stratum);
  return groupSorted(items, ({ stratum }) => stratum).map(([stratum, members]) => ({
    stratum: stratum ?? "",
    nTrials: members.length,
    nDrawn: nDrawn.get(stratum ?? "")?.length ?? 0,
  }));
}

/** Groups by name, names in ascending order. */
function groupSorted(
  items: readonly SampleItem[],
  read: (item: SampleItem) => string | null,
): (readonly [string | null, readonly SampleItem[]])[] {
  return [...Map.groupBy(items, read)].toSorted(([a], [b]) => compare(a ?? "", b ?? ""));
}

/**
 * Chooses which of the drawn trials two people review: `share` (0 to 1) of them rounded to the nearest whole number, half
 * up, and at least one where the share is not 0. All choices have the same chance, whatever seed drew the trials.
 * @returns the chosen keys, in the given order
 */
export function chooseDouble(keys: readonly string[], share: number, seed: number): string[] {
  const wanted = Math.min(1, Math.max(0, share)) * keys.length;
  const size = wanted > 0 ? Math.max(1, Math.round(wanted)) : 0;
  // Another sequence than the one that drew the keys with the same seed.
  const random = createRandomSource(seed ^ 0x5bd1e995);
  const chosen = new Set(shuffle(random, keys.toSorted(compare)).slice(0, size));
  return keys.filter((key) => chosen.has(key));
}

function toCount(size: number): number {
  return Math.max(0, Math.floor(size) || 0);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
