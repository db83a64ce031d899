/**
 * Evidence of how a trial ended, for rules and clusters. `exception`: "Type: message" of the one that counts. `traceback`: its
 * last frames. `failed-test`: name of a failed test, with the first line of its message if reported. `verifier-output`: an error
 * line of the verifier's output. `step-error`: an error in a step of the trajectory. `end`: the agent's last message.
 * `provider-error`: a refusal or failure of the model's service, from steps or logs. `agent-log`: an error line of the agent's own
 * log. `stop`: why the run stopped early, from its trace ("output limit: max_tokens"), or "error: " and the service's error that
 * ends the trace. `judge`: a statement of an analysis or grader.
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
  readonly file: string;
  readonly line: number | null;
  readonly step: string | null;
}

/** `text` is bounded, without terminal sequences. */
export interface Signal {
  readonly kind: SignalKind;
  readonly text: string;
  readonly place: SignalPlace;
}
