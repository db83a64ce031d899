import { RANDOM_NAME, type RandomSource, createRandomSource, shuffle } from "./random";
import { compareText } from "./task-values";

export interface SampleItem {
  /** Identifies the trial; of two with the same key the first counts. */
  readonly key: string;
  /** Group with a known sampling rate, such as agent and verdict. */
  readonly stratum: string;
  /** The group of failures that it belongs to; null for none. */
  readonly cluster: string | null;
}

/**
 * `random`: all trials with the same chance. `stratified`: as equal over strata as their sizes allow, random within. `planned`:
 * per stratum as many as `sizes` has, random within. `one-per-cluster`: one random trial of each cluster, the largest clusters
 * first, without trials that have no cluster. `all`: the first ones in the given order.
 */
export type SampleOptions =
  | {
      readonly method: "random" | "stratified" | "one-per-cluster" | "all";
      readonly size: number;
      readonly seed: number;
    }
  | { readonly method: "planned"; readonly sizes: ReadonlyMap<string, number>; readonly seed: number };

/** Trials drawn from a stratum: its sampling rate is `nDrawn / nTrials`. */
export interface SampledStratum {
  readonly stratum: string;
  readonly nTrials: number;
  readonly nDrawn: number;
}

export type Sample = ReturnType<typeof drawSample>;

/**
 * Draws the trials of a review queue. A review that stops early is still a sample: the first trials of a `random` draw are random,
 * and those of a `stratified` one are as equal over strata as the whole. The draw depends on the seed and the trials, but not on
 * their order, which counts for `all` alone.
 * @param options.size - upper limit, rounded down, like `sizes`
 * @returns a sample, possibly empty. `strata` are given for `random`, `stratified`, `planned`, and for all trials
 * @see Cochran, "Sampling Techniques" (1977), sections 2.1 and 5.1
 * @remarks O(n log n)
 */
export function drawSample(items: readonly SampleItem[], options: SampleOptions) {
  const known = [...Map.groupBy(items, ({ key }) => key).values()].flatMap((same) => same.slice(0, 1));
  const random = createRandomSource(options.seed);
  const drawn = drawItems(known, options, random);
  const isOfKnownChance =
    options.method === "random" || options.method === "stratified" || options.method === "planned";
  return {
    method: options.method,
    keys: drawn.map(({ key }) => key),
    /** By name; null where a trial's chance is unknown, so that the sample does not extend to trials that were not drawn. */
    strata: isOfKnownChance || drawn.length === known.length ? countStrata(known, drawn) : null,
    nTrials: known.length,
    seed: options.method === "all" ? null : options.seed >>> 0,
    generator: options.method === "all" ? null : RANDOM_NAME,
  } as const;
}

function drawItems(items: readonly SampleItem[], options: SampleOptions, random: RandomSource): SampleItem[] {
  if (options.method === "all") return items.slice(0, toCount(options.size));
  const sorted = items.toSorted((a, b) => compareText(a.key, b.key));
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

/** Draws one trial of every stratum that has one left, strata in random order, and repeats until `most` of each are drawn. */
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

function groupSorted(
  items: readonly SampleItem[],
  read: (item: SampleItem) => string | null,
): (readonly [string | null, readonly SampleItem[]])[] {
  return [...Map.groupBy(items, read)].toSorted(([a], [b]) => compareText(a ?? "", b ?? ""));
}

/**
 * Chooses which of the drawn trials two people review: `share` (0 to 1) of them, rounded half up, and at least one unless the
 * share is 0. All choices have the same chance, whichever seed drew the trials.
 * @returns the chosen keys, in the given order
 */
export function chooseDouble(keys: readonly string[], share: number, seed: number): string[] {
  const wanted = Math.min(1, Math.max(0, share)) * keys.length;
  const size = wanted > 0 ? Math.max(1, Math.round(wanted)) : 0;
  // A different sequence from the one that drew the keys with the same seed.
  const random = createRandomSource(seed ^ 0x5bd1e995);
  const chosen = new Set(shuffle(random, keys.toSorted(compareText)).slice(0, size));
  return keys.filter((key) => chosen.has(key));
}

function toCount(size: number): number {
  return Math.max(0, Math.floor(size) || 0);
}
