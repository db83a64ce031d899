import { join } from "node:path";

import { expect, it } from "vitest";

import { parseStopReason } from "@/lib/core/domain/stop-reason";
import { type FolderFiles, makeFolder } from "@/lib/testing/folder.fixture";

import { readTrajectory } from "./read-trajectory";

const lines = (...records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const assistant = (stop_reason: string | null, text = "I am") => ({
  id: text,
  role: "assistant",
  content: [{ type: "text", text }],
  stop_reason,
});
const session = (uuid: string, message: object) => ({
  type: "assistant",
  sessionId: "s",
  parentUuid: null,
  uuid,
  message,
});
const item = (text: string) => ({ type: "item.completed", item: { id: text, type: "agent_message", text } });
const response = (text: string) => ({
  type: "response_item",
  payload: { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
});
const claw = (id: string, message: object) => ({ type: "message", id, parentId: null, message });
const code = (type: string, part: object) => ({ type, sessionID: "s", timestamp: 1e12, part });
const chat = (more: object) => ({ role: "assistant", content: "I am", ...more });
const codeText = code("text", { type: "text", text: "I am" });

/** Records of an early stop in each format. */
const RUNS: Readonly<Record<string, { readonly files: FolderFiles; readonly stop: string }>> = {
  ATIF: {
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.6",
        steps: [
          { step_id: 1, source: "agent", message: "I am", metrics: { extra: { finish_reason: "length" } } },
        ],
      },
    },
    stop: "output limit: length",
  },
  "Claude Code session": {
    files: { "agent/sessions/projects/a/s.jsonl": lines(session("1", assistant("max_tokens"))) },
    stop: "output limit: max_tokens",
  },
  "Claude Code stream": {
    files: {
      "agent/claude-code.txt": lines(
        { type: "system", subtype: "init" },
        { type: "assistant", message: assistant("tool_use") },
        { type: "result", subtype: "error_max_turns" },
      ),
    },
    stop: "turn limit: error_max_turns",
  },
  "Codex rollout": {
    files: {
      "agent/sessions/rollout-1.jsonl": lines({ type: "session_meta", payload: {} }, response("I am"), {
        type: "event_msg",
        payload: { type: "turn_aborted", reason: "interrupted" },
      }),
    },
    stop: "aborted: turn_aborted",
  },
  "Codex exec log": {
    files: {
      "agent/codex.txt": lines({ type: "thread.started" }, item("I am"), {
        type: "error",
        message: "Codex ran out of room in the model's context window.",
      }),
    },
    stop: "context limit: context_length_exceeded",
  },
  "OpenClaw session": {
    files: {
      "agent/openclaw-session.jsonl": lines(
        { type: "session", version: 3, id: "0" },
        claw("1", { role: "assistant", content: [{ type: "text", text: "I am" }], stopReason: "length" }),
      ),
    },
    stop: "output limit: length",
  },
  "Gemini CLI session": {
    files: {
      "agent/session.json": {
        sessionId: "s",
        projectHash: "h",
        messages: [{ type: "gemini", content: "I am", finishReason: "SAFETY" }],
      },
    },
    stop: "refusal: SAFETY",
  },
  "Gemini CLI session of lines": {
    files: {
      "agent/session.jsonl": lines(
        { sessionId: "s", projectHash: "h" },
        { type: "gemini", id: "1", content: "I am", finishReason: "MAX_TOKENS" },
      ),
    },
    stop: "output limit: MAX_TOKENS",
  },
  "OpenHands events": {
    files: {
      "agent/events/0.json": { id: 0, source: "agent", action: "message", args: { content: "I am" } },
      "agent/events/1.json": {
        id: 1,
        source: "environment",
        observation: "agent_state_changed",
        extras: { agent_state: "error", reason: "RuntimeError: Agent reached maximum iteration." },
      },
    },
    stop: "turn limit: RuntimeError: Agent reached maximum iteration.",
  },
  "tau3 runtime state": {
    files: {
      "agent/state.json": {
        task_id: "1",
        termination_reason: "max_steps",
        messages: [{ role: "assistant", content: "I am" }],
      },
    },
    stop: "turn limit: max_steps",
  },
  "mini-swe-agent trajectory": {
    files: {
      "agent/mini.json": {
        trajectory_format: "mini-swe-agent-1",
        info: { exit_status: "LimitsExceeded" },
        messages: [{ role: "assistant", content: "I am" }],
      },
    },
    stop: "turn limit: LimitsExceeded",
  },
  "Messages API episodes": {
    files: { "agent/episodes/episode-0/response.json": assistant("refusal") },
    stop: "refusal: refusal",
  },
  "OpenCode log": {
    files: { "agent/opencode.txt": lines(codeText, code("step_finish", { reason: "content-filter" })) },
    stop: "refusal: content-filter",
  },
  "OpenTelemetry spans": {
    files: {
      "agent/spans.jsonl": lines({
        trace_id: "t",
        span_id: "s",
        name: "completion",
        start_time: "2026-01-01T00:00:00Z",
        attributes: {
          "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"I am"}]}]',
          "gen_ai.response.finish_reasons": '["length"]',
        },
      }),
    },
    stop: "output limit: length",
  },
  "chat transcript": {
    files: { "agent/messages.json": { messages: [chat({ finish_reason: "length" })] } },
    stop: "output limit: length",
  },
  "chat transcript of lines": {
    files: { "agent/chat.jsonl": lines(chat({ finish_reason: "content_filter" })) },
    stop: "refusal: content_filter",
  },
};

async function readStop(files: FolderFiles): Promise<string | null> {
  const folder = makeFolder(
    Object.fromEntries(Object.entries(files).map(([path, file]) => [`t/${path}`, file])),
  );
  const { stop, steps } = await readTrajectory(join(folder, "t"));
  expect(steps.length).toBeGreaterThan(0);
  return stop === null ? null : `${stop.reason}: ${stop.text}`;
}

it.each(Object.entries(RUNS))("reads it of %s", async (_, { files, stop }) => {
  expect(await readStop(files)).toBe(stop);
});

it("is that of the last step alone, and nothing where the run went on or ended as planned", async () => {
  const path = "agent/sessions/projects/a/s.jsonl";
  const went = lines(session("1", assistant("max_tokens")), session("2", assistant("end_turn", "Done")));
  expect(await readStop({ [path]: went })).toBeNull();
  const side = { ...session("2", assistant("max_tokens", "Aside")), isSidechain: true, agentId: "a" };
  expect(await readStop({ [path]: lines(session("1", assistant("end_turn")), side) })).toBeNull();
});

it("knows no reason in a plain end", () => {
  for (const word of [
    "stop",
    "end_turn",
    "tool_use",
    "tool-calls",
    "user_stop",
    "Submitted",
    "unknown",
    "",
    3,
  ])
    expect(parseStopReason(word)).toBeNull();
});
