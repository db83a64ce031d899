import { parseStopReason, type RecordedStop } from "@/lib/domain/stop-reason";

import { findStepMarks, type ResultSigns } from "./step-marks";
import {
  joinText,
  makeTrajectory,
  type RawCall,
  type RawPart,
  type RawResult,
  type RawStep,
  type RawTrajectory,
  type SubagentRef,
  UNTIL_NEXT,
} from "./raw-trajectory";
import { readCallText } from "./tool-call";

export interface Spoken extends Partial<Omit<RawStep, "source" | "calls" | "results" | "marks">> {
  readonly source: RawStep["source"];
}

/** In place of an id: the call that was made last. */
export const LAST_CALL = Symbol("last call");

/** What came back; for one call where it names it, else for the step before it. */
export interface Answer {
  readonly callId: string | typeof LAST_CALL | null;
  readonly parts: readonly RawPart[];
  readonly exitCode?: number | null;
  /** A field says that the tool failed. */
  readonly toolError?: boolean;
  readonly refs?: readonly SubagentRef[];
}

interface OpenCall extends RawCall {
  readonly results: RawResult[];
}

interface OpenStep {
  step: RawStep;
  readonly message: RawPart[];
  readonly reasoning: string[];
  readonly calls: OpenCall[];
  readonly callIds: Set<string>;
  readonly results: RawResult[];
  readonly signs: ResultSigns[];
}

/** A step of which nothing is known. */
export const SILENT = {
  statedId: null,
  at: null,
  reasoning: null,
  message: [],
  usage: null,
  copied: false,
  sidechain: null,
  level: 0,
  durationMs: UNTIL_NEXT,
  calls: [],
  results: [],
  marks: [],
} as const;

/** Puts a log together in its order: steps, their calls, and the results, which join the step whose call they answer. */
export class Conversation {
  private readonly open: OpenStep[] = [];
  private readonly byCall = new Map<string, { readonly call: OpenCall; readonly step: OpenStep }>();

  /** Of what the agent did last. */
  private stopped: RecordedStop | null = null;

  get nSteps(): number {
    return this.open.length;
  }

  /** Who the last step comes from; null before the first. */
  get lastSource(): RawStep["source"] | null {
    return this.open.at(-1)?.step.source ?? null;
  }

  say(spoken: Spoken): void {
    const step = { ...SILENT, ...spoken };
    if (step.source === "agent" && step.sidechain === null) this.stopped = null;
    const reasoning = step.reasoning === null ? [] : [step.reasoning];
    this.open.push({
      step,
      message: [...step.message],
      reasoning,
      calls: [],
      callIds: new Set(),
      results: [],
      signs: [],
    });
  }

  /** Adds to what the last step says; what it said before comes first. */
  add(more: Partial<Pick<RawStep, "message" | "reasoning" | "usage">>): void {
    const last = this.last();
    for (const part of more.message ?? []) last.message.push(part);
    if (more.reasoning) last.reasoning.push(more.reasoning);
    if (more.usage) last.step = { ...last.step, usage: more.usage };
  }

  /** A call of the last step. Of calls of one id the first of a step and the newest of all steps gets the results. */
  call(id: string | null, name: string, args: unknown): void {
    const step = this.last();
    const call: OpenCall = { id, name, ...readCallText(args), results: [] };
    step.calls.push(call);
    if (id === null || step.callIds.has(id)) return;
    step.callIds.add(id);
    this.byCall.set(id, { call, step });
  }

  knows(id: string): boolean {
    return this.byCall.has(id);
  }

  answer({ callId, parts, exitCode = null, toolError = false, refs = [] }: Answer): void {
    const asked = typeof callId === "string" ? this.byCall.get(callId) : undefined;
    const step = asked?.step ?? this.last();
    const call = callId === LAST_CALL ? step.calls.at(-1) : asked?.call;
    (call ?? step).results.push({ parts, refs });
    step.signs.push({ text: joinText(parts), exitCode, toolError });
  }

  /** The step that is open; one of an unknown source where none is. */
  private last(): OpenStep {
    if (this.open.length === 0) this.say({ source: "other" });
    const last = this.open.at(-1);
    if (last === undefined) throw new Error("A step was just opened.");
    return last;
  }

  /** Records why the agent stopped after its last step; a later step of the agent clears it. */
  stop(reason: unknown): void {
    if (this.open.at(-1)?.step.sidechain == null) this.stopped = parseStopReason(reason) ?? this.stopped;
  }

  finish(rest: Partial<RawTrajectory> = {}): RawTrajectory {
    const steps = this.open.map(({ step, message, reasoning, calls, results, signs }) => ({
      ...step,
      message,
      reasoning: reasoning.join("\n\n") || null,
      calls,
      results,
      marks: findStepMarks(signs),
    }));
    return makeTrajectory(steps, { stop: this.stopped, ...rest });
  }
}
