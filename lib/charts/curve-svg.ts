import { formatPoints, formatReward } from "@/lib/format/number";

import type { ChartGroup } from "./chart-group";
import { CURVE_LAYOUT, type CurveChart, type CurveSeries, PATH_SIZE, PLOT_HEIGHT } from "./curve-chart";

/** Forms and colours for a drawing that has no style sheet around it. */
export interface SvgForms {
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly paper: string;
  /** By identity, 0 first. */
  readonly colours: readonly string[];
  /** Marker paths on a 12 unit grid, by identity. */
  readonly markers: readonly string[];
  readonly dashOf: (group: ChartGroup) => string | undefined;
}

const LEVEL_WIDTH = 330;
const DIFFERENCE_WIDTH = 280;
const CHARACTER_WIDTH = 7.2;
const HEAD = 64;
const GAP = 24;
const MARGIN = 24;
const LINE_HEIGHT = 17;
const CHARACTERS_PER_LINE = 0.155;

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * The charts side by side as one SVG document that needs nothing around it: title above, caption below.
 *
 * @param caption - wrapped to the width of the drawing
 */
export function formatCurvesSvg(
  charts: readonly CurveChart[],
  words: { readonly title: string; readonly caption: string },
  forms: SvgForms,
): string {
  const widths = charts.map(
    (chart) => (chart.kind === "level" ? LEVEL_WIDTH : DIFFERENCE_WIDTH) + measureLabels(chart),
  );
  const width = widths.reduce((sum, one) => sum + one, 0) + GAP * Math.max(0, charts.length - 1) + 2 * MARGIN;
  const lines = wrapText(words.caption, Math.floor(width * CHARACTERS_PER_LINE));
  const height = HEAD + 24 + CURVE_LAYOUT.height + lines.length * LINE_HEIGHT + MARGIN;
  let x = MARGIN;
  const panels = charts.map((chart, index) => {
    const panel = `<g transform="translate(${x} ${HEAD})">${drawPanel(chart, widths[index] ?? 0, forms)}</g>`;
    x += (widths[index] ?? 0) + GAP;
    return panel;
  });
  const caption = lines.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${HEAD + 40 + CURVE_LAYOUT.height + index * LINE_HEIGHT}">${escapeXml(line)}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Geist, system-ui, sans-serif" font-size="12" fill="${forms.muted}">`,
    `<title>${escapeXml(words.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${forms.paper}"/>`,
    `<text x="${MARGIN}" y="36" font-size="18" font-weight="600" fill="${forms.ink}">${escapeXml(words.title)}</text>`,
    ...panels,
    ...caption,
    "</svg>\n",
  ].join("\n");
}

/** Room for the names beside the plot. */
function measureLabels(chart: CurveChart): number {
  if (chart.endLabels.length === 0) return 12;
  return 24 + (6 + Math.max(...chart.endLabels.map(({ group }) => group.label.length))) * CHARACTER_WIDTH;
}

function wrapText(text: string, length: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > length) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

function drawPanel(chart: CurveChart, width: number, forms: SvgForms): string {
  const { left, top } = CURVE_LAYOUT;
  const plotWidth = width - left - measureLabels(chart);
  const head = `<text y="12"><tspan font-weight="600" fill="${forms.ink}">${escapeXml(chart.title)}</tspan> ${escapeXml(chart.note)}</text>`;
  const labels = chart.endLabels.map(
    ({ group, value, top: at }) =>
      `<text x="${plotWidth + 11}" y="${at * PLOT_HEIGHT + 4}" fill="${forms.ink}">${escapeXml(group.label)} <tspan font-weight="600">${value}</tspan></text>`,
  );
  return [
    head,
    `<g transform="translate(${left} ${20 + top})">`,
    drawAxes(chart, plotWidth, forms),
    ...chart.series.map((series) => drawSeries(series, chart, plotWidth, forms)),
    ...labels,
    "</g>",
  ].join("\n");
}

function drawAxes(chart: CurveChart, width: number, forms: SvgForms): string {
  const rows = chart.yTicks.map((tick) => {
    const y = (1 - tick.at) * PLOT_HEIGHT;
    const colour = tick.value === 0 ? forms.muted : forms.line;
    return `<path d="M0 ${y}H${width}" stroke="${colour}"/><text x="-8" y="${y + 4}" text-anchor="end">${tick.label}</text>`;
  });
  const columns = chart.xTicks.map(
    (tick) =>
      `<text x="${tick.at * width}" y="${PLOT_HEIGHT + 18}" text-anchor="middle">${tick.label}</text>`,
  );
  const title = `<text x="${width / 2}" y="${PLOT_HEIGHT + 36}" text-anchor="middle">k, attempts drawn</text>`;
  const corners =
    chart.corners === null
      ? ""
      : `<text x="${width - 4}" y="14" text-anchor="end">${escapeXml(chart.corners.above)}</text><text x="${width - 4}" y="${PLOT_HEIGHT - 6}" text-anchor="end">${escapeXml(chart.corners.below)}</text>`;
  return [...rows, ...columns, title, corners].join("\n");
}

function drawSeries(series: CurveSeries, chart: CurveChart, width: number, forms: SvgForms): string {
  const { group } = series;
  const colour = group.isPlain ? forms.ink : (forms.colours[group.identity] ?? forms.ink);
  const stretch = `transform="scale(${width / PATH_SIZE} ${PLOT_HEIGHT / PATH_SIZE})"`;
  const dash = forms.dashOf(group);
  const isHollow = !group.isPlain && (group.variant > 0 || group.identity === 0);
  const path = forms.markers[group.isPlain ? 1 : group.identity] ?? "";
  const format = chart.kind === "difference" ? formatPoints : formatReward;
  const bands = series.bands.map(
    (band) => `<path d="${band}" ${stretch} fill="${colour}" fill-opacity="${chart.bandOpacity}"/>`,
  );
  const line = `<path d="${series.line}" ${stretch} fill="none" stroke="${colour}" stroke-width="1.75" vector-effect="non-scaling-stroke"${dash === undefined ? "" : ` stroke-dasharray="${dash}"`}/>`;
  const marks = series.points.map(
    (point) =>
      `<path d="${path}" transform="translate(${point.at * width} ${point.top * PLOT_HEIGHT}) scale(.83) translate(-6 -6)" fill="${isHollow ? forms.paper : colour}" stroke="${isHollow ? colour : forms.paper}" stroke-width="1.5"><title>${escapeXml(group.label)}, k = ${point.k}: ${format(point.value)}</title></path>`,
  );
  const rings = series.recorded.map(
    (mark) =>
      `<circle cx="${mark.at * width}" cy="${mark.top * PLOT_HEIGHT}" r="7.5" fill="none" stroke="${colour}" stroke-width="1.25"/>`,
  );
  return [...bands, line, ...marks, ...rings].join("\n");
}
