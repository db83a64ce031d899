import { expect, it } from "vitest";

import { classifyCause, selectExceptionMark } from "./exception-cause";

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

it("a time-out keeps the mark of a time-out, whoever ran out of time", () => {
  expect(selectExceptionMark("AgentTimeoutError")).toBe("timeout");
  expect(selectExceptionMark("VerifierTimeoutError")).toBe("timeout");
  expect(selectExceptionMark("CancelledError")).toBe("cancelled");
  expect(selectExceptionMark("NonZeroAgentExitCodeError")).toBe("errored");
});
