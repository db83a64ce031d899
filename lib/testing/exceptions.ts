import type { Micros } from "./clock";
import type { Random } from "./random";
import type { ExceptionRecord } from "./record";

/** Kinds of breakdown in the samples; the names are the Python classes a runner records. */
export type BreakdownType =
  | "AgentTimeoutError"
  | "NonZeroAgentExitCodeError"
  | "EnvironmentStartTimeoutError"
  | "RewardFileNotFoundError"
  | "VerifierTimeoutError"
  | "CancelledError";

const ROOT = "/opt/harbor/lib/python3.12/site-packages/harbor";

function traceback(
  frames: readonly (readonly [file: string, line: number, name: string, code: string])[],
  last: string,
): string {
  const lines = frames.map(
    ([file, line, name, code]) => `  File "${ROOT}/${file}", line ${line}, in ${name}\n    ${code}`,
  );
  return ["Traceback (most recent call last):", ...lines, last, ""].join("\n");
}

const FRAMES = {
  AgentTimeoutError: [
    ["trial/trial.py", 402, "_execute_agent", "await asyncio.wait_for("],
    ["trial/trial.py", 418, "_execute_agent", "raise AgentTimeoutError("],
  ],
  NonZeroAgentExitCodeError: [
    ["trial/trial.py", 404, "_execute_agent", "await self._agent.run("],
    ["agents/installed/base.py", 291, "run", "await self.exec_as_agent(environment, command=command)"],
    ["agents/installed/base.py", 233, "_exec", "raise NonZeroAgentExitCodeError("],
  ],
  EnvironmentStartTimeoutError: [
    [
      "trial/trial.py",
      311,
      "_start_environment_with_retry",
      "await asyncio.wait_for(self._environment.start(force_build), timeout=600.0)",
    ],
    ["trial/trial.py", 325, "_start_environment_with_retry", "raise EnvironmentStartTimeoutError("],
  ],
  RewardFileNotFoundError: [
    ["trial/trial.py", 467, "_verify_with_retry", "return await self._verifier.verify()"],
    ["verifier/verifier.py", 181, "verify", "raise RewardFileNotFoundError("],
  ],
  VerifierTimeoutError: [
    [
      "trial/trial.py",
      461,
      "_verify_with_retry",
      "return await asyncio.wait_for(self._verifier.verify(), timeout=300.0)",
    ],
    ["trial/trial.py", 474, "_verify_with_retry", "raise VerifierTimeoutError("],
  ],
  CancelledError: [
    ["trial/trial.py", 404, "_execute_agent", "await self._agent.run("],
    ["environments/docker/docker.py", 512, "exec", "stdout, stderr = await process.communicate()"],
  ],
} as const satisfies Record<BreakdownType, readonly (readonly [string, number, string, string])[]>;

function formatMessage(type: BreakdownType, agent: string, trial: string, rng: Random): string {
  switch (type) {
    case "AgentTimeoutError":
      return "Agent execution timed out after 900.0 seconds";
    case "NonZeroAgentExitCodeError":
      return `Command failed (exit ${rng.pick([1, 137, 139])}): ${agent} run --headless --log /logs/agent/${agent}.txt\nstdout: None\nstderr: ${rng.pick(["provider stream closed before the final message", "Killed", `worker ${rng.int(3, 9)} died: out of memory`])}`;
    case "EnvironmentStartTimeoutError":
      return "Environment start timed out after 600.0 seconds";
    case "RewardFileNotFoundError":
      return `No reward file found at /srv/bench/jobs/${trial}/verifier/reward.txt or /srv/bench/jobs/${trial}/verifier/reward.json`;
    case "VerifierTimeoutError":
      return "Verifier execution timed out after 300.0 seconds";
    case "CancelledError":
      return "";
  }
}

/** An exception as a runner would have recorded it; a cancelled trial has an empty message. */
export function prepareException(
  type: BreakdownType,
  agent: string,
  trial: string,
  at: Micros,
  rng: Random,
): ExceptionRecord {
  const message = formatMessage(type, agent, trial, rng);
  const label = type === "CancelledError" ? "asyncio.exceptions.CancelledError" : type;
  return {
    type,
    message,
    at,
    traceback: traceback(FRAMES[type], message === "" ? label : `${label}: ${message}`),
  };
}
