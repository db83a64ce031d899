import { parseStopReason } from "@/lib/core/domain/stop-reason";
import { makeUsage, type StepSource } from "@/lib/core/domain/trajectory";

import {
  isObject,
  objectOr,
  type JsonObject,
  listOr,
  parseJsonText,
  pickBoolean,
  pickNumber,
  pickText,
} from "../detail/json-shape";
import { CLAUDE_SESSION, CLAUDE_STREAM } from "./claude-code";
import { CODEX_EXEC, CODEX_ROLLOUT } from "./codex";
import { Conversation } from "./conversation";
import { GEMINI, GEMINI_LINES } from "./gemini";
import { readStop, addMessage, addResults, objectsOf, readUsage, sourceOf } from "./message";
import { MINI_SWE } from "./mini-swe";
import { OPENCODE } from "./opencode";
import { OPENHANDS } from "./openhands";
import {
  joinText,
  parseParts,
  parseStepTime,
  UNTIL_NEXT,
  type RawCall,
  type RawStep,
  type RawTrajectory,
  type SubagentRef,
} from "./raw-trajectory";
import { parseRecordList } from "./record-list";
import { CAST, PANE, PLAIN_LOG } from "./recording";
import { SPANS } from "./spans";
import { findStepMarks } from "./step-marks";
import { TAU3 } from "./tau3";
import { readCallText } from "./tool-call";
import { readHead, type TraceReader, type TraceLog } from "./trace-reader";

const OPENCLAW: TraceReader = {
  format: "OpenClaw session",
  lacks: null,
  holds: "lines",
  isSession: true,
  recognise: ({ records }) =>
    records.some((record) => record["type"] === "session" && "version" in record) ||
    records.some((record) => record["type"] === "message" && "parentId" in record),
  parse: ({ records, seen }) => parseSession(records, seen),
};

function parseSession(lines: readonly unknown[], seen: Set<string>): RawTrajectory {
  const conversation = new Conversation(lines);
  const kept = listBranch(conversation.records);
  for (const record of conversation.records) {
    const id = pickText(record, "id");
    if (record["type"] !== "message" || (id !== null && seen.has(id))) continue;
    if (id !== null) seen.add(id);
    const message = objectOr(record["message"]);
    const role = pickText(message, "role");
    if (role === "toolResult") {
      conversation.answer({
        callId: pickText(message, "toolCallId"),
        parts: parseParts(message["content"]),
        exitCode: pickNumber(objectOr(message["details"]), "exitCode"),
        toolError: pickBoolean(message, "isError") === true,
      });
    } else {
      addMessage(conversation, message["content"], {
        source: sourceOf(role),
        at: parseStepTime(record["timestamp"]),
        usage: readUsage(message["usage"]),
        sidechain: kept.has(record) ? null : "abandoned branch",
      });
      const error = pickText(message, "errorMessage");
      if (error !== null && kept.has(record))
        conversation.say({ source: "system", message: parseParts(error) });
      conversation.stop(readStop(message));
    }
  }
  return conversation.finish();
}

/** Returns the records that lead to the last one. Other branches were abandoned. */
function listBranch(records: readonly JsonObject[]): ReadonlySet<JsonObject> {
  const byId = new Map(records.map((record) => [pickText(record, "id"), record]));
  const kept = new Set<JsonObject>();
  let at = records.at(-1);
  while (at !== undefined && !kept.has(at)) {
    kept.add(at);
    at = byId.get(pickText(at, "parentId"));
  }
  // A list without a tree is a single branch.
  return kept.size > 1 ? kept : new Set(records);
}

const MAX_EPISODES = 5_000;
const EPISODE = /episode-\d+\/[^/]+$/u;

const MESSAGES_EPISODES: TraceReader = {
  format: "Messages API episodes",
  lacks: "times",
  holds: "value",
  recognise: ({ file, keys }) => EPISODE.test(file) && keys.has("content") && keys.has("role"),
  parse: readMessages,
};

const TERMINUS_EPISODES: TraceReader = {
  format: "Terminus episodes",
  lacks: "times or tokens",
  holds: "text",
  recognise: ({ file, text }) =>
    EPISODE.test(file) && file.endsWith("/response.txt") && /"(?:commands|keystrokes)"/u.test(text),
  parse: readTerminus,
};

/** Lists the folders of a log's episodes in their order. */
function listEpisodes({ file: own, files }: TraceLog): readonly string[] {
  const above = own.split("/").slice(0, -2).join("/");
  const folders = new Map<string, number>();
  for (const file of [own, ...files]) {
    const [name = "", rest] = file.startsWith(`${above}/`) ? file.slice(above.length + 1).split("/") : [];
    const number = /^episode-(\d{1,9})$/u.exec(name)?.[1];
    if (number !== undefined && rest !== undefined) folders.set(`${above}/${name}/`, Number(number));
  }
  const ordered = [...folders].sort(([, a], [, b]) => a - b).slice(0, MAX_EPISODES);
  return ordered.map(([folder]) => folder);
}

async function readMessages(log: TraceLog): Promise<RawTrajectory> {
  const conversation = new Conversation();
  const readValue = async (file: string) => parseJsonText((await log.read(file)) ?? "");
  for (const [nth, folder] of listEpisodes(log).entries()) {
    const response = objectOr(await readValue(`${folder}response.json`));
    if (nth === 0) addPrompt(conversation, objectOr(await readValue(`${folder}request.json`)));
    if (!Array.isArray(response["content"])) continue;
    addMessage(conversation, response["content"], { source: "agent", usage: readUsage(response["usage"]) });
    conversation.stop(readStop(response));
    const results = await readValue(`${folder}tool-results.json`);
    addResults(conversation, objectsOf(isObject(results) ? results["results"] : results));
  }
  return conversation.finish();
}

function addPrompt(conversation: Conversation, request: JsonObject): void {
  const system = request["system"];
  if (system !== undefined) conversation.say({ source: "system", message: parseParts(system) });
  for (const message of listOr(request["messages"]).filter(isObject)) {
    const source = pickText(message, "role") === "assistant" ? "agent" : "user";
    addMessage(conversation, message["content"], { source });
  }
}

async function readTerminus(log: TraceLog): Promise<RawTrajectory> {
  const conversation = new Conversation();
  for (const [nth, folder] of listEpisodes(log).entries()) {
    const prompt = await log.read(`${folder}prompt.txt`);
    const response = await log.read(`${folder}response.txt`);
    // The next prompt is the output of the previous commands.
    if (prompt !== null && nth > 0) conversation.answer({ callId: null, parts: parseParts(prompt) });
    else if (prompt !== null) conversation.say({ source: "user", message: parseParts(prompt) });
    if (response !== null) addResponse(conversation, response);
  }
  return conversation.finish();
}

function addResponse(conversation: Conversation, text: string): void {
  const plan = objectOr(parseJsonText(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)));
  const commands = objectsOf(plan["commands"]);
  const words = [pickText(plan, "analysis", "state_analysis"), pickText(plan, "plan", "explanation")];
  const said = words.filter(Boolean).join("\n\n");
  conversation.say({ source: "agent", message: parseParts(said === "" ? text : said) });
  for (const command of commands) conversation.call(null, "keystrokes", command);
}

const ATIF: TraceReader = {
  format: "ATIF",
  lacks: null,
  holds: "value",
  recognise: ({ keys, text }) =>
    (keys.has("steps") && /"steps"\s*:\s*(?:\[|$)/u.test(text)) ||
    (keys.has("schema_version") && text.includes('"ATIF')),
  parse: ({ value }) => (isObject(value) && Array.isArray(value["steps"]) ? parseAtif(value) : null),
};

const CHAT: TraceReader = {
  format: "chat transcript",
  lacks: null,
  holds: "value",
  recognise: ({ keys, isList, records }) => keys.has("messages") || (isList && records.some(isMessage)),
  parse: ({ value }) => {
    const list = Array.isArray(value) ? value : objectOr(value)["messages"];
    return Array.isArray(list) ? parseRecordList(list) : null;
  },
};

const CHAT_LINES: TraceReader = {
  format: "chat transcript",
  lacks: null,
  holds: "lines",
  recognise: ({ records, isList, nTexts }) => !isList && records.length > nTexts && records.some(isMessage),
  parse: ({ records }) => parseRecordList(records),
};

function isMessage(record: object): boolean {
  return (
    "role" in record ||
    "action" in record ||
    ("source" in record && ("content" in record || "message" in record))
  );
}

/** Richest format first. The first match reads the file. */
export const TRACE_READERS: readonly TraceReader[] = [
  ATIF,
  CLAUDE_SESSION,
  CODEX_ROLLOUT,
  OPENCLAW,
  GEMINI,
  GEMINI_LINES,
  OPENHANDS,
  TAU3,
  MINI_SWE,
  MESSAGES_EPISODES,
  OPENCODE,
  CLAUDE_STREAM,
  CODEX_EXEC,
  SPANS,
  CHAT,
  CHAT_LINES,
  TERMINUS_EPISODES,
  CAST,
  PANE,
  PLAIN_LOG,
];

/**
 * Parses ATIF v1.0 to 1.8 loosely: ignores unknown fields, and skips and reports steps that are not objects.
 * @see harbor 0.13.1 src/harbor/models/trajectories
 */
function parseAtif(root: JsonObject): RawTrajectory {
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

function parseCall(
  call: JsonObject,
  byCall: Map<string | null, readonly ReturnType<typeof parseResult>[]>,
): RawCall {
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

function parseResult(result: JsonObject) {
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
function openReturnCode(content: unknown) {
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

const STREAMS = [
  { name: /codex[^/]*$/u, reader: CODEX_EXEC },
  { name: /claude[^/]*$/u, reader: CLAUDE_STREAM },
  { name: /opencode[^/]*$/u, reader: OPENCODE },
] as const;
const MAX_LINES_BEFORE = 5;

/** True if a log is its own program's JSON stream. In any other log a record may be printed by a tool. */
export async function isAgentStream(trialPath: string, file: string): Promise<boolean> {
  const reader = STREAMS.find(({ name }) => name.test(file))?.reader;
  const head = reader === undefined ? null : await readHead(trialPath, file);
  const [first] = head?.records ?? [];
  if (!head || first === undefined || reader?.recognise({ ...head, records: [first] }) !== true) return false;
  return head.text.split("\n", MAX_LINES_BEFORE).some((line) => line.startsWith("{"));
}
