/** A tick: the value, its text, and where it stands as a share of the axis, 0 to 1. */
export interface Tick {
  readonly value: number;
  readonly label: string;
  readonly at: number;
}

const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Round values from `low` to a larger `high` and the domain that they span: at most `count` steps, both ends on a tick. */
export function selectRoundValues(low: number, high: number, count: number): readonly number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const sizes = [...STEPS.map((step) => step * power), 20 * power];
  const fits = (size: number) => Math.ceil(high / size - 1e-9) - Math.floor(low / size + 1e-9) <= count;
  const step = sizes.find(fits) ?? 50 * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  // Adding 0 turns a negative zero into a plain one.
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step + 0);
}

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Where a value stands on a scale, as a share from its low end; not cut off at the ends. */
export function placeOn(value: number, { low, high }: Span): number {
  return high === low ? 0.5 : (value - low) / (high - low);
}

/** Points as text with a sign and as many digits as round values have: `−10`, `0`, `+2.5`, `+0.025`. */
export function formatPointTick(difference: number): string {
  const points = Number((difference * 100).toPrecision(3));
  if (points === 0) return "0";
  return `${points > 0 ? "+" : "−"}${String(Math.abs(points))}`;
}

/** The k that get a tick: all up to eight of them, else about six with both ends. */
export function selectKTicks(ks: readonly number[]): readonly number[] {
  if (ks.length <= 8) return ks;
  const stride = Math.ceil((ks.length - 1) / 5);
  const last = ks.length - 1;
  return ks.filter((_, index) => index === last || (index % stride === 0 && last - index >= stride / 2));
}
