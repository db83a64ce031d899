import type { Files, Grow } from "./hostile-grower";
import { nameAgent, prepareResult, raise } from "./hostile-results";

/** Trials of one job where every one of them is small. */
const MOST_TRIALS = 3_000;

/** Kinds of oversized jobs where many entries have long names, each short enough for a page. */
export const CROWDED_KINDS: Readonly<Record<string, Grow>> = {
  // Every step, each with its own name.
  "call-names": (grow) => ({
    files: {
      "agent/trajectory.json": {
        schema_version: "ATIF-v1.4",
        agent: { name: "a" },
        steps: Array.from({ length: Math.min(grow.size.items, 100) }, (_, n) => ({
          step_id: n + 1,
          source: "agent",
          message: "m",
          tool_calls: Array.from({ length: 25 }, (_call, at) => ({
            tool_call_id: `${n} ${at}`,
            function_name: grow.name(25 * n + at),
            arguments: { command: grow.word() },
          })),
        })),
      },
    },
  }),
  "load-issues": (grow) => ({
    jobFiles: Object.fromEntries(
      Array.from({ length: Math.min(6 * grow.size.items, MOST_TRIALS) }, (_, n) => [
        `${nameTrial(n)}/result.json`,
        "{",
      ]),
    ),
  }),
  // Two agents, with a dozen attempts each at a task.
  attempts: (grow) => ({
    jobFiles: listTrials(Math.min(2 * grow.size.items, MOST_TRIALS), (n) => ({
      task_name: `task ${Math.floor(n / 24)}`,
      ...nameAgent(n % 2 ? "a" : "b"),
      ...raise('"'.repeat(280)),
    })),
  }),
  // Each of an agent, a task and an exception of its own.
  agents: (grow) => ({
    jobFiles: listTrials(Math.min(grow.size.items, MOST_TRIALS), (n) => ({
      task_name: grow.name(n),
      ...nameAgent(grow.name(n)),
      ...raise(grow.name(n)),
    })),
  }),
};

/** The folder name of one of very many trials, nearly as long as a file system allows. */
function nameTrial(n: number): string {
  return `${"名".repeat(76)}${n}__AAAAAAA`;
}

/** The result.json files of very many trials, by path below the job. */
function listTrials(length: number, change: (n: number) => object): Files {
  return Object.fromEntries(
    Array.from({ length }, (_, n) => [
      `${nameTrial(n)}/result.json`,
      { ...prepareResult(nameTrial(n)), ...change(n) },
    ]),
  );
}
