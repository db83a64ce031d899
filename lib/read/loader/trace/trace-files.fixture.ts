import { ANSWER, at, lines, PROMPT, THOUGHT, type TraceSample } from "./trace-sample.fixture";

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

const atifStep = (second: number, command: string, content: string, more = {}) => ({
  source: "agent",
  timestamp: at(second),
  message: "",
  tool_calls: [{ tool_call_id: command, function_name: "bash", arguments: { command } }],
  observation: { results: [{ source_call_id: command, content }] },
  metrics: { prompt_tokens: 10, completion_tokens: 2 },
  ...more,
});

const gemini = (id: string, second: number, message: object) => ({
  id,
  type: "gemini",
  timestamp: at(second),
  content: "",
  tokens: { input: 10, output: 1, thoughts: 1, tool: 0, cached: 7 },
  ...message,
});
const geminiCall = (id: string, command: string, response: object) => ({
  toolCalls: [
    {
      id,
      name: "run_shell_command",
      args: { command },
      status: "error" in response ? "error" : "success",
      result: [{ functionResponse: { id, name: "run_shell_command", response } }],
    },
  ],
});
const thoughts = [{ subject: "", description: THOUGHT }];
const event = (id: number, fields: object) => ({
  [`agent/sessions/s/events/${id}.json`]: JSON.stringify({
    id,
    timestamp: at(Math.floor(id / 2)),
    ...fields,
  }),
});
const openhandsCall = (id: number, toolId: string, command: string, spent: number) =>
  event(id, {
    source: "agent",
    action: "run",
    message: `Running command: ${command}`,
    args: { command, thought: "" },
    tool_call_metadata: {
      tool_call_id: toolId,
      function_name: "execute_bash",
      model_response: {
        choices: [
          {
            message: {
              tool_calls: [
                { id: toolId, function: { name: "execute_bash", arguments: JSON.stringify({ command }) } },
              ],
            },
          },
        ],
      },
    },
    llm_metrics: {
      accumulated_token_usage: { prompt_tokens: 10 * spent, completion_tokens: 2 * spent },
      accumulated_cost: 0,
    },
  });
const openhandsResult = (id: number, cause: number, toolId: string, content: string, exitCode: number) =>
  event(id, {
    source: "agent",
    observation: "run",
    cause,
    content,
    extras: { metadata: { exit_code: exitCode } },
    tool_call_metadata: { tool_call_id: toolId },
  });

/** Traces in one file or in a folder a turn, and what is left of them. */
export const OTHER_TRACES: readonly TraceSample[] = [
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
    format: "Gemini CLI session",
    files: {
      "agent/gemini-cli.trajectory.json": JSON.stringify({
        sessionId: "s",
        projectHash: "p",
        messages: [
          { id: "0", type: "user", timestamp: at(0), content: [{ text: PROMPT }] },
          gemini("1", 1, { thoughts, ...geminiCall("c1", "ls", { output: "setup.py" }) }),
          gemini("2", 3, geminiCall("c2", "make", { error: "no rule" })),
          gemini("3", 5, { content: ANSWER }),
        ],
      }),
    },
    without: [],
  },
  {
    format: "OpenHands events",
    files: {
      ...event(0, { source: "user", action: "message", args: { content: PROMPT }, message: PROMPT }),
      ...event(1, { source: "environment", observation: "agent_state_changed", content: "" }),
      ...openhandsCall(2, "c1", "ls", 1),
      ...openhandsResult(3, 2, "c1", "setup.py", 0),
      ...openhandsCall(6, "c2", "make", 2),
      ...openhandsResult(7, 6, "c2", "no rule", 2),
      ...event(10, { source: "agent", action: "finish", args: { final_thought: ANSWER }, message: "" }),
    },
    without: ["thought"],
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
    format: "ATIF",
    files: {
      "artifacts/trajectory.json": JSON.stringify({
        schema_version: "ATIF-v1.4",
        steps: [
          { source: "user", timestamp: at(0), message: PROMPT },
          atifStep(1, "ls", "setup.py", { reasoning_content: THOUGHT }),
          atifStep(3, "make", "no rule\nexit code: 2"),
          { source: "agent", timestamp: at(5), message: ANSWER },
        ],
      }),
    },
    without: [],
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
