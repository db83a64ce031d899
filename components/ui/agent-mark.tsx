import { type Identified, selectForm } from "@/lib/core/charts/identity";

const PATHS = [
  "M6 2.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2z",
  "M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  "M6 1.5 10.7 10H1.3z",
  "M2.3 2.3h7.4v7.4H2.3z",
  "M6 .9 11.1 6 6 11.1.9 6z",
  "M6 10.5 1.3 2h9.4z",
  "M4.4 1.2h3.2v3.2h3.2v3.2H7.6v3.2H4.4V7.6H1.2V4.4h3.2z",
  "M3.3 1.1 6 3.8l2.7-2.7 2.2 2.2L8.2 6l2.7 2.7-2.2 2.2L6 8.2l-2.7 2.7-2.2-2.2L3.8 6 1.1 3.3z",
  "M10.7 6 2 10.8V1.2z",
  "M1.3 6 10 1.2v9.6z",
  "M1.6 1.4h8.8L7.1 6l3.3 4.6H1.6L4.9 6z",
  "M6 1 7.4 4.5 11.1 4.7 8.3 7.1 9.2 10.8 6 8.8 2.8 10.8 3.7 7.1 0.9 4.7 4.6 4.5z",
] as const;

/** The agent's colour is the same on every page. */
export function colourOf(group: Identified): string {
  const { colour } = selectForm(group);
  return colour === 0 ? "var(--ink)" : `var(--id-${colour})`;
}

/** Centred on 0, 0 for use inside a drawing; `isCut` separates it from lines below it, `isHollow` draws its outline only. */
export function AgentShape({
  group,
  size = 10,
  isCut = true,
  isHollow,
}: {
  group: Identified;
  size?: number;
  isCut?: boolean;
  isHollow?: boolean | undefined;
}) {
  const { marker, core, ...form } = selectForm(group);
  const colour = colourOf(group);
  const paint =
    (isHollow ?? form.isHollow)
      ? { fill: "var(--paper)", stroke: colour, strokeWidth: 2 }
      : { fill: colour, ...(isCut ? { stroke: "var(--paper)", strokeWidth: 1.5 } : {}) };
  return (
    <g
      transform={size === 12 ? "translate(-6 -6)" : `scale(${(size / 12).toFixed(3)}) translate(-6 -6)`}
      strokeLinejoin="round"
    >
      <path className="agent-shape" d={PATHS[marker]} {...paint} />
      {core === null ? null : (
        <path d={core} fill="none" stroke={colour} strokeWidth={1.6} strokeLinecap="round" />
      )}
    </g>
  );
}

/** Decorative: the name must be next to it. */
export function AgentMark({ size = 11, ...group }: Identified & { size?: number }) {
  return (
    <svg className="agent-mark" width={size} height={size} viewBox="-6 -6 12 12" aria-hidden="true">
      <AgentShape group={group} size={12} isCut={false} />
    </svg>
  );
}
