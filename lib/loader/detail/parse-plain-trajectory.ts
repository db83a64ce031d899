import { isObject, type JsonObject, listOr, objectOr, pickBoolean, pickNumber, pickText } from "./json-shape";
import { joinText, parseParts } from "./parse-atif";
import { parseStepTime } from "./raw-trajectory";
import type { RawCall, RawPart, RawResult, RawStep, RawTrajectory } from "./raw-trajectory";
import { findStepMarks, type ResultSigns } from "./step-marks";
import { readCallText } from "./tool-call";

interface OpenCall extends RawCall {
  readonly results: RawResult[];
}

/** A call and the step that it belongs to. */
interface CallOfStep {
  readonly call: OpenCall;
  readonly step: OpenStep;
}

interface OpenStep {
  readonly step: RawStep;
  readonly calls: readonly OpenCall[];
  readonly results: RawResult[];
  readonly signs: ResultSigns[];
}

/**
 * A trajectory that is a list of records: `role` (or `source`, `type`) with `content` or `message`, `tool_calls`, and
 * records of the environment with `stdout`, `stderr`, `exit_code`, which join the step whose call they answer.
 */
export function parsePlainTrajectory(records: readonly unknown[]): RawTrajectory {
  const open: OpenStep[] = [];
  const byCall = new Map<string, CallOfStep>();
  let skipped = 0;
  for (const record of records) {
    if (!isObject(record)) {
      skipped++;
    } else if (isResultRecord(record)) {
      attachResult(open, byCall, record);
    } else {
      const step = openStep(record);
      open.push(step);
      // The first of a step, since a step may name an id twice; the newest of all steps.
      for (const call of step.calls.toReversed()) if (call.id !== null) byCall.set(call.id, { call, step });
    }
  }
  return {
    trajectoryId: null,
    agent: null,
    continuedRef: null,
    steps: open.map(({ step, calls, results, signs }) => ({
      ...step,
      calls,
      results,
      marks: findStepMarks(signs),
    })),
    embedded: [],
    oddities: skipped === 0 ? [] : [`${skipped} records are not objects and were skipped.`],
  };
}

function isResultRecord(record: JsonObject): boolean {
  const role = pickText(record, "role", "source", "type");
  return role === "environment" || role === "tool" || role === "tool_result";
}

function openStep(record: JsonObject): OpenStep {
  const calls = listOr(record["tool_calls"])
    .filter(isObject)
    .filter((call) => spokenText(call) === null)
    .map(parsePlainCall);
  const action = pickText(record, "action");
  if (calls.length === 0 && action !== null && action !== "message") {
    calls.push({ id: idOf(record["id"]), name: action, ...readCallText(record["args"]), results: [] });
  }
  return { step: parsePlainStep(record), calls, results: [], signs: [] };
}

function parsePlainStep(record: JsonObject): RawStep {
  const role = pickText(record, "role", "source", "type");
  return {
    statedId: idOf(record["step"] ?? record["id"]),
    source: role === "user" || role === "system" ? role : role === null ? "other" : "agent",
    at: parseStepTime(record["timestamp"]),
    reasoning: pickText(record, "reasoning", "reasoning_content", "thinking"),
    message: [...parseParts(record["content"] ?? record["message"]), ...spokenParts(record)],
    calls: [],
    results: [],
    tokens: null,
    marks: [],
    copied: false,
    sidechain: null,
  };
}

/** Some converters write what the agent says as a call of its own. */
function spokenText(call: JsonObject): string | null {
  return /(?:^|:)agent_message$/u.test(pickText(call, "name") ?? "")
    ? pickText(objectOr(call["input"]), "text")
    : null;
}

function spokenParts(record: JsonObject): readonly RawPart[] {
  const texts = listOr(record["tool_calls"]).filter(isObject).map(spokenText);
  return texts.filter((text) => text !== null).map((text) => ({ kind: "text", text }));
}

function parsePlainCall(call: JsonObject): OpenCall {
  const inner = isObject(call["function"]) ? call["function"] : call;
  return {
    id: pickText(call, "id", "tool_call_id"),
    name: pickText(inner, "name", "function_name") ?? "call",
    ...readCallText(inner["input"] ?? inner["arguments"]),
    results: [],
  };
}

function attachResult(open: OpenStep[], byCall: ReadonlyMap<string, CallOfStep>, record: JsonObject): void {
  const exitCode = pickNumber(record, "exit_code", "returncode");
  const result: RawResult = { parts: resultParts(record), refs: [] };
  const toolError = pickBoolean(record, "is_error") === true;
  const signs = { text: joinText(result.parts), exitCode, toolError };
  const callId = pickText(record, "tool_use_id", "tool_call_id") ?? idOf(record["cause"]);
  const asked = callId === null ? undefined : byCall.get(callId);
  if (asked === undefined && open.length === 0) open.push(openStep({ role: "other" }));
  const step = asked?.step ?? open.at(-1);
  (asked?.call ?? step)?.results.push(result);
  step?.signs.push(signs);
}

function resultParts(record: JsonObject): readonly RawPart[] {
  const stdout = pickText(record, "stdout");
  const stderr = pickText(record, "stderr");
  if (stdout === null && stderr === null) return parseParts(record["content"] ?? record["message"]);
  return [stdout, stderr].filter((text) => text !== null).map((text) => ({ kind: "text", text }));
}

function idOf(value: unknown): string | null {
  return typeof value === "number" || typeof value === "string" ? String(value) : null;
}
