"use client";

import { AgentMark } from "@/components/ui/agent-mark";
import type { Identified } from "@/lib/charts/identity";

import "./curve-panels.css";

const HEIGHT = 64;

/** A small plot of a group that has no line in a plot of many. */
export interface CurvePanel {
  readonly id: string;
  readonly title: string;
  /** Said to screen readers instead of the drawing. */
  readonly summary: string;
  /** Null where it has no curve. */
  readonly group: Identified | null;
  /** At the chosen k, as text. */
  readonly value: string;
  /** Paths in a square of 1000: its curve in ink, that of the first group in grey; null where there is no line. */
  readonly own: string | null;
  readonly beside: string | null;
}

/**
 * Groups that have no line in a plot of many, each in a small plot of its own. Drawn in the browser too: there are dozens, and
 * their lines are a third of what they are drawn with.
 */
export function CurvePanels({ panels }: { panels: readonly CurvePanel[] }) {
  if (panels.length === 0) return null;
  return (
    <ul className="curve-panels">
      {panels.map((panel) => (
        <Panel key={panel.id} panel={panel} />
      ))}
    </ul>
  );
}

function Panel({ panel: { title, summary, group, value, own, beside } }: { panel: CurvePanel }) {
  return (
    <li>
      <span className="curve-panel-name" title={title}>
        {group === null ? null : <AgentMark {...group} size={10} />}
        <span className="cut">{title}</span>
        <b>{value}</b>
      </span>
      <svg
        viewBox="0 0 1000 1000"
        preserveAspectRatio="none"
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={summary}
      >
        <path className="curve-panel-edge" d="M0 0H1000M0 1000H1000" />
        {beside === null ? null : <path className="curve-panel-beside" d={beside} />}
        {own === null ? null : <path className="curve-panel-own" d={own} />}
      </svg>
    </li>
  );
}
