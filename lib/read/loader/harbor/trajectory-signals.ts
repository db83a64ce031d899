import type { StepCall, Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";
import type { Fact } from "@/lib/core/triage/facts";
import type { SignalPlace } from "@/lib/core/triage/signals";

import { isStrongMark } from "../trace/step-marks";
import { OUTPUT_FILES } from "./read-output";
import { isServiceError } from "./service-error";
import { ERROR_LINE, type SignalList } from "./signal-list";

const LAST_STEPS = 5;
const MAX_SEARCHED = 10_000;

export function addTrajectory(signals: SignalList, facts: Set<Fact>, { steps, stop }: Trajectory): void {
  const own = steps.filter(({ source, copied, depth }) => source === "agent" && !copied && depth === 0);
  if (steps.length > 0) facts.add(own.length > 0 ? "has-steps" : "no-agent-steps");
  if (own.some(({ calls }) => calls.length > 0)) facts.add("has-calls");
  const writing = own.findLast(({ calls }) => calls.some(namesOutput)) ?? null;
  if (writing !== null) facts.add("output-named");
  const last = own.at(-1);
  if (last === undefined) return;
  addEnd(signals, facts, last, writing);
  if (stop !== null) signals.add("stop", `${stop.reason}: ${stop.text}`, placeStep(last));
  const end = steps.findLast(({ depth }) => depth === 0);
  for (const step of end?.source === "system" ? [last, end] : [last]) addError(signals, step);
  for (const step of own.filter(({ marks }) => marks.some(isStrongMark)).slice(-LAST_STEPS))
    signals.add("step-error", describeError(step), placeStep(step));
}

function addEnd(
  signals: SignalList,
  facts: Set<Fact>,
  last: TrajectoryStep,
  writing: TrajectoryStep | null,
): void {
  const isCall = last.calls.length > 0;
  if (isCall) facts.add("ends-in-call");
  const said = findMessage(last);
  if (said === "") {
    const call = writing?.calls.find(namesOutput);
    if (writing !== null && call !== undefined) signals.add("end", call.headline, placeStep(writing));
    return;
  }
  facts.add("has-end");
  signals.add("end", said, placeStep(last), "end");
}

function addError(signals: SignalList, step: TrajectoryStep): void {
  const said = step.calls.length === 0 ? findMessage(step) : "";
  if (!isServiceError(said)) return;
  signals.add("stop", `error: ${said}`, placeStep(step));
  signals.add("provider-error", said, placeStep(step));
}

function placeStep({ file, key }: TrajectoryStep): SignalPlace {
  return { file, line: null, step: key };
}

function namesOutput({ argumentsText }: StepCall): boolean {
  return OUTPUT_FILES.some((name) => argumentsText.slice(0, MAX_SEARCHED).includes(name));
}

function findMessage({ message }: TrajectoryStep): string {
  return message
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("\n")
    .trim();
}

function describeError({ marks, calls, results }: TrajectoryStep): string {
  const label = marks.find(isStrongMark)?.label ?? "";
  const lines = [...calls.flatMap((call) => call.results), ...results]
    .flatMap(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text.slice(-MAX_SEARCHED) : "")))
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.trim() !== "");
  const line = lines.findLast((one) => ERROR_LINE.test(one)) ?? lines.at(-1);
  return line === undefined ? label : `${label}: ${line}`;
}
