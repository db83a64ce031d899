"use client";

import type { Identified } from "@/lib/core/charts/identity";

import { AgentMark } from "./agent-mark";

/** Rendered in the browser too: its data is a fifth of its markup. */
export function MarkedName({ mark, label, title }: { mark: Identified; label: string; title?: string }) {
  return (
    <span className="agent-name" title={title ?? label}>
      <AgentMark {...mark} />
      <span className="cut">{label}</span>
    </span>
  );
}
