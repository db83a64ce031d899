"use client";

import { AgentMark } from "@/components/ui/agent-mark";
import type { Identified } from "@/lib/core/charts/identity";

import "./curve-panels.css";

const HEIGHT = 64;

export interface CurvePanel {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly group: Identified | null;
  readonly value: string;
  readonly own: string | null;
  readonly beside: string | null;
}

/** Rendered in the browser too: there are dozens, and their paths are a third of their markup. */
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
