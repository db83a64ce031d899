"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { Fragment, type KeyboardEvent, type PointerEvent, useState } from "react";

import { changeQuery, queryHref } from "@/components/ui/use-address-text";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { sumTokens, type Trial, type TrialPhases } from "@/lib/core/domain/trial";
import { formatCost, formatCount, formatPlural } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { Strip, StripColumn } from "@/lib/read/trial-reading";

import { drawArea, drawBars, drawTicks, LANE_HEIGHT } from "./strip-paths";

type TimedTrial = Pick<Trial, "time" | "phases" | "tokens">;

/** Shares of set-up, steps and verifier. Without a trace, all three are to scale. */
const SHARES = [9, 85, 6] as const;

/**
 * When it happened: phases, and one lane per measure of the steps. A click opens a step, dragging lists a range; arrows select
 * (Shift: several), Enter opens.
 */
export function StepStrip({ strip, trial }: { strip: Strip; trial: TimedTrial }) {
  const { columns, current, listed } = strip;
  const { at, aimed, span, handlers } = useStripPointer(columns, current);
  const column = columns[at];
  const words = span === null ? column && describeColumn(column) : describeSpan(columns, span);
  const hasSteps = columns.length > 1;
  const phases = listPhases(trial.phases);
  const shares = phases.map(({ durationMs }, nth) => {
    if (hasSteps && nth === 1) return `${SHARES[nth]}fr`;
    return durationMs === null ? "0px" : `minmax(2px, ${hasSteps ? SHARES[nth] : durationMs}fr)`;
  });
  return (
    <figure
      className="step-strip"
      aria-label="Timeline"
      style={{ gridTemplateColumns: `var(--strip-labels) ${shares.join(" ")}` }}
    >
      <figcaption className="caption cut">
        {aimed === null ? describeAgent(phases[1]?.durationMs ?? null, strip) : words}
      </figcaption>
      {phases.map(({ name, durationMs }, nth) =>
        durationMs === null || (hasSteps && nth === 1) ? null : (
          <span
            key={name}
            className="caption strip-phase"
            style={{ gridColumn: nth + 2 }}
            title={`${name} ${formatDuration(durationMs)}`}
          >
            <span>{name}</span> <span>{formatDuration(durationMs)}</span>
          </span>
        ),
      )}
      {listLanes(strip, trial).map(({ name, total, title, paths }, nth) => (
        <Fragment key={name}>
          <span className="caption strip-label" title={title} style={{ gridRow: nth + 2 }}>
            {name} <span className="muted">{total}</span>
          </span>
          {hasSteps ? (
            <svg
              viewBox={`0 0 ${columns.length} ${LANE_HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden="true"
              style={{ gridRow: nth + 2 }}
            >
              {Object.entries(paths).map(([kind, path]) => (
                <path key={kind} className={`strip-${kind}`} d={path} />
              ))}
            </svg>
          ) : null}
        </Fragment>
      ))}
      {hasSteps ? (
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
      ) : null}
    </figure>
  );
}

function listPhases({ environmentSetup, agentSetup, agentExecution, verifier }: TrialPhases) {
  const setup = [environmentSetup, agentSetup].flatMap((interval) => computeDurationMs(interval) ?? []);
  return [
    { name: "Setup", durationMs: setup.length === 0 ? null : setup.reduce((sum, one) => sum + one) },
    { name: "Agent", durationMs: computeDurationMs(agentExecution) },
    { name: "Verifier", durationMs: computeDurationMs(verifier) },
  ];
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
  readonly title?: string;
  /** Path data by CSS class. */
  readonly paths: Readonly<Record<string, string>>;
}

const NOT_RECORDED = "not recorded";

function listLanes(strip: Strip, { time, tokens }: TimedTrial): readonly Lane[] {
  const { columns, durationMs, outputTokens, contextTokens, nErrors } = strip;
  const wholeMs = computeDurationMs(time);
  const output = outputTokens ?? tokens.outputTokens;
  const nFound = columns.reduce((sum, one) => sum + one.nFound, 0);
  return [
    {
      name: "Time",
      total: formatDuration(wholeMs ?? durationMs),
      ...(durationMs === null ? {} : { title: `steps ${formatDuration(durationMs)}` }),
      paths: { bars: drawBars(columns.map((one) => one.durationMs)) },
    },
    {
      name: "Output tokens",
      total: output === null ? NOT_RECORDED : formatCount(output),
      title: `${formatCount(sumTokens(tokens))} tokens in all`,
      paths: { bars: drawBars(columns.map((one) => one.outputTokens)) },
    },
    {
      name: "Context",
      total: contextTokens === null ? NOT_RECORDED : `at most ${formatCount(contextTokens)}`,
      paths: { area: drawArea(columns.map((one) => one.contextTokens)) },
    },
    {
      name: "Errors",
      total: `${formatPlural(nErrors, "step")}${nFound === 0 ? "" : `, matches ${formatCount(nFound)}`}`,
      paths: {
        spoken: drawTicks(columns.map(({ isSpokenTo }) => Number(isSpokenTo))),
        errors: drawTicks(columns.map((one) => one.nErrors)),
        found: drawTicks(columns.map((one) => one.nFound)),
      },
    },
  ];
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

function describeAgent(durationMs: number | null, { costUsd, userCostUsd }: Strip): string {
  const agent = durationMs === null ? [] : [`Agent ${formatDuration(durationMs)}`];
  const cost = costUsd === null ? [] : [`steps cost $${formatCost(costUsd)}`];
  const ofUser = userCostUsd === null ? [] : [`including $${formatCost(userCostUsd)} for the user`];
  return [...agent, ...cost, ...ofUser].join(", ");
}

/** Clears the parameters of other tabs when a step opens the trace. */
const OTHER_TABS = { tab: "", file: "", line: "", end: "", view: "", test: "", attempt: "", from: "" };

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
    router.push(queryHref(pathname, changeQuery(search, { ...OTHER_TABS, ...values })), { scroll: false });
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
