import type { TokenUsage, TrialRecord } from "./trial";

/** The program that played the user of a trial, and what it used. */
export interface SimulatedUser {
  /** Name in the config; null when it states none. */
  readonly agent: string | null;
  /** Model as the config names it, with its provider; null when it states none. */
  readonly model: string | null;
  /** What Harbor records as the trial's tokens and cost: those of the simulated user, not of the agent it talked to. */
  readonly tokens: TokenUsage;
}

/**
 * Returns the usage that Harbor recorded for a trial and summed in its job: of the program that it ran, which is the
 * simulated user where there is one.
 */
export function selectRecordedUsage({
  tokens,
  simulatedUser,
}: Pick<TrialRecord, "tokens" | "simulatedUser">): TokenUsage {
  return simulatedUser?.tokens ?? tokens;
}
