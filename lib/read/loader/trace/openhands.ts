import { makeUsage, type StepUsage } from "@/lib/core/domain/trajectory";

import { type JsonObject, listOr, objectOr, parseJsonText, pickNumber, pickText } from "../detail/json-shape";
import { Conversation, type Spoken } from "./conversation";
import { objectsOf, readStop } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceLog, TraceReader } from "./trace-reader";

const EVENT = /^(.*\/events\/)(\d{1,9})\.json$/u;
const MAX_EVENTS = 20_000;
const SPOKEN: ReadonlySet<unknown> = new Set(["message", "system", "think", "finish", "reject"]);
const SKIPPED_ACTIONS: ReadonlySet<string> = new Set(["change_agent_state", "null", "recall"]);
const SKIPPED_OBSERVATIONS: ReadonlySet<string> = new Set(["agent_state_changed", "null", "recall", "think"]);

export const OPENHANDS: TraceReader = {
  format: "OpenHands events",
  lacks: null,
  holds: "value",
  recognise: ({ file, keys }) =>
    EVENT.test(file) && keys.has("source") && (keys.has("action") || keys.has("observation")),
  parse: readSession,
};

async function readSession(log: TraceLog): Promise<RawTrajectory> {
  const session = new Session();
  const folder = EVENT.exec(log.file)?.[1] ?? "";
  const numbers = [log.file, ...log.files].flatMap((file) => {
    const [, where, digits] = EVENT.exec(file) ?? [];
    return where === folder ? [Number(digits)] : [];
  });
  const ordered = [...new Set(numbers)].sort((one, other) => one - other);
  const oddities = ordered.length > MAX_EVENTS ? [`Only the first ${MAX_EVENTS} events are read.`] : [];
  for (const number of ordered.slice(0, MAX_EVENTS)) {
    const file = `${folder}${number}.json`;
    const text = file === log.file ? log.text : await log.read(file);
    if (text === null) continue;
    const event = objectOr(file === log.file ? log.value : parseJsonText(text));
    if (Object.keys(event).length === 0) oddities.push(`${file} is not a readable event.`);
    else session.add(event);
  }
  return session.conversation.finish({ oddities: oddities.slice(0, 10) });
}

class Session {
  readonly conversation = new Conversation();
  private readonly total = { input: 0, output: 0, cost: 0 };

  add(event: JsonObject): void {
    const observation = pickText(event, "observation");
    if (observation === "agent_state_changed") this.conversation.stop(readReason(event));
    if (observation !== null) {
      if (!SKIPPED_OBSERVATIONS.has(observation)) this.observe(event, observation);
    } else if (!SKIPPED_ACTIONS.has(pickText(event, "action") ?? "null")) this.act(event);
  }

  private act(event: JsonObject): void {
    const args = objectOr(event["args"]);
    const isSpoken = SPOKEN.has(event["action"]);
    const metadata = objectOr(event["tool_call_metadata"]);
    const thought = pickText(args, "thought", "final_thought");
    const said = isSpoken ? (pickText(args, "content") ?? thought ?? pickText(event, "message")) : thought;
    this.conversation.say({
      source: tellSource(event),
      at: parseStepTime(event["timestamp"]),
      message: [...parseParts(said), ...parseParts(listOr(args["image_urls"]).map(toImage))],
      usage: this.readUsage(objectOr(event["llm_metrics"])),
    });
    const [choice] = objectsOf(objectOr(metadata["model_response"])["choices"]);
    this.conversation.stop(readStop(objectOr(choice)));
    if (isSpoken) return;
    const { thought: _, ...given } = args;
    const name = pickText(metadata, "function_name") ?? pickText(event, "action") ?? "call";
    this.conversation.call(callId(event), name, findArguments(metadata) ?? given);
  }

  private observe(event: JsonObject, observation: string): void {
    const extras = objectOr(event["extras"]);
    const screenshot = pickText(extras, "screenshot");
    const parts = [
      ...parseParts(event["content"]),
      ...(screenshot === null ? [] : parseParts([toImage(screenshot)])),
    ];
    const id = callId(event);
    if (id === null || !this.conversation.knows(id)) {
      if (parts.length === 0) return;
      this.conversation.say({
        source: tellSource(event),
        at: parseStepTime(event["timestamp"]),
        message: parts,
      });
      if (observation === "error") this.conversation.answer({ callId: null, parts: [], toolError: true });
      return;
    }
    const exitCode = pickNumber(objectOr(extras["metadata"]), "exit_code") ?? pickNumber(extras, "exit_code");
    this.conversation.answer({
      callId: id,
      parts,
      // A running command has no exit code yet.
      exitCode: exitCode === -1 ? null : exitCode,
      toolError: observation === "error",
    });
  }

  /** Returns an event's increment of the cumulative metrics. */
  private readUsage(metrics: JsonObject): StepUsage | null {
    const sums = objectOr(metrics["accumulated_token_usage"]);
    const grown = (name: keyof Session["total"], sum: number | null): number | null => {
      if (sum === null) return null;
      const more = sum - this.total[name];
      this.total[name] = sum;
      return more > 0 ? more : null;
    };
    return makeUsage({
      inputTokens: grown("input", pickNumber(sums, "prompt_tokens")),
      outputTokens: grown("output", pickNumber(sums, "completion_tokens")),
      costUsd: grown("cost", pickNumber(metrics, "accumulated_cost")),
    });
  }
}

function readReason(event: JsonObject): string | null {
  const { agent_state: state, reason } = objectOr(event["extras"]);
  if (typeof reason === "string" && reason !== "") return reason;
  return state === "user_stopped" ? "aborted" : null;
}

function tellSource(event: JsonObject): Spoken["source"] {
  if (event["action"] === "system") return "system";
  const source = pickText(event, "source");
  if (source === "environment") return "system";
  return source === "agent" || source === "user" ? source : "other";
}

function callId(event: JsonObject): string | null {
  const id = pickText(objectOr(event["tool_call_metadata"]), "tool_call_id");
  const number = pickNumber(event, "observation" in event ? "cause" : "id");
  return id ?? (number === null ? null : String(number));
}

function findArguments(metadata: JsonObject): unknown {
  const id = pickText(metadata, "tool_call_id");
  const [choice] = objectsOf(objectOr(metadata["model_response"])["choices"]);
  const calls = objectsOf(objectOr(objectOr(choice)["message"])["tool_calls"]);
  const call = calls.find((one) => one["id"] === id) ?? (calls.length === 1 ? calls[0] : undefined);
  return objectOr(call?.["function"])["arguments"] ?? null;
}

function toImage(url: unknown): JsonObject {
  return { type: "image_url", image_url: { url: typeof url === "string" ? url : "" } };
}
