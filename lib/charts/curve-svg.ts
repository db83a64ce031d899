import { formatPoints, formatReward } from "@/lib/format/number";

import { type ChartGroup, selectForm } from "./chart-group";
import type { CurveChart, CurveSeries } from "./curve-chart";
import { fitLabels } from "./curve-labels";
import { CURVE_LAYOUT, LABEL_PLACES, PATH_SIZE, PLOT_HEIGHT, RECORDED_RADIUS } from "./curve-layout";
import { fitText, measureText, wrapText } from "./text-fit";

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
}

const PLOT_WIDTHS = { level: 290, difference: 240 } as const;
/** The most that names beside a plot take; longer ones are written out below. */
const MOST_LABEL_ROOM = 260;
const PLAIN_ROOM = 12;
const HEAD_TOP = 36;
const TITLE = { size: 18, isBold: true } as const;
const TITLE_LINE = 24;
const GAP = 24;
const MARGIN = 24;
const LINE = 17;

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * The charts side by side as one SVG document that needs nothing around it: title above; below, the names that were too long
 * for their place, and the caption.
 *
 * @param words - both are broken into lines as wide as the drawing
 */
export function formatCurvesSvg(
  charts: readonly CurveChart[],
  words: { readonly title: string; readonly caption: string },
  forms: SvgForms,
): string {
  const panels = charts.map((chart) => ({ chart, ...fitPanel(chart) }));
  const width =
    panels.reduce((sum, panel) => sum + panel.width, 0) + GAP * Math.max(0, panels.length - 1) + 2 * MARGIN;
  const room = width - 2 * MARGIN;
  const titles = wrapText(words.title, room, TITLE);
  const legend = listCutGroups(panels);
  const captions = wrapText(words.caption, room);
  const panelTop = HEAD_TOP + titles.length * TITLE_LINE + 4;
  const legendTop = panelTop + 24 + CURVE_LAYOUT.height + LINE;
  const captionTop = legendTop + legend.length * LINE;
  const height = captionTop + captions.length * LINE + MARGIN - LINE;
  let x = MARGIN;
  const drawn = panels.map((panel) => {
    const markup = `<g class="curve-panel" transform="translate(${x} ${panelTop})">${drawPanel(panel, forms)}</g>`;
    x += panel.width + GAP;
    return markup;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Geist, system-ui, sans-serif" font-size="12" fill="${forms.muted}">`,
    `<title>${escapeXml(words.title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${forms.paper}"/>`,
    ...titles.map(
      (line, index) =>
        `<text x="${MARGIN}" y="${HEAD_TOP + index * TITLE_LINE}" font-size="${TITLE.size}" font-weight="600" fill="${forms.ink}">${escapeXml(line)}</text>`,
    ),
    ...drawn,
    ...legend.map((group, index) => {
      const y = legendTop + index * LINE;
      return `<g class="curve-legend">${drawMarker(group, MARGIN + 5, y - 4, forms)}<text x="${MARGIN + 16}" y="${y}" fill="${forms.ink}">${escapeXml(fitText(group.label, room - 16))}</text></g>`;
    }),
    ...captions.map(
      (line, index) => `<text x="${MARGIN}" y="${captionTop + index * LINE}">${escapeXml(line)}</text>`,
    ),
    "</svg>\n",
  ].join("\n");
}

interface Panel extends ReturnType<typeof fitPanel> {
  readonly chart: CurveChart;
}

function fitPanel(chart: CurveChart) {
  const { labels, room } = fitLabels(chart, MOST_LABEL_ROOM);
  const right = labels.length === 0 ? PLAIN_ROOM : room;
  const plotWidth = PLOT_WIDTHS[chart.kind];
  return { labels, plotWidth, width: CURVE_LAYOUT.left + plotWidth + right };
}

/** Groups whose names do not stand in full beside their curves, each once. */
function listCutGroups(panels: readonly Panel[]): readonly ChartGroup[] {
  const cut = panels.flatMap(({ chart, labels }) =>
    chart.kind === "difference"
      ? []
      : chart.series.flatMap(({ group }) =>
          labels.some((label) => label.group.id === group.id && label.name === group.label) ? [] : [group],
        ),
  );
  return [...new Map(cut.map((group) => [group.id, group])).values()];
}

function drawPanel({ chart, labels, plotWidth, width }: Panel, forms: SvgForms): string {
  const { left, top } = CURVE_LAYOUT;
  const noteRoom = width - measureText(`${chart.title} `, { isBold: true });
  const head = `<text y="12"><tspan font-weight="600" fill="${forms.ink}">${escapeXml(chart.title)}</tspan> ${escapeXml(fitText(chart.note, noteRoom, 0))}</text>`;
  const names = labels.map(
    ({ group, name, value, top: at }) =>
      `<g class="curve-label" transform="translate(${plotWidth} ${at * PLOT_HEIGHT})"><title>${escapeXml(group.label)}</title>${drawMarker(group, LABEL_PLACES.marker, 0, forms)}<text x="${LABEL_PLACES.text}" y="4" fill="${forms.ink}">${escapeXml(name)}<tspan font-weight="600" dx="${LABEL_PLACES.gap}">${value}</tspan></text></g>`,
  );
  return [
    head,
    `<g class="curve-plot" transform="translate(${left} ${20 + top})">`,
    drawAxes(chart, plotWidth, forms),
    ...chart.series.map((series) => drawSeries(series, chart, plotWidth, forms)),
    ...names,
    "</g>",
  ].join("\n");
}

function drawAxes(chart: CurveChart, width: number, forms: SvgForms): string {
  const rows = chart.yTicks.map((tick) => {
    const y = (1 - tick.at) * PLOT_HEIGHT;
    const colour = tick.value === 0 ? forms.muted : forms.line;
    return `<path class="curve-grid" d="M0 ${y}H${width}" stroke="${colour}"/><text class="curve-y-tick" x="-8" y="${y + 4}" text-anchor="end">${tick.label}</text>`;
  });
  const columns = chart.xTicks.map(
    (tick) =>
      `<text class="curve-x-tick" x="${tick.at * width}" y="${PLOT_HEIGHT + 18}" text-anchor="middle">${tick.label}</text>`,
  );
  const title = `<text x="${width / 2}" y="${PLOT_HEIGHT + 36}" text-anchor="middle">k (attempts)</text>`;
  const corner = (text: string, y: number) =>
    `<text x="${width - 4}" y="${y}" text-anchor="end">${escapeXml(fitText(text, width - 8))}</text>`;
  const corners =
    chart.corners === null
      ? []
      : [corner(chart.corners.above, 14), corner(chart.corners.below, PLOT_HEIGHT - 6)];
  return [...rows, ...columns, title, ...corners].join("\n");
}

function selectColour(group: ChartGroup, forms: SvgForms): string {
  return group.isPlain ? forms.ink : (forms.colours[group.identity] ?? forms.ink);
}

/** A group's marker around a point, in pixels; `content` stands within it. */
function drawMarker(group: ChartGroup, x: number, y: number, forms: SvgForms, content = ""): string {
  const { marker, isHollow, core } = selectForm(group);
  const colour = selectColour(group, forms);
  const [fill, stroke, line] = isHollow ? [forms.paper, colour, 2] : [colour, forms.paper, 1.5];
  const inner =
    core === null
      ? ""
      : `<path d="${core}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linecap="round"/>`;
  return `<g class="curve-point" transform="translate(${x} ${y}) scale(.83) translate(-6 -6)">${content}<path d="${forms.markers[marker] ?? ""}" fill="${fill}" stroke="${stroke}" stroke-width="${line}"/>${inner}</g>`;
}

function drawSeries(series: CurveSeries, chart: CurveChart, width: number, forms: SvgForms): string {
  const { group } = series;
  const colour = selectColour(group, forms);
  const stretch = `transform="scale(${width / PATH_SIZE} ${PLOT_HEIGHT / PATH_SIZE})"`;
  const { dash } = selectForm(group);
  const format = chart.kind === "difference" ? formatPoints : formatReward;
  const bands = series.bands.map(
    (band) =>
      `<path class="curve-band" d="${band}" ${stretch} fill="${colour}" fill-opacity="${chart.bandOpacity}"/>`,
  );
  const line = `<path class="curve-line" d="${series.line}" ${stretch} fill="none" stroke="${colour}" stroke-width="1.75" vector-effect="non-scaling-stroke"${dash === undefined ? "" : ` stroke-dasharray="${dash}"`}/>`;
  const whiskers = series.whiskers.map(
    ({ at, lowTop, highTop }) =>
      `<path class="curve-whisker" d="M${at * width} ${lowTop * PLOT_HEIGHT}V${highTop * PLOT_HEIGHT}" stroke="${colour}" stroke-width="1.75"/>`,
  );
  const marks = series.points.map((point) => {
    const title = `<title>${escapeXml(group.label)}, k = ${point.k}: ${format(point.value)}</title>`;
    return drawMarker(group, point.at * width, point.top * PLOT_HEIGHT, forms, title);
  });
  const rings = series.recorded.map(
    (mark) =>
      `<circle class="curve-recorded" cx="${mark.at * width}" cy="${mark.top * PLOT_HEIGHT}" r="${RECORDED_RADIUS}" fill="none" stroke="${colour}" stroke-width="1.25"/>`,
  );
  return [`<g class="curve-series">`, ...bands, line, ...whiskers, ...marks, ...rings, "</g>"].join("\n");
}
