import { compareNames } from "@/lib/core/domain/compare-text";
import type { TraceSource } from "@/lib/core/domain/trajectory";

import { chooseStepFolders } from "../detail/list-trial-files";
import { findReader } from "./open-log";
import { CAST, PANE, PLAIN_LOG } from "./recording";
import type { TraceReader } from "./trace-reader";
import { TRACE_READERS } from "./trace-readers";

const PLACE = /^(?:steps\/([^/]+)\/)?(?:agent|artifacts\/agent|verifier)\//u;
/** Agents whose own folder Harbor does not collect leave their trace here. */
const COLLECTED = /^(?:steps\/[^/]+\/)?artifacts\/trajectory\.json$/u;
const SPANS = /otlp[^/]*\.jsonl?$/u;
const READABLE = /^[^/]+\.(?:jsonl?|ndjson|txt|log|md|cast|pane)$|\.jsonl$/u;
const BESIDE =
  /(?:^|\/)(?:setup|command-\d+|todos|statsig|debug|compactions|node_modules|(?:persisted-)?tool-results)\/|\.checkpoint\.|\.lock$|(?:^|\/)sessions\.json$|(?:^|\/)trajectory\.[^/]+\.json$/u;
const NUMBERED = /^(.*(?:episode-|\/events\/))(\d+)(?:\/response\.(?:json|txt)|\.json)$/u;
const MAX_CANDIDATES = 200;

export interface FoundSource extends TraceSource {
  readonly starts: readonly TrajectoryStart[];
}

export interface TrajectoryStart {
  readonly file: string;
  readonly phase: string | null;
  readonly reader: TraceReader | null;
}

interface Recognised extends Omit<TrajectoryStart, "reader"> {
  readonly reader: TraceReader;
  readonly startedMs: number | null;
}

/** Returns traces, richest first. The same log across steps counts once, as do the sessions of one folder. */
export async function findSources(
  trialPath: string,
  listed: readonly string[],
  stepNames: readonly string[] | null,
) {
  const phases = await chooseStepFolders(trialPath, stepNames);
  const recognised: Recognised[] = [];
  const unknown: { path: string; reason: string }[] = [];
  const { candidates, nLeftOut } = listCandidates(listed, phases);
  for (const start of candidates) {
    const found = await findReader(trialPath, start.file);
    if (found === null || (COLLECTED.test(start.file) && !found.isAtif)) continue;
    if (found.reader !== null)
      recognised.push({ ...start, reader: found.reader, startedMs: found.startedMs });
    else unknown.push({ path: start.file, reason: found.reason });
  }
  const structured = recognised.filter(({ reader }) => reader !== PLAIN_LOG);
  const offered = structured.some(
    ({ reader, file }) => reader !== CAST && reader !== PANE && !COLLECTED.test(file),
  )
    ? structured
    : recognised;
  const groups = Map.groupBy(dropParts(offered), nameGroup);
  const sources = [...groups.values()].flatMap((group) => makeSource(group, phases));
  sources.sort((a, b) => a.rank - b.rank || compareNames(a.path, b.path));
  return { sources: sources.map(({ rank: _, ...source }) => source), unknown, nLeftOut };
}

function listCandidates(listed: readonly string[], phases: readonly string[]) {
  const named = ["agent/", ...phases.map((phase) => `steps/${phase}/agent/`)].map(
    (folder) => `${folder}trajectory.json`,
  );
  const depth = (file: string) => file.split("/").length;
  const rest = listed
    .filter(isCandidate)
    .sort((a, b) => Number(isPart(a)) - Number(isPart(b)) || depth(a) - depth(b));
  const firsts = new Map<string, readonly [n: number, file: string]>();
  for (const file of listed) {
    const [, folder, digits] = NUMBERED.exec(file) ?? [];
    if (folder === undefined || !PLACE.test(file)) continue;
    const known = firsts.get(folder);
    if (known === undefined || Number(digits) < known[0]) firsts.set(folder, [Number(digits), file]);
  }
  const all = new Set([...named, ...rest, ...[...firsts.values()].map(([, file]) => file)]);
  const placed = [...all].flatMap((file) => {
    const phase = /^steps\/([^/]+)\//u.exec(file)?.[1] ?? null;
    return phase === null || phases.includes(phase) ? [{ file, phase }] : [];
  });
  const candidates = placed.slice(0, MAX_CANDIDATES + phases.length);
  return { candidates, nLeftOut: placed.length - candidates.length };
}

function isCandidate(file: string): boolean {
  if (COLLECTED.test(file)) return true;
  const place = PLACE.exec(file)?.[0];
  if (place === undefined || BESIDE.test(file)) return false;
  return place.endsWith("verifier/") ? SPANS.test(file) : READABLE.test(file.slice(place.length));
}

function dropParts(recognised: readonly Recognised[]): readonly Recognised[] {
  return recognised.some((one) => !isPart(one.file) && one.reader.isSession === true)
    ? recognised.filter((one) => !isPart(one.file))
    : recognised;
}

function isPart(file: string): boolean {
  return /\/(?:agent-[^/]+|subagents\/[^/]+)\.jsonl$/u.test(file);
}

function nameGroup({ reader, file }: Recognised): string {
  const path = file.replace(/^steps\/[^/]+\//u, "");
  return `${reader.format}:${reader.isSession === true ? path.slice(0, path.lastIndexOf("/")) : path}`;
}

function makeSource(
  group: readonly Recognised[],
  phases: readonly string[],
): readonly (FoundSource & { readonly rank: number })[] {
  const [first] = group;
  if (first === undefined) return [];
  const place = ({ phase }: Recognised) => (phase === null ? -1 : phases.indexOf(phase));
  const time = ({ reader, startedMs }: Recognised) => (reader.isSession === true ? (startedMs ?? 0) : 0);
  const starts = group
    .toSorted((a, b) => place(a) - place(b) || time(a) - time(b) || compareNames(a.file, b.file))
    .map(({ file, phase }) => ({ file, phase, reader: null }));
  const path = starts[0]?.file ?? first.file;
  const { format, lacks, alternative } = first.reader;
  const rank = TRACE_READERS.indexOf(first.reader) + (COLLECTED.test(path) ? TRACE_READERS.length : 0);
  const source = { path, file: path, format, lacks, starts, rank };
  if (alternative === undefined) return [source];
  const others = starts.map((start) => ({ ...start, reader: alternative }));
  return [
    source,
    { ...source, path: `${path}#tree`, format: alternative.format, starts: others, rank: rank + 0.5 },
  ];
}
