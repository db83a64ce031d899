import type { TrialRecord } from "./trial";

/** What the agent of a trial put out, as one digest, or why there is none to compare. */
export type AgentOutput =
  | {
      readonly kind: "known";
      /** SHA-256 in hex: of the file's bytes, or of the names and contents of all files where there are several. */
      readonly digest: string;
      /** The file, or the folder that holds the files, relative to the trial's folder. */
      readonly path: string;
    }
  /** `none`: nothing was left. `too_large`, `unreadable`: something was left that cannot be told from another. */
  | { readonly kind: "unknown"; readonly reason: "none" | "too_large" | "unreadable" };

/** The digest of an output file that holds nothing. */
export const EMPTY_DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/**
 * Why a trial is not compared with others of the same task and output. `verifier_failed`: Harbor recorded that the verifier
 * itself failed, so that whatever reward there is says nothing of how it judges.
 */
export type UncomparedReason =
  | "no_output"
  | "output_too_large"
  | "output_unreadable"
  | "task_unknown"
  | "no_reward"
  | "verifier_failed";

export interface LogPlace {
  /** Relative to the trial's folder. */
  readonly file: string;
  /** From 1; null when the log is too long for its lines to be counted. */
  readonly line: number | null;
}

/** Whether it is Harbor's own log that says so, which tells of a verifier that was cancelled, and not one that the verifier died in. */
export function tellsCancelled({ file }: LogPlace): boolean {
  return file === "trial.log";
}

/**
 * Whether a trial's logs are worth a look for a verifier that died: it ran, and what came of it is a 0 or nothing, which is
 * what such a verifier leaves.
 */
export function mayHideCrash({ state, rewards }: Pick<TrialRecord, "state" | "rewards">): boolean {
  return state === "finished" && (rewards === null || rewards.size === 0 || isZero(rewards));
}

/** Whether a trial has rewards and all of them are 0. */
export function isZero(rewards: TrialRecord["rewards"]): boolean {
  return rewards !== null && rewards.size > 0 && [...rewards.values()].every((value) => Number(value) === 0);
}

/**
 * Why a trial's verifier may have crashed, which a reward of 0 does not show: the scripts that start verifiers write 0 when
 * these die. At least one of both holds. It changes no outcome and no figure.
 */
export interface Suspicion {
  /** A log that ends with a traceback of the verifier's own, or says that it was cancelled; null when there is none. */
  readonly traceback: LogPlace | null;
  /** The reward is 0 in all keys, and the verifier left no details, as it did for other trials of the task in this job. */
  readonly lacksDetails: boolean;
}
