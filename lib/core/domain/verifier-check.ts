import type { Trial } from "./trial";

export type AgentOutput =
  | {
      readonly kind: "known";
      /** SHA-256 in hex: of the file's bytes, or of the names and contents of several files. */
      readonly digest: string;
      readonly path: string;
    }
  | { readonly kind: "unknown"; readonly reason: "none" | "too_large" | "unreadable" };

/** Digest of an empty file. */
export const EMPTY_DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** `verifier_failed`: Harbor recorded a failure of the verifier, so a reward does not show how it judges. */
export type UncomparedReason =
  | "no_output"
  | "output_too_large"
  | "output_unreadable"
  | "task_unknown"
  | "no_reward"
  | "verifier_failed";

export interface LogPlace {
  readonly file: string;
  /** From 1; null if the log is too long to count its lines. */
  readonly line: number | null;
}

/** True for Harbor's own log, which records a cancelled verifier, not one that died. */
export function tellsCancelled({ file }: LogPlace): boolean {
  return file === "trial.log";
}

/** True if a trial's logs are worth searching for a dead verifier: it ran and left a 0 or nothing, as such a verifier does. */
export function mayHideCrash({ state, rewards }: Pick<Trial, "state" | "rewards">): boolean {
  return state === "finished" && (rewards === null || rewards.size === 0 || isZero(rewards));
}

export function isZero(rewards: Trial["rewards"]): boolean {
  return rewards !== null && rewards.size > 0 && [...rewards.values()].every((value) => Number(value) === 0);
}

/**
 * Signs that a verifier may have crashed. A reward of 0 does not show it: the scripts that start verifiers write 0 when these die.
 * At least one field is set. It changes no outcome and no figure.
 */
export interface Suspicion {
  readonly traceback: LogPlace | null;
  /** The reward is 0 in all keys, without the details that the verifier left for other trials of the task in this job. */
  readonly lacksDetails: boolean;
}
