import { placeInterval, type StripValue } from "./interval-strip";

export const STRIP_HEIGHT = 44;
/** Height of a line of text. */
const LABEL_GAP = 15;
/** A narrower scale would make small differences look large. */
const LEAST_SPAN = 0.3;

/**
 * Places the means of a benchmark's runs, oldest first. Steps along x are equal, because days would pile up. The scale fits the
 * intervals, at least 0.3 wide.
 *
 * @returns shares of width and height from the top left; heights of the labels of the newest and the best run in pixels, equal if
 * they are the same run
 */
export function placeBenchmarkStrip(runs: readonly StripValue[]) {
  const ends = runs.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const margin = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  const scale = { low: low - margin, high: high + margin };
  const best = runs.reduce((found, { value }, at) => (value >= (runs[found]?.value ?? 0) ? at : found), 0);
  const points = runs.map((run, at) => {
    const { at: share, line } = placeInterval(run, scale);
    return {
      x: (at + 0.5) / runs.length,
      y: 1 - share,
      line: line === null ? null : { from: 1 - line.to, to: 1 - line.from },
    };
  });
  const heightOf = (at: number) => (points[at]?.y ?? 0.5) * STRIP_HEIGHT;
  return {
    points,
    best,
    labels: separate(heightOf(runs.length - 1), heightOf(best), best < runs.length - 1),
  };
}

function separate(newest: number, best: number, isApart: boolean) {
  const clamp = (y: number) => Math.min(STRIP_HEIGHT - LABEL_GAP / 2, Math.max(LABEL_GAP / 2, y));
  const [below, above] = [clamp(newest), clamp(best)];
  if (!isApart) return { newest: below, best: below };
  const missing = Math.max(0, LABEL_GAP - (below - above)) / 2;
  // Both move, but not over the edge.
  const upper = Math.max(LABEL_GAP / 2, Math.min(above - missing, STRIP_HEIGHT - 1.5 * LABEL_GAP));
  return { newest: Math.max(below + missing, upper + LABEL_GAP), best: upper };
}
