import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";
import { sumTokens } from "@/lib/core/domain/trial";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { IS_LONG_RUN, planRuns } from "@/lib/testing/plan-runs";

import { readTrajectory } from "./read-trajectory";
import { OTHER_TRACES } from "./trace-files.fixture";
import { LINE_LOGS } from "./trace-logs.fixture";
import { TRACE_READERS } from "./trace-readers";

const RANKS = TRACE_READERS.map(({ format }) => format);
/** Every format, the richest first. */
const TRACE_SAMPLES = [...LINE_LOGS, ...OTHER_TRACES].sort(
  (a, b) => RANKS.indexOf(a.format) - RANKS.indexOf(b.format),
);

const read = (files: Readonly<Record<string, unknown>>, source: string | null = null) =>
  readTrajectory(makeFolder(files), null, source);

/** Everything that a step says or shows. */
function textOf({ message, reasoning, calls, results }: TrajectoryStep): string {
  const parts = [
    message,
    ...[...calls.flatMap((call) => call.results), ...results].map((one) => one.parts),
  ].flat();
  const texts = parts.map((part) => (part.kind === "text" ? part.text : ""));
  return [reasoning ?? "", ...texts, ...calls.map(({ headline }) => headline)].join("\n");
}

const allText = ({ steps }: Trajectory) => steps.map(textOf).join("\n");

describe.each(TRACE_SAMPLES)("$format", ({ format, files, without, tokens: nTokens = 12 }) => {
  const says = (what: (typeof without)[number]) => !without.includes(what);

  it("is recognised by its content, and shows the run whole and in its order", async () => {
    const trajectory = await read(files);
    const { steps, sources, source, issues } = trajectory;
    expect(issues).toEqual([]);
    expect(sources[0]?.format).toBe(format);
    expect(new Set(sources.map((one) => one.file)).size).toBe(1);
    expect(Object.keys(files)).toContain(source);
    const texts = ["setup.py", "no rule", "It is built."];
    const expected = says("prompt") ? ["Fix the wheel.", ...texts] : texts;
    const places = expected.map((text) => steps.findIndex((step) => textOf(step).includes(text)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    // Each is reported once, even if the log repeats it.
    expect(allText(trajectory).split("It is built.")).toHaveLength(2);
    if (says("thought")) expect(steps.some(({ reasoning }) => reasoning === "The folder first.")).toBe(true);
  });

  it("reports its calls, times and tokens, and nothing else", async () => {
    const { steps } = await read(files);
    const calls = steps.flatMap((step) => step.calls);
    const names = calls.map(({ headline }) => headline);
    expect(names).toEqual(says("calls") ? ["ls", "make"] : []);
    if (says("calls") && format !== "Terminus episodes")
      expect(calls.map(({ results }) => results.length)).toEqual([1, 1]);
    expect(steps.some(({ at }) => at !== null)).toBe(says("times"));
    // Once per message, even over several lines, cached tokens included.
    const tokens = steps.flatMap(({ usage }) => (usage === null ? [] : (sumTokens(usage) ?? [])));
    expect(new Set(tokens)).toEqual(new Set(says("tokens") ? [nTokens] : []));
    expect(tokens.length).toBeLessThanOrEqual(3);
    expect(steps.some(({ marks }) => marks.length > 0)).toBe(says("failure"));
  });
});

describe("traces of one trial", () => {
  it("are offered side by side, the richest first, and each can be chosen", async () => {
    const files = Object.assign({}, ...TRACE_SAMPLES.map((sample) => sample.files)) as Record<string, string>;
    const { sources, source } = await read(files);
    expect(sources.map(({ format }) => format)).toEqual([
      "Claude Code session",
      "Codex rollout",
      "OpenClaw session",
      "Gemini CLI session",
      "Gemini CLI session",
      "OpenHands events",
      "tau3 runtime state",
      "mini-swe-agent trajectory",
      "Messages API episodes",
      "OpenCode log",
      "Claude Code stream",
      "Codex exec log",
      "OpenTelemetry spans",
      "OpenTelemetry span tree",
      "chat transcript",
      "Terminus episodes",
      "terminal recording",
      "ATIF",
    ]);
    expect(source).toBe(sources[0]?.path);
    for (const { path } of sources) {
      const chosen = await read(files, path);
      expect(chosen.source).toBe(path);
      expect(chosen.steps[0]?.file).toBe(sources.find((one) => one.path === path)?.file);
      expect(allText(chosen)).toContain("setup.py");
    }
  });

  it("include one among the artifacts, of each step too, after all that the agent's folder has", async () => {
    const trace = (message: string) => ({
      schema_version: "ATIF-v1.4",
      steps: [{ source: "agent", message }],
    });
    const both = { "artifacts/trajectory.json": trace("Kept."), "agent/out.txt": "10:00:00 Done.\n" };
    expect((await read(both)).sources.map(({ path }) => path)).toEqual([
      "agent/out.txt",
      "artifacts/trajectory.json",
    ]);
    const ofSteps = {
      "steps/b/artifacts/trajectory.json": trace("Second."),
      "steps/a/artifacts/trajectory.json": trace("First."),
    };
    expect(
      allText(await read(ofSteps))
        .trim()
        .split(/\n+/u),
    ).toEqual(["First.", "Second."]);
  });

  it.each([
    ["of another schema", { schema_version: "flight-1", steps: [{ source: "agent", message: "Up." }] }],
    ["without a schema", { steps: [{ source: "agent", message: "Up." }] }],
    ["with ATIF in its text alone", { messages: [{ role: "user", content: '"schema_version": "ATIF-v1"' }] }],
  ])("leave out a file %s that is called a trajectory among the artifacts", async (_, file) => {
    const { steps, sources, unknown, issues } = await read({ "artifacts/trajectory.json": file });
    expect([steps, sources, unknown, issues]).toEqual([[], [], [], []]);
  });

  it.each(["artifacts", "artifacts/trajectory.json"])("follow no link %s out of the trial", async (link) => {
    const elsewhere = makeFolder({
      "trajectory.json": { schema_version: "ATIF-v1.4", steps: [{ message: "x" }] },
    });
    const folder = makeFolder({ "agent/": "", "artifacts/": "" });
    rmSync(join(folder, link), { recursive: true, force: true });
    symlinkSync(link === "artifacts" ? elsewhere : join(elsewhere, "trajectory.json"), join(folder, link));
    const { steps, sources } = await readTrajectory(folder);
    expect([steps, sources]).toEqual([[], []]);
  });

  it("spans are a tree as well, one trace after the other, written in any order", async () => {
    const span = (trace: string, id: string, parent: string | null, from: number, to: number, more = {}) => ({
      trace_id: trace,
      span_id: id,
      parent_span_id: parent,
      name: `${trace}-${id}`,
      start_time: `2026-01-01T00:00:${from}Z`,
      end_time: `2026-01-01T00:00:${to}Z`,
      attributes: {},
      ...more,
    });
    const spans = [
      span("b", "1", null, 30, 40),
      span("a", "3", "2", 12, 15, { attributes: { "tool.name": "ls", "output.value": "setup.py" } }),
      span("a", "1", null, 10, 20),
      // Ids are those of a trace.
      span("b", "2", "1", 31, 33, { status: { code: "ERROR" } }),
      span("a", "4", "1", 16, 19),
      span("a", "2", "1", 11, 15),
      span("a", "5", "gone", 13, 14),
      span("c", "1", "2", 50, 51),
      span("c", "2", "1", 51, 52),
    ];
    const text = spans.map((one) => JSON.stringify(one)).join("\n");
    const { steps } = await read({ "agent/spans.jsonl": text }, "agent/spans.jsonl#tree");
    const rows = steps.map(({ calls, depth, durationMs, marks }) => [
      `${"  ".repeat(depth)}${calls[0]?.name}`,
      durationMs,
      marks.length,
    ]);
    expect(rows).toEqual([
      ["a-1", 10_000, 0],
      ["  a-2", 4_000, 0],
      ["    ls", 3_000, 0],
      ["  a-4", 3_000, 0],
      ["a-5", 1_000, 0],
      ["b-1", 10_000, 0],
      ["  b-2", 2_000, 1],
      // A circle begins somewhere.
      ["c-1", 1_000, 0],
      ["  c-2", 1_000, 0],
    ]);
  });

  it("a patch that a program holds as a string is shown on lines of its own, with the files that it touches", async () => {
    const patch = '*** Begin Patch\n*** Update File: /app/pa.cpp\n@@\n-int a;\n+int "b";\n*** End Patch';
    const code = `const patch = ${JSON.stringify(patch)};\ntext(await tools.apply_patch(patch));`;
    const call = { type: "custom_tool_call", name: "exec", call_id: "c", input: code };
    const atif = { tool_calls: [{ tool_call_id: "c", function_name: "exec", arguments: { input: code } }] };
    const { steps: converted } = await read({
      "agent/trajectory.json": { steps: [{ source: "agent", message: "", ...atif }] },
    });
    const { steps } = await read({
      "agent/sessions/r.jsonl": [
        { type: "session_meta", timestamp: "2026-01-01T00:00:00Z", payload: { cwd: "/app" } },
        { type: "response_item", timestamp: "2026-01-01T00:00:01Z", payload: call },
      ]
        .map((record) => JSON.stringify(record))
        .join("\n"),
    });
    const shown = [...steps, ...converted].flatMap(({ calls }) => calls);
    expect(shown.map(({ files }) => files)).toEqual([["/app/pa.cpp"], ["/app/pa.cpp"]]);
    for (const { argumentsText } of shown)
      expect(argumentsText.split("\n")).toEqual(
        expect.arrayContaining(["-int a;", '+int "b";', "text(await tools.apply_patch(patch));"]),
      );
  });

  it("tau3 has the time at which a message was done, and says how long some took", async () => {
    const say = (second: number, role: string, seconds: number | null) => ({
      role,
      content: "x",
      timestamp: `2026-01-01T00:00:0${second}.000`,
      generation_time_seconds: seconds,
    });
    const messages = [say(1, "assistant", null), say(3, "user", null), say(9, "assistant", 2.5)];
    const { steps } = await read({
      "agent/tau3_runtime_state.json": { domain: "retail", task_id: "1", messages },
    });
    expect(steps.map(({ durationMs }) => durationMs)).toEqual([null, 2_000, 2_500]);
  });

  it("what a session went back from is kept apart from what it went on with", async () => {
    const [log] = LINE_LOGS.filter(({ format }) => format === "Gemini CLI session");
    const { steps } = await read(log?.files ?? {});
    const lanes = Map.groupBy(steps, ({ lane }) => lane);
    expect([...lanes.keys()]).toEqual(["main", "abandoned branch"]);
    expect(lanes.get("abandoned branch")?.map(textOf)).toEqual([expect.stringContaining("A wrong turn.")]);
    expect(lanes.get("main")).toHaveLength(4);
  });

  it("a trajectory that is torn gives way to a log that is not, and is named", async () => {
    const log = TRACE_SAMPLES.find(({ format }) => format === "OpenCode log")?.files ?? {};
    const { steps, source, issues } = await read({
      "agent/trajectory.json": '{"steps": [{"step_id"',
      ...log,
    });
    expect(source).toBe("agent/opencode.txt");
    expect(steps).toHaveLength(3);
    expect(issues.map(({ code, path }) => [code, path])).toEqual([["json_torn", "agent/trajectory.json"]]);
  });

  it("files of no known format are named with what they are", async () => {
    const { steps, unknown, issues } = await read({
      "agent/state.json": { weather: "fine", wind: 3 },
      "agent/empty.txt": "",
      "agent/data.txt": "\0\0\0",
    });
    expect(steps).toEqual([]);
    expect(issues).toEqual([]);
    const reasons = new Map(unknown.map(({ path, reason }) => [path, reason]));
    expect([...reasons.keys()].sort()).toEqual(["agent/data.txt", "agent/empty.txt", "agent/state.json"]);
    expect(reasons.get("agent/state.json")).toContain("weather, wind");
  });

  it("a conversation that was put into one message is its steps", async () => {
    const chat = TRACE_SAMPLES.find(({ format }) => format === "chat transcript")?.files ?? {};
    const message = Object.values(chat)[0] ?? "";
    const { steps } = await read({
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.6",
        steps: [{ step_id: 1, source: "agent", message }],
      },
    });
    expect(steps.map(({ source }) => source)).toEqual(["user", "agent", "agent", "agent"]);
    expect(steps.flatMap(({ calls }) => calls.map(({ headline }) => headline))).toEqual(["ls", "make"]);
  });

  it("the output of a tool that was written as a Python list is its text", async () => {
    const content = String.raw`[{'type': 'input_text', 'text': 'Exit code 2\nit\'s \x41 \u00e9'}, {'type': 'input_text', 'text': "b'c"}]`;
    const step = (text: string) => ({
      source: "agent",
      message: "",
      observation: { results: [{ content: text }] },
    });
    const { steps } = await read({
      "agent/trajectory.json": { schema_version: "ATIF-v1.6", steps: [step(content), step(`${content} `)] },
    });
    const shown = steps.map(({ results }) =>
      results[0]?.parts.map((one) => (one.kind === "text" ? one.text : "")),
    );
    // A text that is not such a list to its last character is shown unchanged.
    expect(shown).toEqual([["Exit code 2\nit's A é", "b'c"], [`${content} `]]);
  });

  it("subagents of Claude Code are placed where they were started", async () => {
    const meta = (second: number) => ({
      sessionId: "s",
      parentUuid: null,
      timestamp: `2026-01-01T00:00:0${second}Z`,
    });
    const task = { type: "tool_use", id: "t", name: "Task", input: { prompt: "look" } };
    const result = { type: "tool_result", tool_use_id: "t", content: "seen" };
    const lines = (...records: readonly object[]) =>
      records.map((record) => JSON.stringify(record)).join("\n");
    const { steps, sources } = await read({
      "agent/sessions/projects/-app/s.jsonl": lines(
        { type: "assistant", message: { role: "assistant", id: "m", content: [task] }, ...meta(1) },
        {
          type: "user",
          message: { role: "user", content: [result] },
          toolUseResult: { agentId: "a1" },
          ...meta(3),
        },
        {
          type: "assistant",
          message: { role: "assistant", id: "n", content: [{ type: "text", text: "Done." }] },
          ...meta(4),
        },
      ),
      "agent/sessions/projects/-app/agent-a1.jsonl": lines({
        type: "assistant",
        isSidechain: true,
        agentId: "a1",
        message: { role: "assistant", id: "x", content: [{ type: "text", text: "I look." }] },
        ...meta(2),
      }),
    });
    expect(sources).toHaveLength(1);
    expect(steps.map(({ key, lane, depth }) => [key, lane, depth])).toEqual([
      ["1", "main", 0],
      ["a1.1", "a1", 1],
      ["2", "main", 0],
    ]);
    expect(steps[0]?.calls[0]?.results[0]?.lanes).toEqual(["a1"]);
  });
});

describe("what looks like another format", () => {
  it("a log with times in brackets, or with a line of JSON, is text", async () => {
    const log = '[2026-01-01 10:00:00] start\n{"action": "x"}\n[2026-01-01 10:00:02] end\n';
    const { steps, sources } = await read({ "agent/out.txt": log });
    expect(sources.map(({ format }) => format)).toEqual(["plain text"]);
    expect(steps.map((step) => [step.at?.text, textOf(step).includes("action")])).toEqual([
      ["2026-01-01T10:00:00", true],
      ["2026-01-01T10:00:02", false],
    ]);
  });

  it("a file with a number of steps is no trajectory", async () => {
    const log = LINE_LOGS.find(({ format }) => format === "Codex exec log")?.files ?? {};
    const { sources, issues } = await read({
      "agent/summary.json": { steps: 12, schema_version: 1 },
      ...log,
    });
    expect([sources.map(({ format }) => format), issues]).toEqual([["Codex exec log"], []]);
  });

  it.each([
    ["on one line", 0],
    ["over many lines", 2],
  ])("a stream that was saved as one list %s is read", async (_, indent) => {
    const text =
      LINE_LOGS.find(({ format }) => format === "Claude Code stream")?.files["agent/claude-code.txt"] ?? "";
    const records = text.split("\n").filter((line) => line.startsWith("{"));
    const list = JSON.stringify(
      records.map((line): unknown => JSON.parse(line)),
      null,
      indent,
    );
    const { steps, notes } = await read({ "agent/claude.json": list });
    expect(steps.flatMap(({ calls }) => calls.map(({ headline }) => headline))).toEqual(["ls", "make"]);
    expect(notes).toEqual([]);
  });

  it("episodes are read in the order of their numbers, over gaps and with leading zeros", async () => {
    const say = (text: string) => JSON.stringify({ role: "assistant", content: [{ type: "text", text }] });
    const { steps } = await read({
      "agent/episodes/episode-001/response.json": say("one"),
      "agent/episodes/episode-010/response.json": say("ten"),
      "agent/episodes/episode-002/response.json": say("two"),
    });
    expect(steps.map((step) => textOf(step).trim())).toEqual(["one", "two", "ten"]);
  });

  it("cached tokens of Chat Completions are part of the prompt", async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 10, cache_read_input_tokens: 900 };
    const { steps } = await read({ "agent/chat.json": [{ role: "assistant", content: "x", usage }] });
    expect(steps[0]?.usage).toEqual({ inputTokens: 1000, outputTokens: 10, costUsd: null });
  });
});

/** Damage to a log's text by a killed agent, a full disk or an attacker. */
const DAMAGE: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc
    .double({ min: 0, max: 1, noNaN: true })
    .map((share) => (text: string) => text.slice(0, Math.floor(share * text.length))),
  fc.integer().map((seed) => (text: string) => {
    const parts = text.split("\n");
    return parts.map((_, at) => parts[Math.abs((at * 7919 + seed) % parts.length)] ?? "").join("\n");
  }),
  fc.string({ unit: "binary" }).map((noise) => (text: string) => text.replaceAll("\n", `\n${noise}\n`)),
  fc
    .constantFrom("null", "[]", "{}", "1e999", '"\\ud800"', "-1")
    .map((value) => (text: string) => text.replaceAll(/"[a-z_]+"(?=[,}\]])/g, value)),
  fc
    .jsonValue()
    .map(
      (value) => (text: string) =>
        text.replaceAll(/:\s*[[{]/g, (start) => `: ${JSON.stringify(value)}, "x": ${start.slice(1)}`),
    ),
);

it("a log that is torn, shuffled, mixed with noise or of other shapes is read as far as it goes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TRACE_SAMPLES), DAMAGE, async ({ files }, damage) => {
      const damaged = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, damage(text)]));
      const { steps } = await read(damaged);
      for (const step of steps) {
        for (const amount of Object.values(step.usage ?? {}))
          expect(amount === null || Number.isFinite(amount)).toBe(true);
        expect(typeof textOf(step)).toBe("string");
      }
    }),
    planRuns({ short: 100, long: 100_000 }),
  );
}, 600_000);

it("shows a session that was resumed, or stored twice, once", async () => {
  const claude = (n: number, text: string) => ({
    uuid: `u${n}`,
    parentUuid: null,
    sessionId: "s",
    timestamp: `2026-05-01T10:00:0${n}Z`,
    type: "user",
    message: { role: "user", content: text },
  });
  const claw = (n: number, text: string) => ({
    type: "message",
    id: `r${n}`,
    parentId: n === 1 ? null : `r${n - 1}`,
    timestamp: `2026-05-01T10:00:0${n}Z`,
    message: { role: "user", content: text },
  });
  const write = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");
  const first = [claude(1, "one"), claude(2, "two")];
  const resumed = await read({
    "agent/sessions/projects/-app/a.jsonl": write(first),
    "agent/sessions/projects/-app/b.jsonl": write([...first, claude(3, "three")]),
  });
  expect(allText(resumed).match(/\w+/g)).toEqual(["one", "two", "three"]);
  expect(resumed.sources).toHaveLength(1);
  const twice = write([claw(1, "one"), claw(2, "two")]);
  const copies = await read({
    "agent/openclaw-sessions/a.jsonl": twice,
    "agent/openclaw-sessions/b.jsonl": twice,
  });
  expect(allText(copies).match(/\w+/g)).toEqual(["one", "two"]);
});

it("tells a session whose first line is longer than the beginning of a file that is read", async () => {
  const record = {
    parentUuid: null,
    sessionId: "s",
    type: "user",
    message: { role: "user", content: "long ".repeat(80_000) },
    uuid: "u1",
  };
  const answer = { ...record, uuid: "u2", message: { role: "assistant", content: "It is built." } };
  const { sources, steps } = await read({
    "agent/sessions/projects/-app/a.jsonl": `${JSON.stringify(record)}\n${JSON.stringify(answer)}\n`,
  });
  expect(sources.map(({ format }) => format)).toEqual(["Claude Code session"]);
  expect(steps.map(({ source }) => source)).toEqual(["user", "agent"]);
});

it("looks at the agent's own files first, and says how many it left out", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`agent/cache/deep/${n}.jsonl`, '{"a": 1}']),
  );
  const { notes, sources } = await read({ ...files, "agent/zz.jsonl": '{"role": "user", "content": "x"}\n' });
  expect(sources.map(({ path }) => path)).toEqual(["agent/zz.jsonl"]);
  expect(notes.join()).toMatch(/10\d more files/);
});

/** Lines of a log again and again, as many as one file may hold values for. */
function repeat(text: string): string {
  const all = text.trimEnd().split("\n");
  const values = all.join(",").split(/[,:]/).length;
  return `${all[0] ?? ""}\n${`${all.slice(1).join("\n")}\n`.repeat(Math.floor(250_000 / values))}`;
}

/** Everything in the one step that is begun last. */
const UNBROKEN: Readonly<Record<string, RegExp>> = {
  "OpenCode log": /^.*"step_(?:start|finish)".*\n/gm,
  "Claude Code session": /"id":"m\d",/g,
};

// The reader of lines is one for all: in every run the log of the most kinds of records.
it.each(LINE_LOGS.filter(({ format }) => IS_LONG_RUN || format === "Codex exec log"))(
  "a $format of a hundred thousand records is read in the time that it takes",
  async ({ format, files }) => {
    for (const pattern of [undefined, UNBROKEN[format]]) {
      const large = Object.entries(files).map(([file, text]) => [
        file,
        repeat(text.replaceAll(pattern ?? /$^/g, "")),
      ]);
      const { steps } = await read(Object.fromEntries(large) as Record<string, string>);
      expect(steps.length).toBeGreaterThan(0);
    }
  },
);
