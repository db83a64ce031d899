import { writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import type { Trajectory } from "@/lib/core/domain/trajectory";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { arbitraryMutation, withinTime } from "@/lib/testing/mutations.fixture";
import { planRuns } from "@/lib/testing/plan-runs";

import { isNestedDeeper } from "../detail/json-shape";
import { parseLooseJson } from "../detail/parse-loose-json";
import { readTrajectory } from "./read-trajectory";
import { parseLine } from "./recording";
import { OTHER_TRACES } from "./trace-files.fixture";
import { LINE_LOGS } from "./trace-logs.fixture";
import { TRACE_READERS } from "./trace-readers";

const CALL = { tool_call_id: "c", function_name: "bash", arguments: { command: "make", path: "a.py" } };
const REFS = [{ session_id: "s", trajectory_path: "agent/b.json" }, { trajectory_id: "e" }];
const ATIF = {
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1", model_name: "lab/m1" },
  steps: [
    { step_id: 1, source: "user", message: "Do it.", timestamp: "2026-01-01T00:00:00Z" },
    {
      step_id: 2,
      source: "agent",
      message: [
        { type: "text", text: "look" },
        { type: "image", source: { path: "a.png", media_type: "image/png" } },
      ],
      reasoning_content: "why",
      tool_calls: [CALL],
      observation: {
        results: [{ source_call_id: "c", content: "exit code: 1", subagent_trajectory_ref: REFS }],
      },
      metrics: { prompt_tokens: 1, completion_tokens: 2, cached_tokens: 1, cost_usd: 0.5 },
      extra: { is_sidechain: true, agent_id: "a" },
    },
  ],
  subagent_trajectories: [
    { trajectory_id: "e", agent: { name: "sub" }, steps: [{ source: "agent", message: "x" }] },
  ],
  continued_trajectory_ref: "next.json",
  final_metrics: { total_prompt_tokens: 1 },
};
const ATIF_FILES = {
  "agent/trajectory.json": JSON.stringify(ATIF),
  "agent/b.json": JSON.stringify({ ...ATIF, session_id: "b", subagent_trajectories: [] }),
};

/** A file of a trace, with the others of it. */
const FILES = [{ format: "ATIF", files: ATIF_FILES }, ...LINE_LOGS, ...OTHER_TRACES].flatMap(
  ({ format, files }) => Object.entries(files).map(([file, text]) => ({ format, files, file, text })),
);
const NO_FILE = { format: "", files: ATIF_FILES, file: "", text: "" };
const CASES = arbitraryMutation(FILES.map(({ text }) => text));

it("every reader takes a log of its format or of another one, or says that it is none", async () => {
  await fc.assert(
    fc.asyncProperty(CASES, fc.constantFrom(...TRACE_READERS), async ({ sample, text }, other) => {
      const { format, files, file } = FILES[sample] ?? NO_FILE;
      const texts: Readonly<Record<string, string>> = files;
      const whole = parseLooseJson(text, file);
      const lines = text.split("\n").map(parseLine);
      const list = whole.ok && Array.isArray(whole.value) ? whole.value : [whole.ok ? whole.value : null];
      const log = {
        file,
        text,
        files: Object.keys(files),
        value: whole.ok ? whole.value : undefined,
        seen: new Set<string>(),
        read: (name: string) => Promise.resolve(name === file ? text : (texts[name] ?? null)),
      };
      for (const reader of [...TRACE_READERS.filter((one) => one.format === format), other]) {
        if (reader.holds === "value" && !whole.ok) continue;
        const ofLines = lines.filter((one) => one !== undefined && !isNestedDeeper(one));
        const records = reader.holds === "text" ? [] : whole.ok ? list : ofLines;
        const raw = await withinTime(() => reader.parse({ ...log, records }));
        if (raw !== null) structuredClone(raw.steps);
      }
    }),
    planRuns({ short: 300, long: 110_000 }),
  );
});

it("a trace of every format is steps and issues, with any content in one of its files", async () => {
  const folders = new Map(FILES.map(({ files }) => [files, makeFolder(files)]));
  await fc.assert(
    fc.asyncProperty(CASES, async ({ sample, bytes }) => {
      const { files, file, text } = FILES[sample] ?? NO_FILE;
      const folder = folders.get(files) ?? "";
      writeFileSync(join(folder, file), bytes);
      const trajectory = await withinTime(() => readTrajectory(folder));
      writeFileSync(join(folder, file), text);
      expectSound(trajectory);
    }),
    planRuns({ short: 60, long: 10_000 }),
  );
});

function expectSound(trajectory: Trajectory): void {
  const { steps, issues, outline, landing } = trajectory;
  // As it goes from the process that read it to the one of pages.
  structuredClone(trajectory);
  expect(new Set(steps.map(({ key }) => key)).size).toBe(steps.length);
  const odd = steps.filter(({ index, usage, durationMs, lane }, at) => {
    const amounts = [durationMs, usage?.inputTokens, usage?.outputTokens, usage?.costUsd];
    const isSound = amounts.every((one) => one == null || (Number.isFinite(one) && one >= 0));
    return index !== at || !lane.isWellFormed() || !isSound;
  });
  expect(odd).toEqual([]);
  expect(outline.every(({ index }) => index < steps.length)).toBe(true);
  expect(landing === null).toBe(steps.length === 0);
  expect(issues.every(({ detail }) => detail !== "")).toBe(true);
}
