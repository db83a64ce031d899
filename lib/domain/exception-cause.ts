/**
 * What a kind of exception says about whose doing it was. `limit`: the agent ran out of time, context or output.
 * `agent`: its own process stopped. `provider`: the model's service refused or broke. `infrastructure`: the environment.
 * `verifier`: there is no usable verdict. `cancelled`: somebody stopped the run. `other`: a type not known here.
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

/** Harbor's exception classes by cause; classes of the provider's errors also follow {@link PROVIDER_PATTERN}. */
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
 * The cause of an exception type, from its name alone; a name that Harbor does not define is `other`, since a guess would
 * move trials into or out of an agent's account.
 * @param isVerifying - whether it was raised while a verifier ran, which left a plain `TimeoutError` up to 0.23.0
 * @see harbor 0.24.0 src/harbor/trial/, agents/, environments/ and verifier/ for the classes
 */
export function classifyCause(type: string, isVerifying = false): ExceptionCause {
  if (type === "TimeoutError" && isVerifying) return "verifier";
  return CAUSES.get(type) ?? (PROVIDER_PATTERN.test(type) ? "provider" : "other");
}

/** True for a timeout by its name, unless that is one of the provider, the environment or the verifier. */
export function isAgentTimeout(type: string): boolean {
  return /timeout/i.test(type) && /^(?:limit|other)$/.test(classifyCause(type));
}

/** The outcome whose mark stands for an exception type: an agent's timeout, cancelled by its cause, else errored. */
export function selectExceptionMark(type: string): "timeout" | "cancelled" | "errored" {
  if (isAgentTimeout(type)) return "timeout";
  return classifyCause(type) === "cancelled" ? "cancelled" : "errored";
}
