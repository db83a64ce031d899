/**
 * One and the same short run, in every format that is read: the user asks for a wheel, the agent thinks, lists the folder
 * (`setup.py`), runs a build that fails with exit 2 where the format states codes, and says "It is built.".
 */
type Lines = readonly (object | string)[];

const PROMPT = "Fix the wheel.";
const THOUGHT = "The folder first.";
const ANSWER = "It is built.";
const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const lines = (...records: Lines) =>
  `${records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n")}\n`;

/** A format with the files in which it lies. */
export interface TraceSample {
  readonly format: string;
  readonly files: Readonly<Record<string, string>>;
  /** What this format does not say, of what the run was. */
  readonly without: readonly ("prompt" | "thought" | "times" | "tokens" | "failure" | "calls")[];
}

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

const chat = [
  { role: "user", content: PROMPT },
  {
    role: "assistant",
    content: "",
    reasoning_content: THOUGHT,
    tool_calls: [{ id: "c1", type: "function", function: { name: "Bash", arguments: '{"command": "ls"}' } }],
  },
  { role: "tool", tool_call_id: "c1", content: "setup.py" },
  {
    role: "assistant",
    content: "",
    tool_calls: [
      { id: "c2", type: "function", function: { name: "Bash", arguments: '{"command": "make"}' } },
    ],
  },
  { role: "tool", tool_call_id: "c2", content: "no rule" },
  { role: "assistant", content: ANSWER },
];

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
const span = (second: number, given: readonly object[], gave: object) => ({
  trace_id: "t",
  span_id: `s${second}`,
  name: "completion",
  start_time: at(second),
  attributes: {
    "gen_ai.input.messages": JSON.stringify(given),
    "gen_ai.output.messages": JSON.stringify([gave]),
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 2,
  },
});
const part = (role: string, ...parts: readonly object[]) => ({ role, parts });
const spanCall = (id: string, command: string) => ({
  type: "tool_call",
  id,
  name: "Bash",
  arguments: { command },
});
const spanned = [
  part("user", { type: "text", content: PROMPT }),
  part("assistant", spanCall("c1", "ls")),
  part("tool", { type: "tool_call_response", id: "c1", response: "setup.py" }),
  part("assistant", spanCall("c2", "make")),
  part("tool", { type: "tool_call_response", id: "c2", response: "no rule" }),
  part("assistant", { type: "text", content: ANSWER }),
] as const;
const episode = (n: number, content: readonly object[], results: readonly object[]) => ({
  [`agent/episodes/episode-${n}/response.json`]: JSON.stringify({
    role: "assistant",
    content,
    usage: { input_tokens: 10, output_tokens: 2 },
  }),
  [`agent/episodes/episode-${n}/tool-results.json`]: JSON.stringify(results),
});
const use = (id: string, command: string) => ({ type: "tool_use", id, name: "bash", input: { command } });
const terminus = (n: number, prompt: string, plan: object) => ({
  [`agent/episode-${n}/prompt.txt`]: prompt,
  [`agent/episode-${n}/response.txt`]: JSON.stringify(plan),
});
const keys = (keystrokes: string) => [{ keystrokes: `${keystrokes}\n`, duration: 1 }];

/** Every format, the richest first. */
export const TRACE_SAMPLES: readonly TraceSample[] = [
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
    format: "tau3 runtime state",
    files: {
      "agent/tau3_runtime_state.json": JSON.stringify({
        domain: "retail",
        task_id: "1",
        messages: [
          { role: "user", content: PROMPT, timestamp: at(0) },
          {
            role: "assistant",
            content: null,
            timestamp: at(1),
            usage: { prompt_tokens: 10, completion_tokens: 2 },
            tool_calls: [{ id: "c1", name: "run", arguments: { command: "ls" } }],
          },
          { role: "tool", id: "c1", content: "setup.py", error: false },
          {
            role: "assistant",
            content: null,
            timestamp: at(3),
            tool_calls: [{ id: "c2", name: "run", arguments: { command: "make" } }],
          },
          { role: "tool", id: "c2", content: "no rule", error: true },
          { role: "assistant", content: ANSWER, timestamp: at(5) },
        ],
      }),
    },
    without: ["thought"],
  },
  {
    format: "mini-swe-agent trajectory",
    files: {
      "agent/mini-swe-agent.trajectory.json": JSON.stringify({
        trajectory_format: "mini-swe-agent-1",
        messages: [
          { role: "user", content: PROMPT },
          {
            role: "assistant",
            content: `${THOUGHT}\n\n\`\`\`bash\nls\n\`\`\``,
            extra: { response: { usage: { prompt_tokens: 10, completion_tokens: 2 } } },
          },
          { role: "user", content: "<returncode>0</returncode>\n<output>\nsetup.py</output>" },
          { role: "assistant", content: "Now make.\n\n```bash\nmake\n```" },
          { role: "user", content: "<returncode>2</returncode>\n<output>\nno rule</output>" },
          { role: "assistant", content: ANSWER },
        ],
      }),
    },
    without: ["thought", "times"],
  },
  {
    format: "Messages API episodes",
    files: {
      "agent/episodes/episode-0/request.json": JSON.stringify({
        messages: [{ role: "user", content: PROMPT }],
      }),
      ...episode(
        0,
        [{ type: "thinking", thinking: THOUGHT }, use("c1", "ls")],
        [{ type: "tool_result", tool_use_id: "c1", content: "setup.py" }],
      ),
      ...episode(
        1,
        [use("c2", "make")],
        [{ type: "tool_result", tool_use_id: "c2", content: "no rule", is_error: true }],
      ),
      ...episode(2, [{ type: "text", text: ANSWER }], []),
    },
    without: ["times"],
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
  {
    format: "OpenTelemetry spans",
    files: {
      "agent/spans.jsonl": lines(
        span(1, spanned.slice(0, 1), spanned[1]),
        span(3, spanned.slice(0, 3), spanned[3]),
        span(5, spanned.slice(0, 5), spanned[5]),
      ),
    },
    without: ["thought", "failure"],
  },
  {
    format: "chat transcript",
    files: { "agent/kimi-stdout.txt": lines(...chat, { role: "meta", type: "session.resume_hint" }) },
    without: ["times", "tokens", "failure"],
  },
  {
    format: "Terminus episodes",
    files: {
      ...terminus(0, PROMPT, { analysis: THOUGHT, plan: "List it.", commands: keys("ls") }),
      ...terminus(1, "setup.py", { analysis: "It is there.", plan: "Make it.", commands: keys("make") }),
      ...terminus(2, "exit code 2\nno rule", {
        analysis: ANSWER,
        plan: "",
        commands: [],
        task_complete: true,
      }),
    },
    without: ["thought", "times", "tokens"],
  },
  {
    format: "terminal recording",
    files: {
      "agent/recording.cast": lines(
        { version: 2, width: 80, height: 24, timestamp: Date.parse(at(0)) / 1000 },
        '[0.5, "o", "$ ls\\r\\nsetup.py\\r\\n"]',
        '[3.5, "i", "make"]',
        '[3.6, "o", "$ make\\r\\nno rule\\r\\n"]',
        `[8.5, "o", ${JSON.stringify(ANSWER)}]`,
      ),
    },
    without: ["prompt", "thought", "tokens", "failure", "calls"],
  },
  {
    format: "plain text",
    files: {
      "agent/oracle.txt": `${at(1)} INFO ls\nsetup.py\n${at(3)} INFO make\nno rule\n${at(5)} INFO ${ANSWER}\n`,
    },
    without: ["prompt", "thought", "tokens", "failure", "calls"],
  },
];
