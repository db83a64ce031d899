export interface Tick {
  readonly value: number;
  readonly label: string;
  readonly at: number;
}

const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Returns round values from `low` to a larger `high`: at most `count` steps, with both ends on a tick. */
export function selectRoundValues(low: number, high: number, count: number): readonly number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const sizes = [...STEPS.map((step) => step * power), 20 * power];
  const fits = (size: number) => Math.ceil(high / size - 1e-9) - Math.floor(low / size + 1e-9) <= count;
  const step = sizes.find(fits) ?? 50 * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // Adding 0 turns -0 into 0.
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step + 0);
}

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Returns a share from the scale's low end, not clamped. */
export function placeOn(value: number, { low, high }: Span): number {
  return high === low ? 0.5 : (value - low) / (high - low);
}

/** Returns both ends and 0, for a scale without room for more. */
export function selectOuterTicks(ticks: readonly Tick[]): readonly Tick[] {
  return ticks.filter(({ value }, at) => value === 0 || at === 0 || at === ticks.length - 1);
}

/** Formats points with a sign and as many digits as round values have: `−10`, `0`, `+2.5`, `+0.025`. */
export function formatPointTick(difference: number): string {
  const points = Number((difference * 100).toPrecision(3));
  if (points === 0) return "0";
  return `${points > 0 ? "+" : "−"}${Math.abs(points)}`;
}

/** Returns all k up to eight of them, else about six with both ends. */
export function selectKTicks(ks: readonly number[]): readonly number[] {
  if (ks.length <= 8) return ks;
  const stride = Math.ceil((ks.length - 1) / 5);
  const last = ks.length - 1;
  return ks.filter((_, index) => index === last || (index % stride === 0 && last - index >= stride / 2));
}
