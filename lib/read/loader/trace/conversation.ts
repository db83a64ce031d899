import { parseStopReason, type RecordedStop } from "@/lib/core/domain/stop-reason";

import { isObject, type JsonObject } from "../detail/json-shape";
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
import { findStepMarks, type ResultSigns } from "./step-marks";
import { readCallText } from "./tool-call";

export interface Spoken extends Partial<Omit<RawStep, "source" | "calls" | "results" | "marks">> {
  readonly source: RawStep["source"];
}

export const LAST_CALL = Symbol("last call");

interface Answer {
  readonly callId: string | typeof LAST_CALL | null;
  readonly parts: readonly RawPart[];
  readonly exitCode?: number | null;
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

export class Conversation {
  private readonly open: OpenStep[] = [];
  private readonly byCall = new Map<string, { readonly call: OpenCall; readonly step: OpenStep }>();

  private stopped: RecordedStop | null = null;
  readonly records: readonly JsonObject[];
  private readonly nSkipped: number;

  /** @param records - of the log; `records` has those that are objects */
  constructor(records: readonly unknown[] = []) {
    this.records = records.filter(isObject);
    this.nSkipped = records.length - this.records.length;
  }

  get nSteps(): number {
    return this.open.length;
  }

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

  add(more: Partial<Pick<RawStep, "message" | "reasoning" | "usage">>): void {
    const last = this.last();
    for (const part of more.message ?? []) last.message.push(part);
    if (more.reasoning) last.reasoning.push(more.reasoning);
    if (more.usage) last.step = { ...last.step, usage: more.usage };
  }

  /** Adds a call to the last step. Results go to the newest step with the id, and to its first such call. */
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

  private last(): OpenStep {
    const last = this.open.at(-1);
    if (last !== undefined) return last;
    this.say({ source: "other" });
    return this.last();
  }

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
    const { stopped: stop, nSkipped } = this;
    const oddities = nSkipped === 0 ? [] : [`${nSkipped} records are not objects and were skipped.`];
    return makeTrajectory(steps, { stop, oddities, ...rest });
  }
}
