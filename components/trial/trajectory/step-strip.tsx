"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type KeyboardEvent, type PointerEvent, useState } from "react";

import { changeQuery, queryHref } from "@/components/ui/use-address-text";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { TrialPhases } from "@/lib/core/domain/trial";
import { formatCost, formatCount, formatPlural, MISSING } from "@/lib/core/format/number";

import "./step-strip.css";
import { formatDuration } from "@/lib/core/format/time";
import type { Strip, StripColumn } from "@/lib/read/trial-reading";

import { drawArea, drawBars, drawSteps, drawTicks, LANE_HEIGHT } from "./strip-paths";

const MOST_COLUMN_PX = 24;
/** Minimum width of the strip in pixels, so that labels above the lanes fit. */
const LEAST_PX = 240;

/** One lane per measure. A click opens a step, dragging lists a range; arrows select (Shift: several), Enter opens. */
export function StepStrip({ strip, phases }: { strip: Strip; phases: TrialPhases }) {
  const { columns, current, listed } = strip;
  const { at, aimed, span, handlers } = useStripPointer(columns, current);
  const column = columns[at];
  const words = span === null ? column && describeColumn(column) : describeSpan(columns, span);
  const lanes = listLanes(strip);
  return (
    <figure className="step-strip" aria-label="All steps">
      <div
        className="strip-lanes"
        style={{
          maxWidth: `max(${LEAST_PX}px, calc(var(--strip-labels) + ${columns.length * MOST_COLUMN_PX}px))`,
        }}
      >
        {lanes.map(({ name, total, path, kind }) => (
          <div key={name} className="strip-lane">
            <span className="strip-label">
              {name} <span className="muted">{total}</span>
            </span>
            <svg
              viewBox={`0 0 ${columns.length} ${LANE_HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <path className={`strip-${kind}`} d={path} />
            </svg>
          </div>
        ))}
        <div
          className="strip-pointer"
          role="slider"
          tabIndex={0}
          aria-label="Step"
          aria-valuemin={1}
          aria-valuemax={columns.length}
          aria-valuenow={at + 1}
          aria-valuetext={words}
          {...handlers}
        >
          {listed === null || isWhole(listed, columns.length) ? null : (
            <span className="strip-listed" style={placeSpan(listed, columns.length)} />
          )}
          {current === null ? null : (
            <span className="strip-current" style={placeSpan([current, current], columns.length)} />
          )}
          {aimed === null ? null : (
            <span
              className={span === null ? "strip-aimed" : "strip-drawn"}
              style={placeSpan(span ?? [aimed, aimed], columns.length)}
            />
          )}
        </div>
      </div>
      <figcaption className="caption">{aimed === null ? describePhases(phases, strip) : words}</figcaption>
    </figure>
  );
}

function placeSpan([first, last]: readonly [number, number], n: number) {
  return { left: `${(100 * first) / n}%`, width: `${(100 * (last - first + 1)) / n}%` };
}

function isWhole([first, last]: readonly [number, number], n: number): boolean {
  return first === 0 && last === n - 1;
}

interface Lane {
  readonly name: string;
  readonly total: string;
  readonly path: string;
  readonly kind: "steps" | "bars" | "area" | "errors" | "found";
}

function listLanes({ columns, durationMs, outputTokens, contextTokens, nErrors }: Strip): readonly Lane[] {
  const lanes: Lane[] = [];
  const add = (name: string, total: string, kind: Lane["kind"], path: string) =>
    lanes.push({ name, total, kind, path });
  const nSteps = columns.reduce((sum, one) => sum + one.nSteps, 0);
  add("Steps", formatCount(nSteps), "steps", drawSteps(columns));
  if (durationMs !== null)
    add("Time", formatDuration(durationMs), "bars", drawBars(columns.map((one) => one.durationMs)));
  if (outputTokens !== null)
    add("Output tokens", formatCount(outputTokens), "bars", drawBars(columns.map((one) => one.outputTokens)));
  if (contextTokens !== null)
    add(
      "Context",
      `at most ${formatCount(contextTokens)}`,
      "area",
      drawArea(columns.map((one) => one.contextTokens)),
    );
  const nFound = columns.reduce((sum, one) => sum + one.nFound, 0);
  if (nErrors > 0)
    add("Errors", formatPlural(nErrors, "step"), "errors", drawTicks(columns.map((one) => one.nErrors)));
  if (nFound > 0)
    add("Matches", formatPlural(nFound, "step"), "found", drawTicks(columns.map((one) => one.nFound)));
  return lanes;
}

function describeColumn(column: StripColumn): string {
  const { key, nSteps, label, durationMs, outputTokens, contextTokens, nErrors } = column;
  const facts = [
    nSteps === 1 ? `${key} ${label}` : `${formatPlural(nSteps, "step")} from ${key}: ${label}`,
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(outputTokens === null ? [] : [`${formatCount(outputTokens)} tokens written`]),
    ...(contextTokens === null ? [] : [`${formatCount(contextTokens)} in context`]),
    ...(nErrors === 0 ? [] : [nSteps === 1 ? "error" : formatPlural(nErrors, "error")]),
  ];
  return facts.join(", ");
}

function describeSpan(columns: readonly StripColumn[], [first, last]: readonly [number, number]): string {
  const drawn = columns.slice(first, last + 1);
  const nSteps = drawn.reduce((sum, one) => sum + one.nSteps, 0);
  return `List ${formatPlural(nSteps, "step")}, ${drawn[0]?.key ?? ""} to ${drawn.at(-1)?.lastKey ?? ""}`;
}

function describePhases(phases: TrialPhases, { costUsd, userCostUsd }: Strip): string {
  const said = [
    ["environment set-up", phases.environmentSetup],
    ["agent set-up", phases.agentSetup],
    ["agent", phases.agentExecution],
    ["verifier", phases.verifier],
  ] as const;
  const words = said.flatMap(([name, interval]) => {
    const durationMs = computeDurationMs(interval);
    return durationMs === null ? [] : [`${name} ${formatDuration(durationMs)}`];
  });
  const cost = costUsd === null ? [] : [`steps cost $${formatCost(costUsd)}`];
  const ofUser = userCostUsd === null ? [] : [`including $${formatCost(userCostUsd)} for the user`];
  return [...words, ...cost, ...ofUser].join(", ") || `phases ${MISSING}`;
}

type Span = readonly [number, number];

/** Pointer and keys of the strip: select a column, or drag over several to list them. Keys begin at `current`, null for none. */
function useStripPointer(columns: readonly StripColumn[], current: number | null) {
  const [aimed, setAimed] = useState<number | null>(null);
  const [start, setStart] = useState<number | null>(null);
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const at = aimed ?? current ?? 0;
  const span: Span | null =
    start === null || aimed === null || start === aimed
      ? null
      : [Math.min(start, aimed), Math.max(start, aimed)];
  const clamp = (column: number) => Math.min(columns.length - 1, Math.max(0, column));

  function aim({ currentTarget, clientX }: PointerEvent<HTMLElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    return clamp(Math.floor(((clientX - left) / width) * columns.length));
  }

  function clear() {
    setAimed(null);
    setStart(null);
  }

  function open() {
    setStart(null);
    const [from, to] = (span ?? [at, at]).map((column) => columns[column]);
    if (from === undefined || to === undefined) return;
    const values: Readonly<Record<string, string>> =
      span === null ? { step: from.key } : { step: "", range: `${from.key}..${to.lastKey}` };
    router.push(queryHref(pathname, changeQuery(search, { from: "", ...values })), { scroll: false });
  }

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setAimed(aim(event));
      setStart(aim(event));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => setAimed(aim(event)),
    onPointerUp: () => {
      if (start !== null) open();
    },
    onPointerCancel: clear,
    onPointerLeave: clear,
    onBlur: clear,
    onKeyDown: (event: KeyboardEvent) => {
      const to = STRIDES[event.key]?.(at, columns.length);
      if (to !== undefined) {
        setStart(event.shiftKey ? (start ?? at) : null);
        setAimed(clamp(to));
      } else if (event.key === "Enter") open();
      else if (event.key === "Escape") clear();
      else return;
      event.preventDefault();
    },
  };
  return { at, aimed, span, handlers };
}

const STRIDES: Readonly<Record<string, (at: number, n: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 10,
  PageDown: (at) => at + 10,
  Home: () => 0,
  End: (_, n) => n - 1,
};
