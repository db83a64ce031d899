import type { JobPurpose } from "@/lib/domain/job";

import type { TrialReading } from "./trial-reading";

/** Folders of the tasks that `harbor analyze` and `harbor check` put together: `harbor-analyze-x1y2/analyze-<trial>`. */
const WRAPPER = /[/\\]harbor-(analyze|check)-[^/\\]+[/\\](analyze|check)-[^/\\]+$/;

/**
 * Returns what a job's trials are, from the folders of their tasks as their configs name them.
 *
 * @returns `benchmark` unless every trial's task was put together by the same command
 * @see harbor 0.24.0 src/harbor/analyze/analyzer.py, checker.py
 */
export function findPurpose(readings: readonly Pick<TrialReading, "configured">[]): JobPurpose {
  const commands = new Set(
    readings.map(({ configured }) => {
      const [, command, prefix] = WRAPPER.exec(configured.taskPath ?? "") ?? [];
      return command === prefix ? (command ?? null) : null;
    }),
  );
  const [command, ...others] = commands;
  if (others.length > 0) return "benchmark";
  return command === "analyze" ? "analysis" : command === "check" ? "check" : "benchmark";
}
