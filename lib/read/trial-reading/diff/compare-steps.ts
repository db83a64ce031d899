import type { ContentPart, StepResult, TrajectoryStep } from "@/lib/core/domain/trajectory";

import { listParts } from "../step-blocks";
import { type AlignKeys, alignSequences } from "./align";

/**
 * `same` is an equal call and result, or an equal message without a call. `result` is an equal call with another result. `call` is
 * another call of the same tool. `text` is another message of the same source.
 */
export type Relation = "same" | "result" | "call" | "text" | "only-a" | "only-b";

export interface ComparedRow {
  readonly a: StepPart | null;
  readonly b: StepPart | null;
  readonly relation: Relation;
  /** True if messages of a call or reasoning differ next to equal calls or messages. */
  readonly doWordsDiffer: boolean;
  /** True if compared parts contain images or audio, whose content is not compared. */
  readonly hasMedia: boolean;
}

/** Parallel calls of one side match sequential calls of the other. */
export function compareSteps(
  a: readonly TrajectoryStep[],
  b: readonly TrajectoryStep[],
): readonly ComparedRow[] {
  const [partsA, partsB] = [splitCalls(a), splitCalls(b)];
  const rows = alignSequences(
    partsA.map(({ step }) => listKeys(step, "a")),
    partsB.map(({ step }) => listKeys(step, "b")),
  );
  return rows.map((row) => compareRow(partsA[row.a ?? -1] ?? null, partsB[row.b ?? -1] ?? null));
}

/**
 * Returns the index of the first row with different calls or a user message on one side only. Without any calls, returns the first
 * row that differs. Null for none.
 */
export function findDivergence(rows: readonly ComparedRow[]): number | null {
  const hasCalls = rows.some(({ a, b }) => isCall(a?.step) || isCall(b?.step));
  const at = rows.findIndex(({ a, b, relation }) => {
    if (!hasCalls) return relation !== "same";
    const step = (a ?? b)?.step;
    // A different user message leads the agent elsewhere.
    const isTurn = isCall(step) || step?.source === "user";
    return relation === "call" || (relation.startsWith("only") && isTurn);
  });
  return at === -1 ? null : at;
}

export function isSameCall({ a, relation }: ComparedRow): boolean {
  return isCall(a?.step) && (relation === "same" || relation === "result");
}

function isCall(step: TrajectoryStep | undefined): boolean {
  return step !== undefined && step.calls.length > 0;
}

function compareRow(a: StepPart | null, b: StepPart | null): ComparedRow {
  if (a === null || b === null)
    return { a, b, relation: b === null ? "only-a" : "only-b", doWordsDiffer: false, hasMedia: false };
  const relation = relate(a.step, b.step);
  const isEqualCall = relation === "same" || relation === "result";
  return {
    a,
    b,
    relation,
    doWordsDiffer: isEqualCall && writeWords(a.step) !== writeWords(b.step),
    hasMedia: [a, b].some(({ step }) => listParts(step).some(({ kind }) => kind !== "text")),
  };
}

function relate(a: TrajectoryStep, b: TrajectoryStep): Relation {
  const areResultsEqual = writeResults(a) === writeResults(b);
  if (!isCall(a)) return areResultsEqual && writeParts(a.message) === writeParts(b.message) ? "same" : "text";
  if (writeCall(a) !== writeCall(b)) return "call";
  return areResultsEqual ? "same" : "result";
}

/** A call's keys are tool with arguments, tool with headline, and tool. A message's keys are its text and its source. */
function listKeys(step: TrajectoryStep, side: "a" | "b"): AlignKeys {
  const lane = step.depth === 0 ? "main" : "subagent";
  const [call] = step.calls;
  if (call === undefined) {
    const source = `${lane} ${step.source}`;
    // A message must never separate two equal calls.
    return [side, `${source} ${writeParts(step.message)}`, source];
  }
  return [
    `${lane} call ${writeCall(step)}`,
    `${lane} call ${JSON.stringify([call.name, call.headline])}`,
    `${lane} call ${JSON.stringify(call.name)}`,
  ];
}

function writeCall({ calls }: TrajectoryStep): string {
  return JSON.stringify(calls.map(({ name, argumentsText }) => [name, argumentsText]));
}

function writeWords({ reasoning, message }: TrajectoryStep): string {
  return JSON.stringify([reasoning, writeParts(message)]);
}

function writeResults({ calls, results }: TrajectoryStep): string {
  const write = (list: readonly StepResult[]) => list.map(({ parts }) => writeParts(parts));
  return JSON.stringify([calls.map((call) => write(call.results)), write(results)]);
}

function writeParts(parts: readonly ContentPart[]): string {
  return JSON.stringify(parts.map((part) => (part.kind === "text" ? part.text : null)));
}

export interface StepPart {
  /** Has at most one call. Message, usage and duration of a split step stay with its first call. */
  readonly step: TrajectoryStep;
  /** Index of the call in its step; 0 of 1 for a whole step. */
  readonly nth: number;
  readonly count: number;
}

function splitCalls(steps: readonly TrajectoryStep[]): readonly StepPart[] {
  return steps.flatMap((step): readonly StepPart[] => {
    const count = step.calls.length;
    if (count < 2) return [{ step, nth: 0, count: 1 }];
    return step.calls.map((call, nth) => ({
      step: {
        ...step,
        ...(nth === 0 ? { marks: describeMarks(step.marks) } : LATER),
        calls: [call],
        results: nth === count - 1 ? step.results : [],
      },
      nth,
      count,
    }));
  });
}

const LATER = { message: [], reasoning: null, marks: [], usage: null, durationMs: null } as const;

/** A mark does not record which call it comes from. */
function describeMarks(marks: TrajectoryStep["marks"]): TrajectoryStep["marks"] {
  return marks.map((mark) => ({ ...mark, label: `${mark.label} in this step` }));
}

/** Positions among all steps, from 0. A call of a step with several has a fraction. */
export function placePart({ step, nth, count }: StepPart): { readonly from: number; readonly to: number } {
  return { from: step.index + nth / count, to: step.index + (nth + 1) / count };
}
