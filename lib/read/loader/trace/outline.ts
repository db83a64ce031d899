import { cutText } from "@/lib/core/domain/text-bounder";
import type { OutlineEntry, TrajectoryStep } from "@/lib/core/domain/trajectory";

import { objectOr, parseJsonText, pickText } from "../detail/json-shape";
import { stripTerminal } from "../detail/terminal-text";
import { joinText } from "./raw-trajectory";
import { isStrongMark } from "./step-marks";

const MAX_ENTRIES = 14;
const MAX_TITLE = 72;
const MAX_SEARCHED = 4000;
const MAX_PLAN = 100_000;

interface Candidate extends OutlineEntry {
  readonly weight: number;
}

export function prepareOutline(steps: readonly TrajectoryStep[]): readonly OutlineEntry[] {
  const spoken = steps.flatMap((step, index) => findCandidate(step, steps[index - 1] ?? null));
  const candidates =
    spoken.length >= 3 ? spoken : steps.map((step) => toCandidate(step, describeStep(step), 0));
  return thinOut(candidates).map(({ key, index, title, marked }) => ({ key, index, title, marked }));
}

function findCandidate(step: TrajectoryStep, before: TrajectoryStep | null): readonly Candidate[] {
  if (before === null) return [toCandidate(step, step.source === "agent" ? describeStep(step) : "Task", 3)];
  if (step.phase !== before.phase) return [toCandidate(step, step.phase ?? "Next step", 3)];
  if (isSubagents(step) && step.depth > before.depth) return [toCandidate(step, `Subagent ${step.lane}`, 2)];
  if (step.copied || isSubagents(step)) return [];
  const title = step.source === "agent" ? firstSentence(messageText(step)) : null;
  const strong = step.marks.some(isStrongMark);
  if (title === null && !strong) return [];
  return [toCandidate(step, title ?? describeStep(step), strong ? 1 : 0)];
}

function isSubagents({ depth, lane }: TrajectoryStep): boolean {
  return depth > 0 && lane !== "main";
}

function toCandidate(step: TrajectoryStep, title: string, weight: number): Candidate {
  return { key: step.key, index: step.index, title, marked: step.marks.length > 0, weight };
}

function thinOut(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.length <= MAX_ENTRIES) return candidates;
  const first = candidates.slice(0, 1);
  const last = candidates.slice(-1);
  const middle = candidates.slice(1, -1);
  const heavy = takeEvenly(
    middle.filter(({ weight }) => weight > 0),
    MAX_ENTRIES - 4,
  );
  const light = takeEvenly(
    middle.filter(({ weight }) => weight === 0),
    MAX_ENTRIES - 2 - heavy.length,
  );
  return [...first, ...[...heavy, ...light].sort((a, b) => a.index - b.index), ...last];
}

function takeEvenly<T>(items: readonly T[], count: number): readonly T[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)]).filter(
    (item) => item !== undefined,
  );
}

export function describeStep(step: TrajectoryStep): string {
  const call = step.calls[0];
  if (call !== undefined) return shorten(call.headline === "" ? call.name : `${call.name} ${call.headline}`);
  return firstSentence(messageText(step)) ?? step.source;
}

function messageText(step: TrajectoryStep): string {
  const text = joinText(step.message).trim();
  if (text.startsWith("{")) return text.length > MAX_PLAN ? "" : readPlan(text);
  const plan = text.startsWith("Analysis:") ? text.indexOf("\nPlan:") : -1;
  return plan === -1 ? text : text.slice(plan + "\nPlan:".length).trimStart();
}

function readPlan(text: string): string {
  return pickText(objectOr(parseJsonText(text)), "plan", "explanation", "analysis", "state_analysis") ?? "";
}

function firstSentence(text: string): string | null {
  const line =
    stripTerminal(text.slice(0, MAX_SEARCHED))
      .replace(/^(?:#{1,6}\s|[\s>*`_-])+/u, "")
      .split(/\n/u, 1)[0] ?? "";
  const sentence = /^.{16,}?[.!?:](?=\s|$)/u.exec(line)?.[0] ?? line;
  const clean = sentence.replace(/[*`]+/gu, "").replace(/[.:]$/u, "").trim();
  return clean === "" ? null : shorten(clean);
}

function shorten(text: string): string {
  const whole = text.toWellFormed();
  return whole.length > MAX_TITLE ? `${cutText(whole, MAX_TITLE - 1).trimEnd()}…` : whole;
}
