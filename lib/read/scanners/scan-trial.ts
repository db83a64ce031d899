import { takeExcerpt } from "@/lib/core/domain/excerpt";
import { PATTERN_MS, runInTime } from "@/lib/core/domain/run-in-time";
import type { ScanPlace, ScanResult } from "@/lib/core/domain/scanner";

import type {
  Conditions,
  FileField,
  FileScanner,
  ScanEvent,
  Scanner,
  StepField,
  StepScanner,
} from "./scanner";

export interface ScannedTrial {
  readonly events: readonly ScanEvent[];
  readonly paths: readonly string[];
  /** Passes text in pieces of whole lines until `use` returns false; skips binary files. */
  readonly readText: (path: string, use: (text: string) => boolean) => Promise<unknown>;
}

/** Matching milliseconds per trial, for all scanners. */
const TRIAL_MS = 20_000;
/** For all step scanners before each runs alone; they usually take a few. */
export const TOGETHER_MS = 200;
const MOST_CHARS = 32 << 20;
const MOST_PLACES = 20;

/** Limits the time per scanner, because a pattern may take practically forever on some text. Keeps earlier matches. */
export async function scanTrial(
  scanners: readonly Scanner[],
  trial: ScannedTrial,
): Promise<readonly ScanResult[]> {
  const results: ScanResult[] = [];
  let msLeft = TRIAL_MS;
  const start = performance.now();
  const found = scanSteps(scanners, trial.events);
  msLeft -= performance.now() - start;
  for (const scanner of scanners) {
    const ms = Math.min(PATTERN_MS, msLeft);
    const scan = new TimedScan(ms);
    const gathered = new GatheredPlaces(ms);
    if (scanner.scope === "steps")
      gathered.add(found.get(scanner) ?? scanEvents(scanner, trial.events, scan));
    else await scanFiles(scanner, trial, scan, gathered);
    msLeft -= ms - scan.msLeft;
    const { nPlaces, places, stopped } = gathered;
    const { id, version } = scanner;
    if (nPlaces > 0 || stopped !== null) results.push({ scanner: id, version, nPlaces, places, stopped });
  }
  return results;
}

function scanSteps(
  scanners: readonly Scanner[],
  events: readonly ScanEvent[],
): ReadonlyMap<Scanner, readonly ScanPlace[] | null> {
  const scan = new TimedScan(PATTERN_MS);
  const found = new Map<Scanner, readonly ScanPlace[] | null>();
  runInTime(() => {
    for (const scanner of scanners)
      if (scanner.scope === "steps") found.set(scanner, scanEvents(scanner, events, scan));
    return found;
  }, TOGETHER_MS);
  return found;
}

async function scanFiles(
  scanner: FileScanner,
  { paths, readText }: ScannedTrial,
  scan: TimedScan,
  gathered: GatheredPlaces,
): Promise<void> {
  const chosen = selectPaths(scanner, paths, scan);
  if (chosen === null) {
    gathered.add(null);
    return;
  }
  let charsLeft = MOST_CHARS;
  for (const [path, conditions] of chosen) {
    if (isFoundByPath(conditions)) {
      gathered.add([placeFile(path)]);
      continue;
    }
    let firstLine = 1;
    await readText(path, (text) => {
      if (charsLeft <= 0)
        gathered.stop(`It reads at most ${String(MOST_CHARS >> 20)} MiB of a trial's files.`);
      else gathered.add(scanText(conditions, { path, text, firstLine }, scan));
      charsLeft -= text.length;
      firstLine += text.split("\n").length - 1;
      return gathered.stopped === null;
    });
    if (gathered.stopped !== null) return;
  }
}

class GatheredPlaces {
  nPlaces = 0;
  readonly places: ScanPlace[] = [];
  stopped: string | null = null;
  private readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }

  add(found: readonly ScanPlace[] | null): void {
    if (found === null) {
      this.stop(
        this.ms > 0
          ? `It took more than ${(this.ms / 1_000).toFixed(1)} s.`
          : `Other scanners took all of the ${String(TRIAL_MS / 1_000)} s allowed per trial.`,
      );
      return;
    }
    this.nPlaces += found.length;
    this.places.push(...found.slice(0, MOST_PLACES - this.places.length));
  }

  stop(reason: string): void {
    this.stopped = reason;
  }
}

type FileConditions = Conditions<FileField>;

export function selectPaths(
  { when }: FileScanner,
  paths: readonly string[],
  scan: TimedScan,
): ReadonlyMap<string, readonly FileConditions[]> | null {
  const chosen = new Map<string, FileConditions[]>();
  const files = paths.map((path) => ({ path, text: "" }));
  for (const conditions of when) {
    const fitting = selectFitting<FileField, (typeof files)[number]>(pick(conditions, "path"), files, scan);
    if (fitting === null) return null;
    for (const { thing } of fitting)
      chosen.set(thing.path, [...(chosen.get(thing.path) ?? []), pick(conditions, "text")]);
  }
  return chosen;
}

function pick({ has, not }: FileConditions, field: FileField): FileConditions {
  const only = (all: FileConditions["has"]) => all.filter(([name]) => name === field);
  return { has: only(has), not: only(not) };
}

export function isFoundByPath(conditions: readonly FileConditions[]): boolean {
  return conditions.some(({ has, not }) => has.length + not.length === 0);
}

function placeFile(path: string): ScanPlace {
  return { file: path, line: null, step: null, before: "", match: "", after: "" };
}

/** Returns lines that match any condition; null on timeout. @param firstLine - from 1 */
export function scanText(
  conditions: readonly FileConditions[],
  { path, text, firstLine }: { readonly path: string; readonly text: string; readonly firstLine: number },
  scan: TimedScan,
): readonly ScanPlace[] | null {
  const lines = text.split("\n").map((line, at) => ({ path, text: line, line: firstLine + at }));
  const places = new Map<number, ScanPlace>();
  for (const own of conditions) {
    const fitting = selectFitting<FileField, (typeof lines)[number]>(own, lines, scan);
    if (fitting === null) return null;
    for (const { thing, at } of fitting) {
      const [, start, end] = at ?? ["text", 0, 0];
      if (!places.has(thing.line))
        places.set(thing.line, {
          file: path,
          line: thing.line,
          step: null,
          ...takeExcerpt(thing.text, start, end),
        });
    }
  }
  return [...places.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

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

function selectFitting<Field extends string, Thing extends Readonly<Record<Field, string>>>(
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
