import { ANSWER, at, type Lines, lines, PROMPT, THOUGHT, type TraceSample } from "./trace-sample.fixture";

function claudeMessages(rest: (second: number) => object): Lines {
  const usage = { input_tokens: 3, cache_read_input_tokens: 7, output_tokens: 2 };
  const call = (id: string, command: string) => ({ type: "tool_use", id, name: "Bash", input: { command } });
  const say = (second: number, id: string, ...content: readonly object[]) => ({
    type: "assistant",
    message: { role: "assistant", id, content, usage },
    ...rest(second),
  });
  const result = (second: number, id: string, content: string, is_error = false) => ({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error }] },
    ...rest(second),
  });
  return [
    // One message over two lines, each with the usage of the whole.
    say(1, "m1", { type: "thinking", thinking: THOUGHT }),
    say(1, "m1", call("c1", "ls")),
    result(2, "c1", "setup.py"),
    say(3, "m2", call("c2", "make")),
    result(4, "c2", "Exit code 2\nno rule", true),
    say(5, "m3", { type: "text", text: ANSWER }),
  ];
}

const session = (second: number) => ({
  sessionId: "s",
  parentUuid: null,
  timestamp: at(second),
  cwd: "/app",
});

const geminiCall = (id: string, command: string, response: object) => ({
  id,
  name: "run_shell_command",
  args: { command },
  status: "error" in response ? "error" : "success",
  result: [{ functionResponse: { id, name: "run_shell_command", response } }],
});
const codexItem = (type: string, item: object) => ({ type: `item.${type}`, item });
const response = (second: number, payload: object) => ({
  type: "response_item",
  timestamp: at(second),
  payload,
});
const openCode = (second: number, type: string, part: object) => ({
  type,
  timestamp: Date.parse(at(second)),
  sessionID: "ses",
  part,
});
const openCodeTool = (id: string, command: string, output: string, exit: number) => ({
  type: "tool",
  tool: "bash",
  callID: id,
  state: { status: "completed", input: { command }, output, metadata: { exit } },
});
const openCodeEnd = {
  type: "step-finish",
  tokens: { input: 10, output: 2, reasoning: 0, cache: { read: 0, write: 0 } },
};
let parent: string | null = null;
const claw = (second: number, message: object) => {
  const record = { type: "message", id: `r${second}`, parentId: parent, timestamp: at(second), message };
  parent = record.id;
  return record;
};
const clawUsage = { input: 5, cacheRead: 5, output: 2 };
const clawCall = (id: string, command: string) => ({
  type: "toolCall",
  id,
  name: "exec",
  arguments: { command },
});

/** Logs of a record a line. */
export const LINE_LOGS: readonly TraceSample[] = [
  {
    format: "Gemini CLI session",
    files: {
      "agent/gemini-cli.trajectory.jsonl": lines(
        { sessionId: "s", projectHash: "p", startTime: at(0), kind: "main" },
        { id: "0", type: "user", timestamp: at(0), content: [{ text: PROMPT }] },
        { id: "1", type: "gemini", timestamp: at(1), content: "", thoughts: [{ description: THOUGHT }] },
        // The tokens of a message come before it, its calls after it.
        { id: "2", type: "message_update", tokens: { input: 10, output: 2 } },
        { id: "1", type: "message_update", toolCalls: [geminiCall("c1", "ls", { output: "setup.py" })] },
        { $set: { lastUpdated: at(2) } },
        { id: "9", type: "gemini", timestamp: at(2), content: "A wrong turn." },
        { $rewindTo: "9" },
        { id: "2", type: "gemini", timestamp: at(3), content: "" },
        { id: "2", type: "message_update", toolCalls: [geminiCall("c2", "make", { error: "no rule" })] },
        { id: "3", type: "gemini", timestamp: at(5), content: "It " },
        {
          id: "3",
          type: "gemini",
          timestamp: at(5),
          content: ANSWER,
          tokens: { input: 9, output: 2, thoughts: 1 },
        },
      ),
    },
    without: [],
  },
  {
    format: "Claude Code session",
    files: {
      "agent/sessions/projects/-app/s.jsonl": lines(
        { type: "user", message: { role: "user", content: PROMPT }, ...session(0) },
        ...claudeMessages(session),
      ),
    },
    without: [],
  },
  {
    format: "Codex rollout",
    files: {
      "agent/sessions/2026/01/01/rollout-1.jsonl": lines(
        { type: "session_meta", timestamp: at(0), payload: { cwd: "/app" } },
        response(0, { type: "message", role: "user", content: [{ type: "input_text", text: PROMPT }] }),
        response(1, { type: "reasoning", summary: [{ type: "summary_text", text: THOUGHT }] }),
        response(1, {
          type: "function_call",
          name: "shell",
          call_id: "c1",
          arguments: '{"command": ["ls"]}',
        }),
        {
          type: "event_msg",
          payload: {
            type: "token_count",
            info: { last_token_usage: { input_tokens: 10, output_tokens: 2 } },
          },
        },
        response(2, { type: "function_call_output", call_id: "c1", output: "setup.py" }),
        response(3, {
          type: "function_call",
          name: "shell",
          call_id: "c2",
          arguments: '{"command": ["make"]}',
        }),
        response(4, {
          type: "function_call_output",
          call_id: "c2",
          output: [{ type: "input_text", text: "exit code: 2\nno rule" }],
        }),
        // Events say again what messages say.
        { type: "event_msg", timestamp: at(5), payload: { type: "agent_message", message: ANSWER } },
        response(5, { type: "message", role: "assistant", content: [{ type: "output_text", text: ANSWER }] }),
      ),
    },
    without: [],
  },
  {
    format: "OpenClaw session",
    files: {
      "agent/openclaw-session.jsonl": lines(
        { type: "session", version: 3, id: "s", timestamp: at(0) },
        claw(0, { role: "user", content: [{ type: "text", text: PROMPT }] }),
        claw(1, {
          role: "assistant",
          content: [{ type: "thinking", thinking: THOUGHT }, clawCall("c1", "ls")],
          usage: clawUsage,
        }),
        claw(2, { role: "toolResult", toolCallId: "c1", content: [{ type: "text", text: "setup.py" }] }),
        claw(3, { role: "assistant", content: [clawCall("c2", "make")], usage: clawUsage }),
        claw(4, {
          role: "toolResult",
          toolCallId: "c2",
          content: [{ type: "text", text: "no rule" }],
          details: { exitCode: 2 },
        }),
        claw(5, { role: "assistant", content: [{ type: "text", text: ANSWER }], usage: clawUsage }),
      ),
    },
    without: [],
  },
  {
    format: "OpenCode log",
    files: {
      "agent/opencode.txt": lines(
        openCode(1, "step_start", { type: "step-start" }),
        openCode(1, "reasoning", { type: "reasoning", text: THOUGHT }),
        openCode(2, "tool_use", openCodeTool("c1", "ls", "setup.py", 0)),
        openCode(2, "step_finish", openCodeEnd),
        openCode(3, "step_start", { type: "step-start" }),
        openCode(4, "tool_use", openCodeTool("c2", "make", "no rule", 2)),
        openCode(4, "step_finish", openCodeEnd),
        openCode(5, "step_start", { type: "step-start" }),
        openCode(5, "text", { type: "text", text: ANSWER }),
        openCode(5, "step_finish", openCodeEnd),
      ),
    },
    without: ["prompt"],
  },
  {
    format: "Claude Code stream",
    files: {
      "agent/claude-code.txt": lines(
        "Warning: no ps",
        { type: "system", subtype: "init", session_id: "s", tools: [] },
        ...claudeMessages(() => ({ parent_tool_use_id: null })),
        { type: "result", subtype: "success", result: ANSWER },
      ),
    },
    // The output of a message is not counted yet when it is printed.
    tokens: 10,
    without: ["prompt", "times"],
  },
  {
    format: "Codex exec log",
    files: {
      "agent/codex.txt": lines(
        "Reading additional input from stdin...",
        { type: "thread.started", thread_id: "t" },
        codexItem("completed", { id: "i0", type: "reasoning", text: THOUGHT }),
        codexItem("started", {
          id: "i1",
          type: "command_execution",
          command: "ls",
          aggregated_output: "",
          exit_code: null,
        }),
        codexItem("completed", {
          id: "i1",
          type: "command_execution",
          command: "ls",
          aggregated_output: "setup.py",
          exit_code: 0,
        }),
        codexItem("completed", {
          id: "i2",
          type: "command_execution",
          command: "make",
          aggregated_output: "no rule",
          exit_code: 2,
        }),
        codexItem("completed", { id: "i3", type: "agent_message", text: ANSWER }),
      ),
    },
    without: ["prompt", "times", "tokens"],
  },
];
