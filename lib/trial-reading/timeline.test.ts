import { expect, test } from "vitest";

import type { ClockInterval, ClockTime } from "@/lib/domain/clock-time";
import type { TrajectoryStep } from "@/lib/domain/trajectory";

import { prepareTimeline } from "./timeline";

function at(seconds: number, zoned = true): ClockTime {
  return { text: String(seconds), epochMs: seconds * 1000, zoned };
}

function span(from: number, to: number): ClockInterval {
  return { startedAt: at(from), finishedAt: at(to) };
}

function step(key: string, time: ClockTime | null, marks: TrajectoryStep["marks"] = []): TrajectoryStep {
  return {
    key,
    index: 0,
    statedId: null,
    lane: "main",
    depth: 0,
    phase: null,
    file: "agent/trajectory.json",
    source: "agent",
    at: time,
    durationMs: null,
    reasoning: null,
    message: [],
    calls: [],
    results: [],
    tokens: null,
    marks,
    copied: false,
  };
}

const NONE = { environmentSetup: null, agentSetup: null, agentExecution: null, verifier: null };
const PHASES = {
  ...NONE,
  environmentSetup: span(0, 20),
  agentExecution: span(20, 80),
  verifier: span(80, 100),
};

test("phases and steps are placed to scale, the last step ends with the agent", () => {
  const timeline = prepareTimeline(PHASES, [step("1", at(20)), step("2", at(50))]);
  expect(timeline?.segments.map(({ stepKey, start, width }) => [stepKey, start, width])).toEqual([
    [null, 0, 0.2],
    [null, 0.8, 0.2],
    ["1", 0.2, 0.3],
    ["2", 0.5, 0.3],
  ]);
  expect([timeline?.setupMs, timeline?.agentMs, timeline?.verifierMs]).toEqual([20_000, 60_000, 20_000]);
});

test("steps of another clock or without times leave the agent's phase as one part", () => {
  const timeline = prepareTimeline(PHASES, [step("1", at(20, false)), step("2", null)]);
  expect(timeline?.segments.map(({ kind, start }) => [kind, start])).toEqual([
    ["phase", 0],
    ["phase", 0.2],
    ["phase", 0.8],
  ]);
});

test("without a phase that has both ends there is no timeline", () => {
  expect(prepareTimeline(NONE, [step("1", at(1))])).toBeNull();
  const open = { startedAt: at(0), finishedAt: null };
  expect(prepareTimeline({ ...NONE, agentExecution: open }, [])).toBeNull();
});

test("a step with an error stays visible however short it was", () => {
  const mark = { kind: "exit", label: "exit 2", stated: true } as const;
  const timeline = prepareTimeline(PHASES, [
    step("1", at(20)),
    step("2", at(20.001), [mark]),
    step("3", at(20.002)),
  ]);
  expect(timeline?.segments.map(({ stepKey }) => stepKey)).toEqual([null, null, "2", "3"]);
});
