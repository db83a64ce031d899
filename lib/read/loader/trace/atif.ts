import { parseStopReason } from "@/lib/core/domain/stop-reason";
import { makeUsage, type StepSource } from "@/lib/core/domain/trajectory";

import {
  isObject,
  type JsonObject,
  listOr,
  objectOr,
  parseJsonText,
  pickBoolean,
  pickNumber,
  pickText,
} from "../detail/json-shape";
import { readStop } from "./message";
import { joinText, parseParts, parseStepTime, UNTIL_NEXT } from "./raw-trajectory";
import type { RawCall, RawResult, RawStep, RawTrajectory, SubagentRef } from "./raw-trajectory";
import { parseRecordList } from "./record-list";
import { findStepMarks, type ResultSigns } from "./step-marks";
import { readCallText } from "./tool-call";

interface SignedResult {
  readonly result: RawResult;
  readonly callId: string | null;
  readonly signs: ResultSigns;
}

/**
 * Parses ATIF v1.0 to 1.8 loosely: ignores unknown fields, and skips and reports steps that are not objects.
 * @see harbor 0.13.1 src/harbor/models/trajectories
 */
export function parseAtif(root: JsonObject): RawTrajectory {
  const steps: RawStep[] = [];
  let skipped = 0;
  for (const entry of listOr(root["steps"])) {
    if (isObject(entry)) for (const step of unwrapStep(parseStep(entry))) steps.push(step);
    else skipped++;
  }
  return {
    trajectoryId: pickText(root, "trajectory_id", "session_id"),
    agent: pickText(objectOr(root["agent"]), "name"),
    continuedRef: pickText(root, "continued_trajectory_ref"),
    steps,
    embedded: listOr(root["subagent_trajectories"]).filter(isObject).map(parseAtif),
    stop: findStop(root),
    oddities: skipped === 0 ? [] : [`${skipped} entries of \`steps\` are not objects and were skipped.`],
  };
}

/** ATIF has no such field. Agents use `extra` of the trajectory, of the last step or of its metrics. */
function findStop(root: JsonObject): RawTrajectory["stop"] {
  const steps = listOr(root["steps"]).filter(isObject);
  const last = steps.findLast((step) => step["source"] === "agent" && step["is_copied_context"] !== true);
  const parts = [root, objectOr(root["final_metrics"]), objectOr(last), objectOr(last?.["metrics"])];
  const places = parts.flatMap((part) => [part, objectOr(part["extra"])]);
  return places.map((place) => parseStopReason(readStop(place))).find((stop) => stop !== null) ?? null;
}

function parseStep(step: JsonObject): RawStep {
  const extra = objectOr(step["extra"]);
  const metrics = objectOr(step["metrics"]);
  const id = step["step_id"];
  const results = listOr(objectOr(step["observation"])["results"]).filter(isObject).map(parseResult);
  const calls = listOr(step["tool_calls"]).filter(isObject);
  const ids = new Set(calls.map((call) => pickText(call, "tool_call_id", "id")));
  const byCall = Map.groupBy(results, ({ callId }) => callId);
  return {
    statedId: typeof id === "number" || typeof id === "string" ? String(id) : null,
    source: parseSource(step["source"]),
    at: parseStepTime(step["timestamp"]),
    reasoning: pickText(step, "reasoning_content"),
    message: parseParts(step["message"]),
    calls: calls.map((call) => parseCall(call, byCall)),
    results: results.filter(({ callId }) => callId === null || !ids.has(callId)).map(({ result }) => result),
    usage: makeUsage({
      inputTokens: pickNumber(metrics, "prompt_tokens"),
      outputTokens: pickNumber(metrics, "completion_tokens"),
      costUsd: pickNumber(metrics, "cost_usd"),
    }),
    marks: findStepMarks(results.map(({ signs }) => signs)),
    level: 0,
    durationMs: UNTIL_NEXT,
    copied: pickBoolean(step, "is_copied_context") === true,
    sidechain:
      pickBoolean(extra, "is_sidechain") === true
        ? (pickText(extra, "agent_id", "agentId") ?? "side chain")
        : null,
  };
}

const MAX_UNWRAPPED = 20_000;

function unwrapStep(step: RawStep): readonly RawStep[] {
  const [part] = step.message;
  if (step.source !== "agent" || step.message.length !== 1 || part?.kind !== "text") return [step];
  const lines = part.text.startsWith("{") ? part.text.trimEnd().split("\n") : [];
  const records =
    lines.length < 2 || lines.length > MAX_UNWRAPPED
      ? []
      : lines.map((line) => objectOr(parseJsonText(line)));
  if (records.length === 0 || records.some((record) => pickText(record, "role") === null)) return [step];
  return parseRecordList(records.filter(({ role }) => role !== "meta")).steps;
}

function parseSource(value: unknown): StepSource {
  return value === "system" || value === "user" || value === "agent" ? value : "other";
}

function parseCall(call: JsonObject, byCall: Map<string | null, readonly SignedResult[]>): RawCall {
  const id = pickText(call, "tool_call_id", "id");
  const results = id === null ? [] : (byCall.get(id) ?? []);
  if (id !== null) byCall.delete(id);
  return {
    id,
    name: pickText(call, "function_name", "name") ?? "call",
    ...readCallText(call["arguments"]),
    results: results.map(({ result }) => result),
  };
}

function parseResult(result: JsonObject): SignedResult {
  const extra = objectOr(result["extra"]);
  const metadata = objectOr(extra["tool_result_metadata"]);
  const opened = openReturnCode(result["content"]);
  const exitCode =
    opened?.exitCode ??
    pickNumber(extra, "exit_code", "exitCode", "returncode") ??
    pickNumber(metadata, "exit_code", "exitCode", "returncode");
  const parts =
    opened === null ? parseParts(result["content"]) : [{ kind: "text" as const, text: opened.output }];
  const toolError =
    pickBoolean(extra, "tool_result_is_error") === true || pickBoolean(extra, "is_error") === true;
  return {
    result: { parts, refs: parseRefs(result["subagent_trajectory_ref"]) },
    callId: pickText(result, "source_call_id"),
    signs: { text: joinText(parts), exitCode, toolError },
  };
}

/** Some agents return shell results as JSON text with `returncode` and `output`. */
function openReturnCode(
  content: unknown,
): { readonly output: string; readonly exitCode: number | null } | null {
  if (typeof content !== "string" || !/^\s*\{\s*"(?:returncode|exit_code)"/u.test(content)) return null;
  const object = objectOr(parseJsonText(content));
  const output = object["output"];
  if (typeof output !== "string") return null;
  const problem = pickText(object, "exception_info");
  const exitCode = pickNumber(object, "returncode", "exit_code");
  return { output: problem === null ? output : `${output}\n${problem}`, exitCode };
}

function parseRefs(value: unknown): readonly SubagentRef[] {
  const refs = isObject(value) ? [value] : listOr(value).filter(isObject);
  return refs.map((ref) => ({
    trajectoryId: pickText(ref, "trajectory_id", "session_id"),
    path: pickText(ref, "trajectory_path"),
    label: pickText(objectOr(ref["extra"]), "name", "agent_name", "summary"),
  }));
}
