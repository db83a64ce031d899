/**
 * `limit`: the agent ran out of time, context or output. `agent`: its own process stopped. `provider`: the model's service refused
 * or failed. `infrastructure`: the environment. `verifier`: no usable verdict. `cancelled`: a user stopped the run. `other`: an
 * unknown type.
 */
export const EXCEPTION_CAUSES = [
  "limit",
  "agent",
  "provider",
  "infrastructure",
  "verifier",
  "cancelled",
  "other",
] as const;

export type ExceptionCause = (typeof EXCEPTION_CAUSES)[number];

/** Harbor's exception classes. Errors of providers also match {@link PROVIDER_PATTERN}. */
const CAUSES: ReadonlyMap<string, ExceptionCause> = new Map<string, ExceptionCause>(
  Object.entries({
    AgentTimeoutError: "limit",
    ContextLengthExceededError: "limit",
    ContextWindowExceededError: "limit",
    OutputLengthExceededError: "limit",
    OutputTokenExceededError: "limit",
    NonZeroAgentExitCodeError: "agent",
    AgentSafetyRefusalError: "agent",
    UnknownApiError: "provider",
    NetworkConnectionError: "provider",
    AgentAuthenticationError: "provider",
    ModelNotFoundError: "provider",
    UnsupportedModelParametersError: "provider",
    MissingModelCredentialError: "provider",
    AgentSetupTimeoutError: "infrastructure",
    EnvironmentStartTimeoutError: "infrastructure",
    DaytonaError: "infrastructure",
    ComposeLoadError: "infrastructure",
    SbxCommandError: "infrastructure",
    ImageMirrorError: "infrastructure",
    ImageRegistryUnavailableError: "infrastructure",
    SandboxExecError: "infrastructure",
    SandboxTransportError: "infrastructure",
    TransferError: "infrastructure",
    // e2b: the sandbox is lost or slow.
    TimeoutException: "infrastructure",
    UnsupportedDockerfileError: "infrastructure",
    RelayError: "infrastructure",
    SandboxBuildFailedError: "infrastructure",
    HealthcheckError: "infrastructure",
    AddTestsDirError: "infrastructure",
    DownloadVerifierDirError: "infrastructure",
    MemoryLimitExceededError: "infrastructure",
    SandboxLikelyOutOfMemoryError: "infrastructure",
    GKEPodNotFoundError: "infrastructure",
    GKEExecStreamClosedError: "infrastructure",
    SSHAccessError: "infrastructure",
    ServiceOperationsUnsupportedError: "infrastructure",
    RuntimeRequestError: "infrastructure",
    VerifierTimeoutError: "verifier",
    RewardFileNotFoundError: "verifier",
    RewardFileEmptyError: "verifier",
    VerifierOutputParseError: "verifier",
    RegradeError: "verifier",
    CancelledError: "cancelled",
  } satisfies Record<string, ExceptionCause>),
);

const PROVIDER_PATTERN = /^Api(?:[A-Z]\w*)?Error$/;

/**
 * Returns the cause from the type name alone. A name that Harbor does not define is `other`, since a guess would move trials into
 * or out of an agent's account.
 * @param isVerifying - true if a verifier was running; up to 0.23.0 it could raise a plain `TimeoutError`
 * @see harbor 0.24.0 src/harbor/trial/, agents/, environments/ and verifier/ for the classes
 */
export function classifyCause(type: string, isVerifying = false): ExceptionCause {
  if (type === "TimeoutError" && isVerifying) return "verifier";
  return CAUSES.get(type) ?? (PROVIDER_PATTERN.test(type) ? "provider" : "other");
}

export function isAgentTimeout(type: string): boolean {
  return /timeout/i.test(type) && /^(?:limit|other)$/.test(classifyCause(type));
}

export function selectExceptionMark(type: string): "timeout" | "cancelled" | "errored" {
  if (isAgentTimeout(type)) return "timeout";
  return classifyCause(type) === "cancelled" ? "cancelled" : "errored";
}
