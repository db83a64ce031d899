import type { SVGAttributes } from "react";

import { AgentShape } from "@/components/ui/agent-mark";
import type { CurveChart } from "@/lib/core/charts/curve-chart";
import { fitLabels, PLOT_HEIGHT, PLOT_MARGINS } from "@/lib/core/charts/curve-layout";
import { fitText, measureText, wrapText } from "@/lib/core/charts/text-fit";

import { CurvePlot } from "./plot";

const PLOT_WIDTH = 290;
/** Pixels for names next to a plot; longer names are written below. */
const MOST_LABEL_ROOM = 260;
const MARGIN = 24;
const GAP = 24;
const LINE = 17;
const TITLE = { size: 18, isBold: true } as const;
const TITLE_LINE = 24;
const HEAD = 20;

export function CurvesFile({
  charts,
  title,
  caption,
}: {
  charts: readonly CurveChart[];
  title: string;
  caption: string;
}) {
  const { panels, cut, width } = placePanels(charts);
  const room = width - 2 * MARGIN;
  const titles = wrapText(title, room, TITLE);
  const captions = wrapText(caption, room);
  const titleTop = 1.5 * MARGIN;
  const panelTop = titleTop + titles.length * TITLE_LINE + 4;
  const head = HEAD + (panels.some(({ isNoteBelow }) => isNoteBelow) ? LINE : 0);
  const cutTop = panelTop + head + PLOT_MARGINS.top + PLOT_HEIGHT + PLOT_MARGINS.bottom + LINE;
  const captionTop = cutTop + cut.length * LINE;
  const height = captionTop + captions.length * LINE + MARGIN - LINE;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fontFamily="Geist, system-ui, sans-serif"
      fontSize={12}
      fill="var(--muted)"
    >
      <title>{title}</title>
      <rect width={width} height={height} fill="var(--paper)" />
      <Lines
        lines={titles}
        top={titleTop}
        step={TITLE_LINE}
        paint={{ fontSize: TITLE.size, fontWeight: 600, fill: "var(--ink)" }}
      />
      {panels.map((panel) => (
        <PanelOfFile key={panel.chart.id} panel={panel} top={panelTop} head={head} />
      ))}
      {cut.map((group, index) => (
        <g
          key={group.id}
          className="curve-legend"
          transform={`translate(${MARGIN} ${cutTop + index * LINE})`}
        >
          <g transform="translate(5 -4)">
            <AgentShape group={group} />
          </g>
          <text x={16} fill="var(--ink)">
            {fitText(group.label, room - 16)}
          </text>
        </g>
      ))}
      <Lines lines={captions} top={captionTop} step={LINE} />
    </svg>
  );
}

function Lines({
  lines,
  top,
  step,
  paint,
}: {
  lines: readonly string[];
  top: number;
  step: number;
  paint?: SVGAttributes<SVGTextElement>;
}) {
  return lines.map((line, index) => (
    <text key={index} x={MARGIN} y={top + index * step} {...paint}>
      {line}
    </text>
  ));
}

function placePanels(charts: readonly CurveChart[]) {
  let right = MARGIN;
  const panels = charts.map((chart) => {
    const { labels, room } = fitLabels(chart, MOST_LABEL_ROOM);
    const width = PLOT_MARGINS.left + PLOT_WIDTH + room;
    const titleWidth = measureText(`${chart.title} `, { isBold: true });
    const isNoteBelow = titleWidth + measureText(chart.note) > width;
    const panel = { chart, labels, x: right, width, isNoteBelow };
    right += panel.width + GAP;
    return panel;
  });
  const whole = new Set(panels.flatMap(({ labels }) => labels.map(({ name }) => name)));
  const groups = new Map(
    charts.flatMap(({ series }) => series.map(({ group }) => [group.id, group] as const)),
  );
  const cut = [...groups.values()].filter(({ label }) => !whole.has(label));
  return { panels, cut, width: right - GAP + MARGIN };
}

function PanelOfFile({
  panel: { chart, labels, x, width, isNoteBelow },
  top,
  head,
}: {
  panel: ReturnType<typeof placePanels>["panels"][number];
  top: number;
  head: number;
}) {
  const noteTop = head - HEAD + 12;
  return (
    <g className="curve-panel" transform={`translate(${x} ${top})`}>
      <text y={isNoteBelow ? noteTop - LINE : noteTop}>
        <tspan fontWeight={600} fill="var(--ink)">
          {chart.title}
        </tspan>{" "}
        {isNoteBelow ? null : chart.note}
      </text>
      {isNoteBelow ? <text y={noteTop}>{fitText(chart.note, width, 0)}</text> : null}
      <svg
        x={PLOT_MARGINS.left}
        y={head + PLOT_MARGINS.top}
        width={PLOT_WIDTH}
        height={PLOT_HEIGHT}
        overflow="visible"
      >
        <CurvePlot chart={chart} labels={labels} />
      </svg>
    </g>
  );
}

const COLOURS: Readonly<Record<string, string>> = {
  ink: "#17191c",
  muted: "#5c6066",
  line: "#e3e2dc",
  "line-strong": "#838588",
  paper: "#ffffff",
  "id-1": "#0072b2",
  "id-2": "#c26a00",
  "id-3": "#a8437f",
  "id-4": "#3d4146",
  "id-5": "#00856a",
  "id-6": "#857a00",
};

/** Replaces CSS variables by colours in the markup, for programs that do not support them. */
export function writeColours(markup: string): string {
  return markup.replaceAll(/="var\(--([\w-]+)\)"/g, (_, name: string) => `="${COLOURS[name] ?? "none"}"`);
}
