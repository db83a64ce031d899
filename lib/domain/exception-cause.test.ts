import { expect, it } from "vitest";

import { classifyCause } from "./exception-cause";

it.each([
  ["AgentTimeoutError", "limit"],
  ["NonZeroAgentExitCodeError", "agent"],
  ["EnvironmentStartTimeoutError", "infrastructure"],
  ["VerifierTimeoutError", "verifier"],
  ["ApiRateLimitError", "provider"],
  ["ApiUsageLimitError", "provider"],
  ["CancelledError", "cancelled"],
  ["RuntimeError", "other"],
  ["AuthenticationError", "other"],
  ["constructor", "other"],
  ["toString", "other"],
])("%s is %s", (type, cause) => {
  expect(classifyCause(type)).toBe(cause);
});
