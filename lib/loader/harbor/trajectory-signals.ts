import type { StepCall, Trajectory, TrajectoryStep } from "@/lib/domain/trajectory";
import type { Fact } from "@/lib/triage/facts";
import type { SignalPlace } from "@/lib/triage/signals";

import { isStrongMark } from "../trace/step-marks";
import { OUTPUT_FILES } from "./read-output";
import { ERROR_LINE, MAX_LINE, PROVIDER, type SignalList } from "./signal-list";

/** Steps at the end of a trajectory whose errors may be what ended it. */
const LAST_STEPS = 5;
/** Of the arguments of a call, and of the end of what came back, so much is looked through. */
const MAX_SEARCHED = 10_000;

/** Adds what a trajectory says of how its agent ended: its last message, and the last steps that went wrong. */
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
  addLastError(signals, steps.filter(({ depth }) => depth === 0).at(-1) ?? last);
  for (const step of own.filter(({ marks }) => marks.some(isStrongMark)).slice(-LAST_STEPS))
    signals.add("step-error", describeError(step), placeStep(step));
}

/** @param writing - the last step that names the file for the output */
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
    // Without a last word the answer is all there is to look at.
    const call = writing?.calls.find(namesOutput);
    if (writing !== null && call !== undefined) signals.add("end", call.headline, placeStep(writing));
    return;
  }
  facts.add("has-end");
  signals.add("end", said, placeStep(last), "end");
  if (!isCall && said.length <= MAX_LINE && PROVIDER.test(said))
    signals.add("provider-error", said, placeStep(last));
}

/** The error of the model's service with which a trace ends, as programs add it after the agent's last step. */
function addLastError(signals: SignalList, step: TrajectoryStep): void {
  const said = step.source === "system" ? findMessage(step) : "";
  if (!PROVIDER.test(said.slice(0, MAX_LINE))) return;
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

/** What went wrong in a step, and the last line of what came back that tells of it, else the last of all. */
function describeError({ marks, calls, results }: TrajectoryStep): string {
  const label = marks.find(isStrongMark)?.label ?? "";
  const lines = [...calls.flatMap((call) => call.results), ...results]
    .flatMap(({ parts }) => parts.map((part) => (part.kind === "text" ? part.text.slice(-MAX_SEARCHED) : "")))
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.trim() !== "");
  const line = lines.findLast((one) => ERROR_LINE.test(one)) ?? lines.at(-1);
  return line === undefined ? label : `${label}: ${line}`;
}
