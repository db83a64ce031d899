import type { PyNumber } from "./python/value";

/**
 * Harbor's rule for counting rewards. `harbor-0.25`, up to 0.25: a missing reward counts 0, and exceptions never disqualify a
 * reward. `harbor-0.26`, since 0.26: only valid rewards count, see {@link isRewardValid}.
 */
export type ScoringRule = "harbor-0.25" | "harbor-0.26";

export interface ErrorPolicy {
  readonly shouldRetry: boolean;
  readonly shouldGrade: boolean;
  readonly hasValidReward: boolean;
}

/** Flags that a job sets for an exception type; an absent flag keeps the table's value. */
export type PolicyOverride = { readonly [Flag in keyof ErrorPolicy]?: boolean | undefined };

export interface RecordedException {
  readonly type: string;
  readonly policyOverride?: PolicyOverride | null | undefined;
}

const UNKNOWN_POLICY: ErrorPolicy = { shouldRetry: true, shouldGrade: true, hasValidReward: true };

const policy = (shouldRetry: boolean, shouldGrade: boolean, hasValidReward: boolean): ErrorPolicy => ({
  shouldRetry,
  shouldGrade,
  hasValidReward,
});

/** The table of Harbor 0.26.0: flags in the order retry, grade, valid reward, then the types that have them. */
const TABLE: readonly (readonly [ErrorPolicy, string])[] = [
  [
    policy(true, false, false),
    "EnvironmentStartTimeoutError SandboxBuildFailedError AgentSetupTimeoutError HealthcheckError " +
      "SandboxLikelyOutOfMemoryError MemoryLimitExceededError SSHAccessError GKEExecStreamClosedError " +
      "GKEPodNotFoundError RuntimeRequestError AddTestsDirError DownloadVerifierDirError",
  ],
  [
    policy(true, true, false),
    "ApiError ApiRateLimitError ApiInternalServerError ApiOverloadedError ApiConnectionClosedError " +
      "ApiResponseStalledError UnknownApiError NetworkConnectionError ApiConnectionError ApiUsageLimitError " +
      "RateLimitError InternalServerError ServiceUnavailableError APIConnectionError APIError Timeout",
  ],
  [
    policy(false, true, false),
    "UnsupportedModelParametersError BadRequestError UnprocessableEntityError UnsupportedParamsError " +
      "APIResponseValidationError BudgetExceededError VerifierTimeoutError RewardFileNotFoundError " +
      "RewardFileEmptyError VerifierOutputParseError",
  ],
  [
    policy(false, false, false),
    "AgentAuthenticationError ModelNotFoundError ApiProviderResourceNotFoundError AuthenticationError " +
      "PermissionDeniedError NotFoundError ServiceOperationsUnsupportedError VercelScopeError DspyImportError " +
      "MissingExtraError RegradeError CancelledError",
  ],
  [
    policy(false, true, true),
    "NonZeroAgentExitCodeError AgentTimeoutError ContextWindowExceededError OutputTokenExceededError " +
      "ContextLengthExceededError OutputLengthExceededError AgentSafetyRefusalError ContentPolicyViolationError",
  ],
];

const POLICIES: ReadonlyMap<string, ErrorPolicy> = new Map(
  TABLE.flatMap(([flags, types]) => types.split(" ").map((type) => [type, flags] as const)),
);

/**
 * Returns Harbor 0.26's policy for an exception, with the job's overrides. A type that the table does not list is retried, graded
 * and counted.
 * @see harbor 0.26.0 src/harbor/models/trial/error_policy.py, `policy_for`
 */
export function findErrorPolicy({ type, policyOverride }: RecordedException): ErrorPolicy {
  const { shouldRetry, shouldGrade, hasValidReward } = POLICIES.get(type) ?? UNKNOWN_POLICY;
  return {
    shouldRetry: policyOverride?.shouldRetry ?? shouldRetry,
    shouldGrade: policyOverride?.shouldGrade ?? shouldGrade,
    hasValidReward: policyOverride?.hasValidReward ?? hasValidReward,
  };
}

/**
 * Returns true if Harbor 0.26 counts a trial's rewards: there is at least one, and the policy of every exception of the trial and
 * its steps has a valid reward.
 * @param rewards - null when the trial has no verifier result
 * @see harbor 0.26.0 src/harbor/models/trial/result.py, `reward_valid`
 */
export function isRewardValid(
  rewards: ReadonlyMap<string, PyNumber> | null,
  exceptions: readonly RecordedException[],
): boolean {
  if (rewards === null || rewards.size === 0) return false;
  return exceptions.every((exception) => findErrorPolicy(exception).hasValidReward);
}
