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
} from "@/lib/core/domain/trajectory";

import type { TrajectoryStart } from "./find-sources";
import { describeAudio, isPlayed, type RawAudio, proveImage, type RawImage } from "./media";
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

export class FlatTrajectory {
  readonly steps: TrajectoryStep[] = [];
  stop: RecordedStop | null = null;
  private readonly files: TrajectoryFiles;
  private readonly lanes: Lane[] = [];
  /** Visited files and embedded trajectories, so that circular references end. */
  private readonly walked = new Set<unknown>();
  private readonly embedded = new Map<RawTrajectory, ReadonlyMap<string, RawTrajectory>>();

  constructor(files: TrajectoryFiles) {
    this.files = files;
  }

  /** Adds a file, its continuations and their subagents. */
  async add(start: TrajectoryStart, laneName: string): Promise<void> {
    const raw = await this.loadOnce(start.file, start.reader);
    if (raw === null) return;
    const known = this.lanes.find((lane) => lane.stated === laneName);
    const lane = known ?? this.openLane(laneName, laneName === "main" ? 0 : 1);
    await this.addChain({ raw, root: raw, file: start.file, phase: start.phase }, lane);
  }

  private async loadOnce(file: string, reader: TraceReader | null = null): Promise<RawTrajectory | null> {
    if (this.walked.has(file)) return null;
    this.walked.add(file);
    return await loadTrajectoryFile(this.files, file, reader);
  }

  private async addChain(first: Section, lane: Lane): Promise<void> {
    let section: Section | null = first;
    for (let link = 0; section !== null && link < MAX_CHAIN; link++) {
      await this.addSection(section, lane);
      section = await this.loadContinuation(section);
    }
  }

  private async loadContinuation(section: Section): Promise<Section | null> {
    const ref = section.raw.continuedRef;
    if (ref === null) return null;
    const file = resolveBeside(section.file, ref);
    const loaded = await this.loadSection(section, file);
    if (loaded === null && (file === null || !this.files.files.includes(file)))
      this.reportMissing(section.file, `The continuation \`${ref}\` is missing or outside the trial folder.`);
    return loaded;
  }

  private async loadSection(from: Section, file: string | null): Promise<Section | null> {
    const raw = file === null ? null : await this.loadOnce(file);
    return file === null || raw === null ? null : { ...from, raw, root: raw, file };
  }

  private async addSection(section: Section, lane: Lane): Promise<void> {
    const { raw, file } = section;
    if (lane.depth === 0) this.stop = raw.stop;
    for (const [position, step] of raw.steps.entries()) {
      if (this.steps.length >= MAX_STEPS) {
        this.reportMissing(file, `Only the first ${MAX_STEPS} steps are read.`);
        return;
      }
      const target = step.sidechain === null ? lane : this.findLane(step.sidechain, lane, file);
      await this.addStep(section, lane, target, step, raw.steps[position + 1] ?? null);
    }
    for (const embedded of raw.embedded) {
      if (!this.walked.has(embedded) && this.isWithinDepth(file, lane.depth + 1) && this.hasRoom(file))
        await this.addSubagent(section, embedded, embedded.trajectoryId, lane.depth + 1);
    }
  }

  private async addStep(
    section: Section,
    lane: Lane,
    target: Lane,
    step: RawStep,
    next: RawStep | null,
  ): Promise<void> {
    const ordinal = ++lane.stepCount;
    if (target !== lane) target.stepCount++;
    const index = this.steps.length;
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
    this.steps.push(placed);
    const calls: StepCall[] = [];
    for (const call of step.calls)
      calls.push({ ...call, results: await this.addResults(section, lane, call.results) });
    this.steps[index] = { ...placed, calls, results: await this.addResults(section, lane, step.results) };
  }

  private async addResults(
    section: Section,
    lane: Lane,
    results: readonly RawResult[],
  ): Promise<StepResult[]> {
    const placed: StepResult[] = [];
    for (const result of results) {
      const lanes: string[] = [];
      for (const ref of result.refs) {
        const name = await this.followRef(section, ref, lane.depth + 1);
        if (name !== null) lanes.push(name);
      }
      placed.push({ parts: placeParts(result.parts, section.file), lanes });
    }
    return placed;
  }

  private async followRef(section: Section, ref: SubagentRef, depth: number): Promise<string | null> {
    if (!this.isWithinDepth(section.file, depth) || !this.hasRoom(section.file)) return null;
    // Search its own subagents first: names are unique only per agent.
    const { raw, root } = section;
    const id = ref.trajectoryId ?? "";
    const embedded = this.nameEmbedded(raw).get(id) ?? this.nameEmbedded(root).get(id);
    if (embedded !== undefined) {
      return this.walked.has(embedded)
        ? null
        : await this.addSubagent(section, embedded, ref.label ?? ref.trajectoryId, depth);
    }
    const file = ref.path === null ? null : resolveBeside(section.file, ref.path);
    if (file !== null && this.walked.has(file)) return null;
    const loaded = await this.loadSection(section, file);
    if (loaded === null) {
      const target = ref.path ?? ref.trajectoryId ?? "without a name";
      const detail = `The subagent trajectory \`${target}\` is missing or outside the trial folder.`;
      this.reportMissing(section.file, detail);
      return null;
    }
    const lane = this.openLane(nameLane(ref.label, loaded.raw, loaded.file), depth);
    await this.addChain(loaded, lane);
    return lane.name;
  }

  private async addSubagent(
    section: Section,
    raw: RawTrajectory,
    label: string | null,
    depth: number,
  ): Promise<string> {
    this.walked.add(raw);
    const lane = this.openLane(nameLane(label, raw, section.file), depth);
    await this.addSection({ ...section, raw }, lane);
    return lane.name;
  }

  private findLane(name: string, above: Lane, file: string): Lane {
    const depth = above.depth + 1;
    const known = this.lanes.find((lane) => lane.stated === name && lane.depth === depth);
    return known ?? (this.hasRoom(file) ? this.openLane(name, depth) : above);
  }

  private nameEmbedded(raw: RawTrajectory): ReadonlyMap<string, RawTrajectory> {
    const known = this.embedded.get(raw);
    if (known !== undefined) return known;
    const named = new Map(
      raw.embedded
        .toReversed()
        .flatMap((one) => (one.trajectoryId === null ? [] : [[one.trajectoryId, one] as const])),
    );
    this.embedded.set(raw, named);
    return named;
  }

  private isWithinDepth(file: string, depth: number): boolean {
    if (depth <= MAX_DEPTH) return true;
    this.reportMissing(file, `Subagents deeper than ${MAX_DEPTH} levels are not read.`);
    return false;
  }

  private hasRoom(file: string): boolean {
    if (this.lanes.length <= MAX_LANES) return true;
    this.reportMissing(file, `Only the first ${MAX_LANES} subagents are read.`);
    return false;
  }

  private openLane(stated: string, depth: number): Lane {
    const name = cutText(stated.toWellFormed(), MAX_SLUG);
    const slug =
      name
        .slice(0, MAX_SLUG)
        .toLowerCase()
        .replace(/[^a-z0-9]+/gu, "-")
        .replace(/^-|-$/gu, "") || "subagent";
    const taken = new Set([ALL_LANES, ...this.lanes.flatMap((lane) => [lane.name, lane.slug])]);
    let nth = this.lanes.filter((lane) => lane.slug === slug || lane.slug.startsWith(`${slug}-`)).length + 1;
    const numbered = (text: string, sign: string) => (nth === 1 ? text : `${text}${sign}${nth}`);
    while (taken.has(numbered(name, " ")) || taken.has(numbered(slug, "-"))) nth++;
    const lane: Lane = {
      stated,
      name: numbered(name, " "),
      slug: numbered(slug, "-"),
      depth,
      stepCount: 0,
    };
    this.lanes.push(lane);
    return lane;
  }

  private reportMissing(path: string, detail: string): void {
    const { issues } = this.files;
    if (
      issues.length < MAX_REPORTS &&
      !issues.some((known) => known.path === path && known.detail === detail)
    )
      issues.push({ code: "field_invalid", path, detail });
  }
}

function nameLane(label: string | null, raw: RawTrajectory, file: string): string {
  const stem = posix.basename(file).replace(/^trajectory\.|\.json$/gu, "");
  const names = [label, raw.trajectoryId, raw.agent, stem];
  return (
    names.find((name) => name !== null && name !== "" && name.length <= 60 && !UUID.test(name)) ?? "subagent"
  );
}

const SHOWN_IMAGE = /(?:^image\/|\.)(?:png|jpe?g|gif|webp)$/iu;

function placeParts(parts: readonly RawPart[], file: string): readonly ContentPart[] {
  return parts.map((part): ContentPart => {
    if (part.kind === "text") return part;
    return part.kind === "image" ? placeImage(part, file) : placeAudio(part, file);
  });
}

function placeImage(part: RawImage, file: string): ContentPart {
  const image = { kind: "image", path: null, note: null, embedded: null } as const;
  if (part.base64 !== null) {
    const proved = proveImage(part.base64, part.mediaType);
    return typeof proved === "string" ? { ...image, note: proved } : { ...image, embedded: proved };
  }
  const path = part.path === null ? null : resolveBeside(file, part.path);
  if (path === null) return { ...image, note: describeUnplaced("image", part.path) };
  if (SHOWN_IMAGE.test(part.mediaType ?? path)) return { ...image, path };
  return {
    ...image,
    note: `Only PNG, JPEG, GIF and WebP images are shown; \`${path}\` can be read under Files.`,
  };
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
