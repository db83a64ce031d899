import { takeExcerpt } from "@/lib/core/domain/excerpt";
import { runInTime } from "@/lib/core/domain/run-in-time";
import type { ScanPlace } from "@/lib/core/domain/scanner";

import type { Conditions, ScanEvent, StepField, StepScanner } from "./scanner";

/** The first match as UTF-16 offsets, if any. */
type Match = readonly [start: number, end: number] | null;

export class TimedScan {
  msLeft: number;

  constructor(ms: number) {
    this.msLeft = ms;
  }

  match(pattern: RegExp, texts: readonly string[]): readonly Match[] | null {
    const start = performance.now();
    const matches = runInTime(() => texts.map((text) => findFirst(pattern, text)), this.msLeft);
    this.msLeft -= performance.now() - start;
    return matches;
  }
}

function findFirst(pattern: RegExp, text: string): Match {
  const found = pattern.exec(text);
  return found && [found.index, found.index + found[0].length];
}

/** Matching item with its last condition's match as `[field, start, end]`; null without text conditions. */
interface Fitting<Thing, Field> {
  readonly thing: Thing;
  readonly at: readonly [field: Field, start: number, end: number] | null;
}

export function selectFitting<Field extends string, Thing extends Readonly<Record<Field, string>>>(
  { has, not }: Conditions<Field>,
  things: readonly Thing[],
  scan: TimedScan,
): readonly Fitting<Thing, Field>[] | null {
  let left: readonly Fitting<Thing, Field>[] = things.map((thing) => ({ thing, at: null }));
  for (const [conditions, isWanted] of [[has, true] as const, [not, false] as const]) {
    for (const [field, pattern] of conditions) {
      if (left.length === 0) return left;
      const matches = scan.match(
        pattern,
        left.map(({ thing }) => thing[field]),
      );
      if (matches === null) return null;
      left = left.flatMap(({ thing, at }, index) => {
        const found = matches[index] ?? null;
        if ((found !== null) !== isWanted) return [];
        return { thing, at: found === null ? at : ([field, ...found] as const) };
      });
    }
  }
  return left;
}

export function scanEvents(
  scanner: StepScanner,
  all: readonly ScanEvent[],
  scan: TimedScan,
): readonly ScanPlace[] | null {
  const chosenEvents = selectEvents(scanner, all);
  const found = new Map<ScanEvent, Fitting<ScanEvent, StepField>>();
  for (const conditions of scanner.when) {
    const { role } = conditions;
    const events = role === null ? chosenEvents : chosenEvents.filter((event) => event.role === role);
    const fitting = selectFitting<StepField, ScanEvent>(conditions, events, scan);
    if (fitting === null) return null;
    for (const one of fitting) if (!found.has(one.thing)) found.set(one.thing, one);
  }
  const fitting = chosenEvents.flatMap((event) => found.get(event) ?? []);
  const chosen = scanner.repeats === 1 ? fitting : selectRepeated(fitting, scanner.repeats);
  const places = new Map<string, ScanPlace>();
  for (const { thing, at } of chosen) {
    if (places.has(thing.step)) continue;
    const [field, start, end] = at ?? ["message", 0, 0];
    const { file, step } = thing;
    places.set(step, { file, line: null, step, ...takeExcerpt(thing[field], start, end) });
  }
  return [...places.values()];
}

function selectEvents({ isAtEnd }: StepScanner, events: readonly ScanEvent[]): readonly ScanEvent[] {
  if (!isAtEnd) return events;
  const own = events.filter(({ role }) => role === "agent");
  const last = own.findLast(({ lane }) => lane === own[0]?.lane);
  return own.filter(({ step }) => step === last?.step);
}

/** Returns the events where a call has returned the same output `repeats` times, counting each step once. */
function selectRepeated(
  fitting: readonly Fitting<ScanEvent, StepField>[],
  repeats: number,
): readonly Fitting<ScanEvent, StepField>[] {
  const steps = new Map<string, Set<string>>();
  return fitting.filter(({ thing }) => {
    const call = JSON.stringify([thing.tool, thing.arguments, thing.output]);
    const known = steps.get(call) ?? new Set();
    steps.set(call, known);
    const isNew = !known.has(thing.step);
    known.add(thing.step);
    return isNew && known.size === repeats;
  });
}
