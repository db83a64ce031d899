"use client";

import type { Identified } from "@/lib/charts/identity";

import { AgentMark } from "./agent-mark";

import "./agent-name.css";

/** A marker and the label beside it, drawn in the browser too: what both are drawn from is a fifth of the drawing. */
export function MarkedName({ mark, label, title }: { mark: Identified; label: string; title?: string }) {
  return (
    <span className="agent-name" title={title ?? label}>
      <AgentMark {...mark} />
      <span className="cut">{label}</span>
    </span>
  );
}
