import type { StepResult, Trajectory, TrajectoryStep } from "@/lib/core/domain/trajectory";

import type { ScanEvent } from "./scanner";

const MOST_CHARS = 1 << 20;

export function listEvents({ steps }: Pick<Trajectory, "steps">): readonly ScanEvent[] {
  return steps.flatMap((step) => (step.copied ? [] : listStepEvents(step)));
}

function listStepEvents(step: TrajectoryStep): readonly ScanEvent[] {
  const { key, file, lane, source, reasoning, message, calls, results } = step;
  const own = {
    step: key,
    file,
    lane,
    role: source,
    reasoning: cut(reasoning ?? ""),
    message: joinTexts(message),
  };
  // Results without a call id may belong to any call.
  const shared = joinResults(results);
  if (calls.length === 0) return [{ ...own, tool: "", files: "", arguments: "", output: shared }];
  return calls.map((call) => ({
    ...own,
    tool: cut(call.name),
    files: cut(call.files.join("\n")),
    arguments: cut(call.argumentsText || call.headline),
    output: call.results.length === 0 ? shared : cut(`${joinResults(call.results)}\n${shared}`),
  }));
}

function joinResults(results: readonly StepResult[]): string {
  return cut(results.map(({ parts }) => joinTexts(parts)).join("\n"));
}

function joinTexts(parts: TrajectoryStep["message"]): string {
  return cut(parts.flatMap((part) => (part.kind === "text" ? part.text : [])).join("\n"));
}

function cut(text: string): string {
  return text.length > MOST_CHARS ? text.slice(0, MOST_CHARS) : text;
}
