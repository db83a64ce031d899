import { expect, it } from "vitest";

import { classifyCause, selectExceptionMark } from "./exception-cause";

/** Names of Harbor 0.24.0's own classes, by where its sources raise them. */
const HARBOR_CLASSES = {
  limit: [
    "AgentTimeoutError",
    "ContextLengthExceededError",
    "ContextWindowExceededError",
    "OutputLengthExceededError",
    "OutputTokenExceededError",
  ],
  agent: ["AgentSetupTimeoutError", "NonZeroAgentExitCodeError", "AgentSafetyRefusalError"],
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

it("a time-out keeps the mark of a time-out, whoever ran out of time", () => {
  expect(selectExceptionMark("AgentTimeoutError")).toBe("timeout");
  expect(selectExceptionMark("VerifierTimeoutError")).toBe("timeout");
  expect(selectExceptionMark("CancelledError")).toBe("cancelled");
  expect(selectExceptionMark("NonZeroAgentExitCodeError")).toBe("errored");
});
