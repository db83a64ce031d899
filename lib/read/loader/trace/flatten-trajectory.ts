import { posix } from "node:path";

import { computeDurationMs } from "@/lib/core/domain/clock-time";
import type { RecordedStop } from "@/lib/core/domain/stop-reason";
import { cutText } from "@/lib/core/domain/text-bounder";
import {
  ALL_LANES,
  type StepCall,
  type StepResult,
  type TrajectoryStep,
  type ContentPart,
  type EmbeddedImage,
} from "@/lib/core/domain/trajectory";

import { describeAudio, isPlayed, type RawAudio } from "./audio";
import { proveImage, type RawImage } from "./embedded-image";
import type { TrajectoryStart } from "./find-sources";
import { loadTrajectoryFile, type TrajectoryFiles } from "./open-log";
import {
  type RawResult,
  type RawStep,
  type RawTrajectory,
  type SubagentRef,
  UNTIL_NEXT,
  type RawPart,
} from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

const MAX_DEPTH = 6;
const MAX_CHAIN = 200;
const MAX_STEPS = 100_000;
const MAX_SLUG = 80;
const MAX_LANES = 1000;
const MAX_REPORTS = 100;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/iu;

export interface FlatTrajectory {
  readonly files: TrajectoryFiles;
  readonly steps: TrajectoryStep[];
  readonly lanes: Lane[];
  stop: RecordedStop | null;
  /** Visited files and embedded trajectories, so that circular references end. */
  readonly walked: Set<unknown>;
  readonly embedded: Map<RawTrajectory, ReadonlyMap<string, RawTrajectory>>;
}

interface Lane {
  readonly stated: string;
  /** Unique and short enough for a URL. */
  readonly name: string;
  readonly slug: string;
  readonly depth: number;
  stepCount: number;
}

interface Section {
  readonly raw: RawTrajectory;
  readonly root: RawTrajectory;
  readonly file: string;
  readonly phase: string | null;
}

/** Adds a file, its continuations and their subagents. Returns false if the file is absent. */
export async function addTrajectory(
  flat: FlatTrajectory,
  start: TrajectoryStart,
  laneName: string,
): Promise<boolean> {
  const raw = await loadOnce(flat, start.file, start.reader);
  if (raw === null) return false;
  const known = flat.lanes.find((lane) => lane.stated === laneName);
  const lane = known ?? openLane(flat, laneName, laneName === "main" ? 0 : 1);
  await addChain(flat, { raw, root: raw, file: start.file, phase: start.phase }, lane);
  return true;
}

async function loadOnce(
  flat: FlatTrajectory,
  file: string,
  reader: TraceReader | null = null,
): Promise<RawTrajectory | null> {
  if (flat.walked.has(file)) return null;
  flat.walked.add(file);
  return await loadTrajectoryFile(flat.files, file, reader);
}

async function addChain(flat: FlatTrajectory, first: Section, lane: Lane): Promise<void> {
  let section: Section | null = first;
  for (let link = 0; section !== null && link < MAX_CHAIN; link++) {
    await addSection(flat, section, lane);
    section = await loadContinuation(flat, section);
  }
}

async function loadContinuation(flat: FlatTrajectory, section: Section): Promise<Section | null> {
  const ref = section.raw.continuedRef;
  if (ref === null) return null;
  const file = resolveBeside(section.file, ref);
  const loaded = await loadSection(flat, section, file);
  if (loaded === null && (file === null || !flat.files.files.includes(file)))
    reportMissing(flat, section.file, `The continuation \`${ref}\` is missing or outside the trial folder.`);
  return loaded;
}

async function loadSection(
  flat: FlatTrajectory,
  from: Section,
  file: string | null,
): Promise<Section | null> {
  const raw = file === null ? null : await loadOnce(flat, file);
  return file === null || raw === null ? null : { ...from, raw, root: raw, file };
}

async function addSection(flat: FlatTrajectory, section: Section, lane: Lane): Promise<void> {
  const { raw, file } = section;
  if (lane.depth === 0) flat.stop = raw.stop;
  for (const [position, step] of raw.steps.entries()) {
    if (flat.steps.length >= MAX_STEPS) {
      reportMissing(flat, file, `Only the first ${MAX_STEPS} steps are read.`);
      return;
    }
    const target = step.sidechain === null ? lane : findLane(flat, step.sidechain, lane, file);
    await addStep(flat, section, lane, target, step, raw.steps[position + 1] ?? null);
  }
  for (const embedded of raw.embedded) {
    if (!flat.walked.has(embedded) && isWithinDepth(flat, file, lane.depth + 1) && hasRoom(flat, file))
      await addSubagent(flat, section, embedded, embedded.trajectoryId, lane.depth + 1);
  }
}

async function addStep(
  flat: FlatTrajectory,
  section: Section,
  lane: Lane,
  target: Lane,
  step: RawStep,
  next: RawStep | null,
): Promise<void> {
  const ordinal = ++lane.stepCount;
  if (target !== lane) target.stepCount++;
  const index = flat.steps.length;
  const { sidechain: _, level, durationMs, ...stated } = step;
  const placed: TrajectoryStep = {
    ...stated,
    key: lane.depth === 0 ? String(ordinal) : `${lane.slug}.${ordinal}`,
    index,
    statedId: step.statedId === String(ordinal) ? null : step.statedId,
    lane: target.name,
    depth: target.depth + level,
    phase: section.phase,
    file: section.file,
    durationMs:
      durationMs === UNTIL_NEXT
        ? computeDurationMs({ startedAt: step.at, finishedAt: next?.at ?? null })
        : durationMs,
    message: placeParts(step.message, section.file),
    calls: [],
    results: [],
  };
  flat.steps.push(placed);
  const calls: StepCall[] = [];
  for (const call of step.calls)
    calls.push({ ...call, results: await addResults(flat, section, lane, call.results) });
  flat.steps[index] = { ...placed, calls, results: await addResults(flat, section, lane, step.results) };
}

async function addResults(
  flat: FlatTrajectory,
  section: Section,
  lane: Lane,
  results: readonly RawResult[],
): Promise<StepResult[]> {
  const placed: StepResult[] = [];
  for (const result of results) {
    const lanes: string[] = [];
    for (const ref of result.refs) {
      const name = await followRef(flat, section, ref, lane.depth + 1);
      if (name !== null) lanes.push(name);
    }
    placed.push({ parts: placeParts(result.parts, section.file), lanes });
  }
  return placed;
}

async function followRef(
  flat: FlatTrajectory,
  section: Section,
  ref: SubagentRef,
  depth: number,
): Promise<string | null> {
  if (!isWithinDepth(flat, section.file, depth) || !hasRoom(flat, section.file)) return null;
  // Search its own subagents first: names are unique only per agent.
  const { raw, root } = section;
  const id = ref.trajectoryId ?? "";
  const embedded = nameEmbedded(flat, raw).get(id) ?? nameEmbedded(flat, root).get(id);
  if (embedded !== undefined) {
    return flat.walked.has(embedded)
      ? null
      : await addSubagent(flat, section, embedded, ref.label ?? ref.trajectoryId, depth);
  }
  const file = ref.path === null ? null : resolveBeside(section.file, ref.path);
  if (file !== null && flat.walked.has(file)) return null;
  const loaded = await loadSection(flat, section, file);
  if (loaded === null) {
    const target = ref.path ?? ref.trajectoryId ?? "without a name";
    const detail = `The subagent trajectory \`${target}\` is missing or outside the trial folder.`;
    reportMissing(flat, section.file, detail);
    return null;
  }
  const lane = openLane(flat, nameLane(ref.label, loaded.raw, loaded.file), depth);
  await addChain(flat, loaded, lane);
  return lane.name;
}

async function addSubagent(
  flat: FlatTrajectory,
  section: Section,
  raw: RawTrajectory,
  label: string | null,
  depth: number,
): Promise<string> {
  flat.walked.add(raw);
  const lane = openLane(flat, nameLane(label, raw, section.file), depth);
  await addSection(flat, { ...section, raw }, lane);
  return lane.name;
}

function nameLane(label: string | null, raw: RawTrajectory, file: string): string {
  const stem = posix.basename(file).replace(/^trajectory\.|\.json$/gu, "");
  const names = [label, raw.trajectoryId, raw.agent, stem];
  return (
    names.find((name) => name !== null && name !== "" && name.length <= 60 && !UUID.test(name)) ?? "subagent"
  );
}

function findLane(flat: FlatTrajectory, name: string, above: Lane, file: string): Lane {
  const depth = above.depth + 1;
  const known = flat.lanes.find((lane) => lane.stated === name && lane.depth === depth);
  return known ?? (hasRoom(flat, file) ? openLane(flat, name, depth) : above);
}

function nameEmbedded(flat: FlatTrajectory, raw: RawTrajectory): ReadonlyMap<string, RawTrajectory> {
  const known = flat.embedded.get(raw);
  if (known !== undefined) return known;
  const named = new Map(
    raw.embedded
      .toReversed()
      .flatMap((one) => (one.trajectoryId === null ? [] : [[one.trajectoryId, one] as const])),
  );
  flat.embedded.set(raw, named);
  return named;
}

function isWithinDepth(flat: FlatTrajectory, file: string, depth: number): boolean {
  if (depth <= MAX_DEPTH) return true;
  reportMissing(flat, file, `Subagents deeper than ${MAX_DEPTH} levels are not read.`);
  return false;
}

function hasRoom(flat: FlatTrajectory, file: string): boolean {
  if (flat.lanes.length <= MAX_LANES) return true;
  reportMissing(flat, file, `Only the first ${MAX_LANES} subagents are read.`);
  return false;
}

function openLane(flat: FlatTrajectory, stated: string, depth: number): Lane {
  const name = cutText(stated.toWellFormed(), MAX_SLUG);
  const slug =
    name
      .slice(0, MAX_SLUG)
      .toLowerCase()
      .replace(/[^a-z0-9]+/gu, "-")
      .replace(/^-|-$/gu, "") || "subagent";
  const taken = new Set([ALL_LANES, ...flat.lanes.flatMap((lane) => [lane.name, lane.slug])]);
  let nth = flat.lanes.filter((lane) => lane.slug === slug || lane.slug.startsWith(`${slug}-`)).length + 1;
  const numbered = (text: string, sign: string) => (nth === 1 ? text : `${text}${sign}${nth}`);
  while (taken.has(numbered(name, " ")) || taken.has(numbered(slug, "-"))) nth++;
  const lane: Lane = {
    stated,
    name: numbered(name, " "),
    slug: numbered(slug, "-"),
    depth,
    stepCount: 0,
  };
  flat.lanes.push(lane);
  return lane;
}

function reportMissing(flat: FlatTrajectory, path: string, detail: string): void {
  const { issues } = flat.files;
  if (issues.length < MAX_REPORTS && !issues.some((known) => known.path === path && known.detail === detail))
    issues.push({ code: "field_invalid", path, detail });
}

const SHOWN_IMAGE = /(?:^image\/|\.)(?:png|jpe?g|gif|webp)$/iu;

function placeParts(parts: readonly RawPart[], file: string): readonly ContentPart[] {
  return parts.map((part): ContentPart => {
    if (part.kind === "text") return part;
    return part.kind === "image" ? placeImage(part, file) : placeAudio(part, file);
  });
}

function placeImage(part: RawImage, file: string): ContentPart {
  if (part.base64 !== null) return placeEmbedded(proveImage(part.base64, part.mediaType));
  const path = part.path === null ? null : resolveBeside(file, part.path);
  if (path === null)
    return { kind: "image", path, note: describeUnplaced("image", part.path), embedded: null };
  if (SHOWN_IMAGE.test(part.mediaType ?? path)) return { kind: "image", path, note: null, embedded: null };
  const note = `Only PNG, JPEG, GIF and WebP images are shown; \`${path}\` can be read under Files.`;
  return { kind: "image", path: null, note, embedded: null };
}

function placeAudio(part: RawAudio, file: string): ContentPart {
  const path = part.path === null ? null : resolveBeside(file, part.path);
  const { durationSec } = part;
  if (path !== null && isPlayed(part, path)) return { kind: "audio", path, note: null, durationSec };
  const note =
    path !== null
      ? `Only WAV, MP3, M4A, Ogg, FLAC and WebM audio is played; \`${path}\` can be read under Files.`
      : part.path === null
        ? describeAudio(part)
        : describeUnplaced("audio", part.path);
  return { kind: "audio", path: null, note, durationSec };
}

function placeEmbedded(proved: EmbeddedImage | string): ContentPart {
  return typeof proved === "string"
    ? { kind: "image", path: null, note: proved, embedded: null }
    : { kind: "image", path: null, note: null, embedded: proved };
}

function describeUnplaced(what: "image" | "audio", path: string | null): string {
  if (path === null) return `The step names no file for this ${what}.`;
  if (path.startsWith("data:"))
    return `The ${what} is embedded in the trace, not in base64, and is not shown.`;
  if (/^[a-z][a-z0-9+.-]*:/iu.test(path)) return `The ${what} is at a network address and is not fetched.`;
  return `The ${what} \`${path}\` is outside the trial folder and is not opened.`;
}

/** Resolves a path in `file` relative to the trial; null for URLs, absolute paths and paths that leave it. */
function resolveBeside(file: string, stated: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:/iu.test(stated) || stated.startsWith("/") || stated.includes("\0")) return null;
  const path = posix.normalize(posix.join(posix.dirname(file), stated.replaceAll("\\", "/")));
  return path === ".." || path.startsWith("..") ? null : path;
}
