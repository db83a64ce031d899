import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { readTrajectory } from "./read-trajectory";

let trial: string;
beforeEach(() => {
  trial = mkdtempSync(join(tmpdir(), "assay-trajectory-"));
});
afterEach(() => rmSync(trial, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(trial, path)), { recursive: true });
  writeFileSync(join(trial, path), typeof content === "string" ? content : JSON.stringify(content));
}

function bashStep(id: number, command: string, content: string, extra: object = {}): object {
  return {
    step_id: id,
    source: "agent",
    timestamp: `2026-01-01T00:00:${String(id).padStart(2, "0")}.500Z`,
    message: `I run ${command} to see what it does.`,
    tool_calls: [{ tool_call_id: `c${id}`, function_name: "bash", arguments: { command } }],
    observation: { results: [{ source_call_id: `c${id}`, content }] },
    ...extra,
  };
}

function atif(steps: readonly object[], extra: object = {}): object {
  return {
    schema_version: "ATIF-v1.7",
    agent: { name: "orca", version: "1", model_name: "m" },
    steps,
    ...extra,
  };
}

test("a trial without a trajectory has no steps and no issue", async () => {
  expect(await readTrajectory(trial)).toMatchObject({ steps: [], issues: [], landing: null, files: [] });
});

test("results are matched to their calls, times give durations, and a failing test run is where the page opens", async () => {
  put(
    "agent/trajectory.json",
    atif([
      { step_id: 1, source: "user", message: "Fix the wheel.", timestamp: "2026-01-01T00:00:00Z" },
      bashStep(2, "ls", "setup.py", { metrics: { prompt_tokens: 10, completion_tokens: 4, cost_usd: 0.01 } }),
      bashStep(3, "pytest -x", "collected 16 items\n1 failed, 14 passed in 2.87s\n"),
      bashStep(4, "grep x", "Exit code 1"),
    ]),
  );
  const { steps, landing, outline } = await readTrajectory(trial);
  expect(steps.map((step) => [step.key, step.source, step.durationMs])).toEqual([
    ["1", "user", 2500],
    ["2", "agent", 1000],
    ["3", "agent", 1000],
    ["4", "agent", null],
  ]);
  expect(steps[1]?.calls[0]).toMatchObject({ name: "bash", headline: "ls" });
  expect(steps[1]?.calls[0]?.results[0]?.parts).toEqual([{ kind: "text", text: "setup.py" }]);
  expect(steps.map(({ usage }) => usage)).toEqual([
    null,
    { inputTokens: 10, outputTokens: 4, costUsd: 0.01 },
    null,
    null,
  ]);
  expect(steps[2]?.marks).toEqual([{ kind: "tests-failed", label: "1 failed", stated: false }]);
  expect(steps[3]?.marks).toEqual([{ kind: "exit", label: "exit 1", stated: false }]);
  expect(landing).toBe(2);
  expect(outline[0]).toEqual({ key: "1", index: 0, title: "Task", marked: false });
});

test("continuations and subagents, embedded and in files, are woven into the rows that refer to them", async () => {
  const ref = (entry: object) => ({
    observation: { results: [{ content: null, subagent_trajectory_ref: [entry] }] },
  });
  put(
    "agent/trajectory.json",
    atif(
      [
        { step_id: 1, source: "agent", message: "delegate", ...ref({ trajectory_id: "explore" }) },
        {
          step_id: 2,
          source: "system",
          message: "compact",
          ...ref({ trajectory_path: "trajectory.sum-1.json" }),
        },
      ],
      {
        continued_trajectory_ref: "trajectory.cont-1.json",
        subagent_trajectories: [
          atif([{ step_id: 1, source: "agent", message: "look" }], { trajectory_id: "explore" }),
          atif([{ step_id: 1, source: "agent", message: "idle" }], { trajectory_id: "never-referred" }),
        ],
      },
    ),
  );
  put("agent/trajectory.sum-1.json", atif([{ step_id: 1, source: "agent", message: "sum" }]));
  // The continuation refers back to the first file: a circle must end.
  put(
    "agent/trajectory.cont-1.json",
    atif([{ step_id: 1, source: "user", message: "go on", is_copied_context: true }], {
      continued_trajectory_ref: "trajectory.json",
    }),
  );
  const { steps, issues, files } = await readTrajectory(trial);
  expect(steps.map((step) => [step.key, step.lane, step.depth])).toEqual([
    ["1", "main", 0],
    ["explore.1", "explore", 1],
    ["2", "main", 0],
    ["orca.1", "orca", 1],
    ["never-referred.1", "never-referred", 1],
    ["3", "main", 0],
  ]);
  expect(steps[5]).toMatchObject({ copied: true, statedId: "1", file: "agent/trajectory.cont-1.json" });
  expect(steps[0]?.results[0]?.lanes).toEqual(["explore"]);
  expect(files).toHaveLength(3);
  expect(issues).toEqual([]);
});

test("references that lead out of the trial are not followed and are reported", async () => {
  const secret = mkdtempSync(join(tmpdir(), "assay-secret-"));
  writeFileSync(
    join(secret, "trajectory.json"),
    JSON.stringify(atif([{ step_id: 1, source: "agent", message: "SECRET" }])),
  );
  const results = [
    "../../../etc/passwd",
    join(secret, "trajectory.json"),
    "linked.json",
    "https://example.org/t.json",
  ].map((path) => ({ subagent_trajectory_ref: [{ trajectory_path: path }] }));
  put(
    "agent/trajectory.json",
    atif([{ step_id: 1, source: "agent", message: "x", observation: { results } }]),
  );
  symlinkSync(join(secret, "trajectory.json"), join(trial, "agent/linked.json"));
  const { steps, issues } = await readTrajectory(trial);
  expect(JSON.stringify(steps)).not.toContain("SECRET");
  expect(steps).toHaveLength(1);
  expect(issues.map((issue) => issue.code)).toContain("link_outside_root");
  expect(issues.length).toBeGreaterThanOrEqual(4);
  rmSync(secret, { recursive: true });
});

test("image paths are placed in the trial folder, or say why they cannot be shown", async () => {
  const image = (path: string) => ({ type: "image", source: { media_type: "image/png", path } });
  const message = [
    { type: "text", text: "see" },
    image("images/a.png"),
    image("../../../x.png"),
    image("https://e.org/a.png"),
    { type: "image", source: { media_type: "image/svg+xml", path: "a.svg" } },
  ];
  put("agent/trajectory.json", atif([{ step_id: 1, source: "user", message }]));
  const { steps } = await readTrajectory(trial);
  expect(
    steps[0]?.message.map((part) => (part.kind === "text" ? part.text : (part.path ?? part.note))),
  ).toEqual([
    "see",
    "agent/images/a.png",
    "The image `../../../x.png` is outside the trial folder and is not opened.",
    "The image is at a network address and is not fetched.",
    "Only PNG, JPEG, GIF and WebP images are shown; `agent/a.svg` can be read under Files.",
  ]);
});

test("audio is played from files of types that browsers play, and named otherwise", async () => {
  const audio = (source: object) => ({ type: "audio", source });
  const message = [
    audio({ media_type: "audio/wav", path: "audio/a.wav", duration_sec: 2.5 }),
    audio({ path: "b.MP3", duration_sec: -1 }),
    audio({ media_type: "audio/aiff", path: "c.aiff" }),
    audio({ media_type: "audio/wav", path: "https://e.org/d.wav" }),
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
    audio({ media_type: "audio/wav" }),
  ];
  put(
    "agent/trajectory.json",
    atif([{ step_id: 1, source: "user", message }], { schema_version: "ATIF-v1.8" }),
  );
  const { steps, issues } = await readTrajectory(trial);
  const silent = (note: string) => ({ kind: "audio", path: null, note, durationSec: null });
  expect(issues).toEqual([]);
  expect(steps[0]?.message).toEqual([
    { kind: "audio", path: "agent/audio/a.wav", note: null, durationSec: 2.5 },
    { kind: "audio", path: "agent/b.MP3", note: null, durationSec: null },
    silent("Only WAV, MP3, M4A, Ogg, FLAC and WebM audio is played; `agent/c.aiff` can be read under Files."),
    silent("The audio is at a network address and is not fetched."),
    silent("Audio of type wav, 1 KB, is embedded in the trace and is not played."),
    silent("The step names no file for this audio."),
  ]);
});

test("embedded images are shown by the type of their bytes, not by the stated one", async () => {
  const png = `iVBORw0KGgo${"A".repeat(89)}`;
  const svg = Buffer.from("<svg onload='alert(1)'/>").toString("base64");
  const message = [
    { type: "image", source: { type: "base64", media_type: "image/jpeg", data: png } },
    { type: "image_url", image_url: { url: `data:image/svg+xml;charset=utf-8;base64,${png}` } },
    { type: "input_image", image_url: `data:image/png;base64,${svg}` },
    { type: "image", data: png, mimeType: "text/html" },
    {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: `${png}${"A".repeat(11_000_000)}` },
    },
    { type: "image_url", image_url: { url: "data:image/png,%89PNG" } },
  ];
  put("agent/trajectory.json", atif([{ step_id: 1, source: "user", message }]));
  const { steps } = await readTrajectory(trial);
  const shown = { base64: png, type: "image/png", sizeBytes: 75 };
  expect(
    steps[0]?.message.map((part) => (part.kind === "image" ? (part.embedded ?? part.note) : null)),
  ).toEqual([
    shown,
    shown,
    "An image of type image/png, 1 KB, is embedded in the trace. Only PNG, JPEG, GIF and WebP images are shown.",
    shown,
    "An image of type image/png, 8,057 KB, is embedded in the trace. It is too large to be shown.",
    "The image is embedded in the trace, not in base64, and is not shown.",
  ]);
});

test("inline side chains keep the file's numbering and get a lane", async () => {
  const side = { step_id: 2, source: "agent", message: "aside", extra: { is_sidechain: true } };
  put(
    "agent/trajectory.json",
    atif([{ step_id: 1, source: "user", message: "go" }, side, bashStep(3, "ls", "")]),
  );
  const { steps } = await readTrajectory(trial);
  expect(steps.map((step) => [step.key, step.lane])).toEqual([
    ["1", "main"],
    ["2", "side chain"],
    ["3", "main"],
  ]);
});

test("a plain list joins the environment's records to the calls they answer", async () => {
  put("agent/trajectory.json", [
    { step: 1, role: "assistant", tool_calls: [{ id: "a", name: "Bash", input: { command: "pdfinfo x" } }] },
    { step: 1, role: "environment", tool_use_id: "a", stdout: "Pages: 1", stderr: "warn", exit_code: 127 },
    { step: 2, role: "assistant", content: "Done." },
    "noise",
  ]);
  const { steps, issues } = await readTrajectory(trial);
  expect(steps).toHaveLength(2);
  expect(steps[0]?.calls[0]?.results[0]).toMatchObject({
    parts: [{ text: "Pages: 1" }, { text: "warn" }],
  });
  expect(steps[0]?.marks).toEqual([{ kind: "exit", label: "exit 127", stated: true }]);
  expect(issues[0]?.detail).toContain("1 records are not objects");
});

test("a shell answer inside JSON is opened, for any shape of `agent.model`", async () => {
  put("agent/trajectory.json", {
    schema_version: "ATIF-v1.6",
    agent: { name: "x", model: { provider: "p", name: "m" } },
    steps: [bashStep(1, "false", '{"returncode": 2, "output": "no such file"}')],
  });
  const { steps } = await readTrajectory(trial);
  expect(steps[0]?.calls[0]?.results[0]?.parts).toEqual([{ kind: "text", text: "no such file" }]);
  expect(steps[0]?.marks).toEqual([{ kind: "exit", label: "exit 2", stated: true }]);
});

test.each([
  ["", "file_empty"],
  ['{"steps": [', "json_torn"],
  ['"text"', "field_invalid"],
  ['{"hello": 1}', "field_invalid"],
])("a broken file %j is an issue, not a crash", async (content, code) => {
  put("agent/trajectory.json", content);
  const { steps, issues } = await readTrajectory(trial);
  expect(steps).toEqual([]);
  expect(issues.map((issue) => issue.code)).toEqual([code]);
});

test("a folder where the file should be is an issue", async () => {
  mkdirSync(join(trial, "agent/trajectory.json"), { recursive: true });
  expect((await readTrajectory(trial)).issues[0]).toMatchObject({ code: "file_unreadable" });
});

test("a bare NaN in the file does not lose the trajectory", async () => {
  put(
    "agent/trajectory.json",
    '{"steps":[{"step_id":1,"source":"agent","message":"NaN \\" NaN","metrics":{"prompt_tokens":NaN}}]}',
  );
  const { steps } = await readTrajectory(trial);
  expect(steps[0]?.usage).toBeNull();
  expect(steps[0]?.message).toEqual([{ kind: "text", text: 'NaN " NaN' }]);
});

test("a multi-step trial reads every step's trajectory in the order they ran", async () => {
  put("steps/build/agent/trajectory.json", atif([{ step_id: 1, source: "agent", message: "b" }]));
  put("steps/apply/agent/trajectory.json", atif([{ step_id: 1, source: "agent", message: "a" }]));
  const { steps } = await readTrajectory(trial, ["build", "apply"]);
  expect(steps.map((step) => [step.key, step.phase])).toEqual([
    ["1", "build"],
    ["2", "apply"],
  ]);
});

test("every step is kept, the outline stays short", async () => {
  const many = Array.from({ length: 250 }, (_, i) => ({
    step_id: i + 1,
    source: "agent",
    message: `step ${i + 1}`,
  }));
  put("agent/trajectory.json", atif(many));
  const { steps, outline } = await readTrajectory(trial);
  expect([steps.length, steps[200]?.key]).toEqual([250, "201"]);
  expect(outline.length).toBeLessThanOrEqual(14);
});

test("an 11 MB trajectory opens", async () => {
  const big = Array.from({ length: 3_000 }, (_, i) =>
    bashStep(i + 1, "make", "compiled one more file\n".repeat(160)),
  );
  put("agent/trajectory.json", atif(big));
  const { steps } = await readTrajectory(trial);
  expect([steps.length, steps.at(-1)?.key]).toEqual([3_000, "3000"]);
});

test("titles keep underscores, patches are named by their file, a short first sentence takes the next", async () => {
  const patch = "*** Begin Patch\n*** Update File: /app/a.py\n+x\n*** End Patch";
  const call = { tool_call_id: "p", function_name: "apply_patch", arguments: { input: patch } };
  const said = [
    "Great! The wheel linux_x86_64 is **built**. More.",
    "Next part of the work. And so on.",
    "The end of it all.",
  ];
  put(
    "agent/trajectory.json",
    atif([
      { step_id: 1, source: "user", message: "go" },
      ...said.map((message, i) => ({ step_id: i + 2, source: "agent", message, tool_calls: [call] })),
    ]),
  );
  const { outline, steps } = await readTrajectory(trial);
  expect(outline.map((entry) => entry.title)).toEqual([
    "Task",
    "Great! The wheel linux_x86_64 is built",
    "Next part of the work",
    "The end of it all",
  ]);
  expect(steps[1]?.calls[0]?.headline).toBe("/app/a.py");
});

test("values that cannot be turned into text do not cost the trajectory", async () => {
  const trap = { toString: 1, valueOf: 1 };
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const call = (id: number, args: unknown) => ({
    ...bashStep(id, "ls", "ok"),
    tool_calls: [{ arguments: args }],
  });
  put("agent/trajectory.json", atif([call(1, { command: ["ls", trap, 3] }), call(2, `{"a": ${deep}}`)]));
  const { steps, issues } = await readTrajectory(trial);
  expect(issues).toEqual([]);
  expect(steps[0]?.calls[0]?.argumentsText).toBe('ls {"toString":1,"valueOf":1} 3');
  expect(steps[1]?.calls[0]?.argumentsText).toBe(`{"a": ${deep}}`);
});

test("a trajectory nested without end is an issue", async () => {
  const open = '{"subagent_trajectories":[{"steps":[],"subagent_trajectories":['.repeat(20_000);
  put("agent/trajectory.json", `{"steps":[],"subagent_trajectories":[${open}${"]}]}".repeat(20_000)}]}`);
  expect(await readTrajectory(trial)).toMatchObject({ steps: [], issues: [{ code: "json_torn" }] });
});

test("thousands of calls, results and subagents in one step are matched", async () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
  const step = {
    step_id: 1,
    source: "agent",
    message: "All at once.",
    tool_calls: ids.map((id) => ({ tool_call_id: id, function_name: "bash", arguments: { command: id } })),
    observation: {
      results: ids.map((id) => ({
        source_call_id: id,
        content: `out ${id}`,
        subagent_trajectory_ref: [{ trajectory_id: id }],
      })),
    },
  };
  const embedded = ids.map((id) => ({
    trajectory_id: id,
    steps: [{ step_id: 1, source: "agent", message: id }],
  }));
  put("agent/trajectory.json", atif([step], { subagent_trajectories: embedded }));
  const { steps, issues } = await readTrajectory(trial);
  const last = steps[0]?.calls.at(-1);
  expect(last).toMatchObject({ id: "c1999", results: [{ parts: [{ text: "out c1999" }] }] });
  expect(new Set(steps.map(({ lane }) => lane)).size).toBeLessThanOrEqual(1001);
  expect(issues.map(({ detail }) => detail)).toEqual(["Only the first 1000 subagents are read."]);
});
