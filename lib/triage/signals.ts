/**
 * What a trial's files say of how it ended, as rules and clusters see it. `exception`: "Type: message" of the exception that
 * counts. `traceback`: its last frames. `failed-test`: name of a failed test, with the first line of its message where a report
 * gives one. `verifier-output`: an error line of the verifier's output. `step-error`: an error that a step of the trajectory
 * shows. `end`: the last message of the agent. `provider-error`: a refusal or failure of the model's service, from steps or logs.
 * `agent-log`: an error line of the agent's own log. `stop`: why the agent's run stopped before it was done, as its trace
 * records it ("output limit: max_tokens"), or "error: " and the service's error with which the trace ends. `judge`: what an analysis or a grader says.
 */
export const SIGNAL_KINDS = [
  "exception",
  "traceback",
  "failed-test",
  "verifier-output",
  "step-error",
  "end",
  "provider-error",
  "agent-log",
  "stop",
  "judge",
] as const;

export type SignalKind = (typeof SIGNAL_KINDS)[number];

export interface SignalPlace {
  /** Relative to the trial's folder, with `/`. */
  readonly file: string;
  /** From 1; null where the file has no lines or they were not counted. */
  readonly line: number | null;
  /** Key of the step of the trajectory as the trace names it; null outside of one. */
  readonly step: string | null;
}

/** One signal; `text` is bounded, without terminal sequences. */
export interface Signal {
  readonly kind: SignalKind;
  readonly text: string;
  readonly place: SignalPlace;
}
