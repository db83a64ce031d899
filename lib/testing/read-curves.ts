/** A place in pixels; down is more. */
interface Pixels {
  readonly x: number;
  readonly y: number;
}

/** The drawing of one curve, in pixels. */
interface DrawnSeries {
  /** Positions of the markers. */
  readonly points: readonly Pixels[];
  readonly line: readonly Pixels[];
  /** Corners of each band, there on one side and back on the other; a single interval has two. */
  readonly intervals: readonly (readonly Pixels[])[];
  /** Middles of the rings. */
  readonly recorded: readonly Pixels[];
}

/** A chart of curves as drawn: the text at its axes and the place of every mark. */
export interface DrawnCurves {
  readonly xTicks: readonly { readonly text: string; readonly pixel: number }[];
  readonly yTicks: readonly { readonly text: string; readonly pixel: number }[];
  readonly series: readonly DrawnSeries[];
}

/** A value with its interval, in the units of the axis; null where there is none. */
interface CurveReading {
  readonly k: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** The values that a drawing shows. */
export interface ReadCurves {
  readonly series: readonly {
    readonly points: readonly CurveReading[];
    readonly recorded: readonly { readonly k: number; readonly value: number }[];
  }[];
  /** The tolerance in pixels, converted to values. */
  readonly tolerance: number;
  /** Marks and ends of intervals that were read. */
  readonly nRead: number;
}

/**
 * Reads the values of a drawing from the text at its axes alone. Differences are written in points.
 *
 * @param tolerance - in pixels
 * @throws Error when the drawing contradicts itself: a tick off its scale, a mark between two k, an interval without a mark
 */
export function readCurves(drawn: DrawnCurves, isDifference: boolean, tolerance: number): ReadCurves {
  const yAxis = readAxis(drawn.yTicks, isDifference ? 100 : 1, tolerance);
  const xAxis = drawn.xTicks.length > 1 ? readAxis(drawn.xTicks, 1, tolerance) : null;
  if (yAxis === null) throw new Error("no axis to read values at");
  const toK = (pixel: number): number => {
    // A single k is no scale: groups are next to each other there.
    if (xAxis === null) return Number(drawn.xTicks[0]?.text);
    const k = Math.round(xAxis.toValue(pixel));
    if (Math.abs(xAxis.toValue(pixel) - k) > xAxis.tolerance) throw new Error(`no k is drawn at ${pixel}`);
    return k;
  };
  let nRead = 0;
  const series = drawn.series.map(({ points, line, intervals, recorded }) => {
    const ends = intervals.flatMap((corners) => pairCorners(corners, tolerance));
    const read = points.map(({ x, y }): CurveReading => {
      const own = ends.filter((pair) => Math.abs(pair.x - x) <= tolerance);
      if (own.length > 1) throw new Error(`two intervals at k ${toK(x)}`);
      nRead += 1 + 2 * own.length;
      const [pair] = own;
      return {
        k: toK(x),
        value: yAxis.toValue(y),
        low: pair === undefined ? null : yAxis.toValue(pair.bottom),
        high: pair === undefined ? null : yAxis.toValue(pair.top),
      };
    });
    if (read.filter(({ low }) => low !== null).length !== ends.length)
      throw new Error("an interval without a mark");
    if (line.length !== points.length) throw new Error("the line has corners where no mark is");
    line.forEach((corner, index) => {
      const { x, y } = points[index] ?? corner;
      if (Math.hypot(corner.x - x, corner.y - y) > 2 * tolerance)
        throw new Error("the line passes by a mark");
    });
    nRead += recorded.length;
    return { points: read, recorded: recorded.map(({ x, y }) => ({ k: toK(x), value: yAxis.toValue(y) })) };
  });
  return { series, tolerance: yAxis.tolerance, nRead };
}

/** Ends of intervals above each other, from a band's upper and lower side. */
function pairCorners(corners: readonly Pixels[], tolerance: number) {
  return corners.slice(0, corners.length / 2).map((corner, index) => {
    const other = corners[corners.length - 1 - index] ?? corner;
    if (Math.abs(corner.x - other.x) > tolerance) throw new Error("an interval is askew");
    return { x: corner.x, top: Math.min(corner.y, other.y), bottom: Math.max(corner.y, other.y) };
  });
}

/** Pixels to values by the outermost ticks; every other tick must agree. */
function readAxis(
  ticks: readonly { readonly text: string; readonly pixel: number }[],
  unit: number,
  tolerance: number,
) {
  const read = ticks
    .map(({ text, pixel }) => ({ value: Number(text.replace("−", "-")) / unit, pixel }))
    .sort((a, b) => a.value - b.value);
  const [first, last] = [read[0], read.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const step = (last.pixel - first.pixel) / (last.value - first.value);
  for (const { value, pixel } of read) {
    if (!(Math.abs(first.pixel + (value - first.value) * step - pixel) <= tolerance)) {
      throw new Error(`the tick ${value} is not on its scale`);
    }
  }
  return {
    toValue: (pixel: number) => first.value + (pixel - first.pixel) / step,
    tolerance: Math.abs(tolerance / step),
  };
}

/** Lists differences between a drawing and a table; empty if they agree. */
export function findDifferences(
  read: ReadCurves,
  table: readonly (readonly CurveReading[])[],
): readonly string[] {
  if (read.series.length !== table.length)
    return [`${read.series.length} curves are drawn of ${table.length}`];
  const isClose = (a: number | null, b: number | null) =>
    a === null || b === null ? a === b : Math.abs(a - b) <= read.tolerance;
  return read.series.flatMap(({ points }, index) => {
    const rows = table[index] ?? [];
    if (points.length !== rows.length)
      return [`curve ${index}: ${points.length} marks for ${rows.length} values`];
    return points.flatMap((point, at) => {
      const row = rows[at];
      const isSame =
        row !== undefined &&
        point.k === row.k &&
        isClose(point.value, row.value) &&
        isClose(point.low, row.low) &&
        isClose(point.high, row.high);
      return isSame
        ? []
        : [`curve ${index}: drawn ${JSON.stringify(point)}, in the table ${JSON.stringify(row)}`];
    });
  });
}

/** Columns of the CSV file that identify a curve. */
export interface CurveRow extends CurveReading {
  readonly job: string;
  readonly group: string;
  /** The second group of a difference; empty for a level. */
  readonly minus: string;
  /** `pass@k` or `pass^k`. */
  readonly measure: string;
}

/** The rows of the CSV file of curves, whose cells may hold no line break. An empty cell is null. */
export function readCurvesCsv(text: string): readonly CurveRow[] {
  const [heading = [], ...rows] = text
    .trim()
    .split("\r\n")
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      ),
    );
  return rows.map((cells) => {
    const cell = (name: string) => cells[heading.indexOf(name)] ?? "";
    const number = (name: string) => (cell(name) === "" ? null : Number(cell(name)));
    return {
      job: cell("job"),
      group: cell("group"),
      minus: cell("minus"),
      measure: cell("measure"),
      k: Number(cell("k")),
      value: Number(cell("value")),
      low: number("low"),
      high: number("high"),
    };
  });
}
