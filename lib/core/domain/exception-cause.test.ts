import { expect, it } from "vitest";

import { classifyCause, selectExceptionMark } from "./exception-cause";
import { classifyOutcome } from "./trial";

/** Names of Harbor 0.24.0's own classes, by where its sources raise them. */
const HARBOR_CLASSES = {
  limit: [
    "AgentTimeoutError",
    "ContextLengthExceededError",
    "ContextWindowExceededError",
    "OutputLengthExceededError",
    "OutputTokenExceededError",
  ],
  agent: ["NonZeroAgentExitCodeError", "AgentSafetyRefusalError"],
  provider: [
    "ApiError",
    "ApiRateLimitError",
    "ApiUsageLimitError",
    "ApiInternalServerError",
    "ApiOverloadedError",
    "ApiConnectionClosedError",
    "ApiConnectionError",
    "ApiResponseStalledError",
    "ApiProviderResourceNotFoundError",
    "UnknownApiError",
    "NetworkConnectionError",
    "AgentAuthenticationError",
    "ModelNotFoundError",
  ],
  infrastructure: [
    "AgentSetupTimeoutError",
    "EnvironmentStartTimeoutError",
    "SandboxBuildFailedError",
    "HealthcheckError",
    "AddTestsDirError",
    "DownloadVerifierDirError",
    "MemoryLimitExceededError",
    "SandboxLikelyOutOfMemoryError",
    "GKEPodNotFoundError",
    "GKEExecStreamClosedError",
    "SSHAccessError",
    "ServiceOperationsUnsupportedError",
    "RuntimeRequestError",
  ],
  verifier: [
    "VerifierTimeoutError",
    "RewardFileNotFoundError",
    "RewardFileEmptyError",
    "VerifierOutputParseError",
    "RegradeError",
  ],
  cancelled: ["CancelledError"],
  other: [
    "RuntimeError",
    "TimeoutError",
    "AuthenticationError",
    "Api",
    "ApiaryError",
    "constructor",
    "toString",
  ],
};

it.each(Object.entries(HARBOR_CLASSES).flatMap(([cause, types]) => types.map((type) => [type, cause])))(
  "%s is %s",
  (type, cause) => {
    expect(classifyCause(type)).toBe(cause);
  },
);

it("a plain TimeoutError is the verifier's only while a verifier ran", () => {
  expect(classifyCause("TimeoutError", true)).toBe("verifier");
  expect(classifyCause("ApiRateLimitError", true)).toBe("provider");
});

it("a cancelled trial has a mark of its own, and every other error that of an error", () => {
  expect(selectExceptionMark("CancelledError")).toBe("cancelled");
  expect(selectExceptionMark("NonZeroAgentExitCodeError")).toBe("errored");
});

it("calls a timeout one of the agent only where nothing says it was another's", () => {
  const marks = (...types: readonly string[]) => types.map(selectExceptionMark);
  expect(marks("AgentTimeoutError", "TimeoutError", "asyncio.TimeoutError")).toEqual(
    Array.from({ length: 3 }, () => "timeout"),
  );
  expect(marks("VerifierTimeoutError", "EnvironmentStartTimeoutError", "AgentSetupTimeoutError")).toEqual(
    Array.from({ length: 3 }, () => "errored"),
  );
  const outcome = (exceptionType: string) =>
    classifyOutcome({ state: "finished", rewards: null, exceptionType });
  expect(outcome("VerifierTimeoutError")).toBe("errored");
  expect(outcome("AgentTimeoutError")).toBe("timeout");
  expect(outcome("TimeoutException")).toBe("errored");
});
