import { type JsonObject, objectOr, pickBoolean, pickNumber, pickText } from "../detail/json-shape";
import { Conversation } from "./conversation";
import { addMessage, keepObjects, readStop, readUsage, sourceOf } from "./message";
import { parseParts, parseStepTime, type RawTrajectory } from "./raw-trajectory";
import type { TraceReader } from "./trace-reader";

export const OPENCLAW: TraceReader = {
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
  const conversation = new Conversation();
  const { objects, oddities } = keepObjects(lines);
  const kept = listBranch(objects);
  for (const record of objects) {
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
  return conversation.finish({ oddities });
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
