import type { FailureClass } from "./classes";

/**
 * Who can do something about failures, in the order in which pages list them. `unexplained`: nobody before somebody reads them.
 * `benchmark`: whoever wrote task and verifier. `environment`: whoever runs it. `limits`: whoever sets time and budgets, or the
 * agent that spends them. `agent`: whoever makes the agent. `no_evidence`: no file of the trial but its result
 * was kept, so that nobody can tell. `not_run`: there is no attempt to speak of.
 */
export const OWNERS = [
  "unexplained",
  "benchmark",
  "environment",
  "limits",
  "agent",
  "no_evidence",
  "not_run",
] as const;

export type Owner = (typeof OWNERS)[number];

/** The classes of each owner, in the order in which pages list them. Every class is in exactly one. */
export const OWNER_CLASSES: Readonly<Record<Owner, readonly FailureClass[]>> = {
  unexplained: ["unexplained"],
  benchmark: ["verifier", "task_broken"],
  environment: ["provider", "infrastructure"],
  limits: ["out_of_time", "out_of_context", "out_of_output", "out_of_turns", "out_of_budget"],
  agent: ["wrong_answer", "partial_credit", "stopped_early", "no_answer", "agent_crashed"],
  no_evidence: ["no_evidence"],
  not_run: ["cancelled", "missing", "unreadable"],
};

/** The owner of each class. */
export const OWNER_OF = Object.fromEntries(
  OWNERS.flatMap((owner) => OWNER_CLASSES[owner].map((failureClass) => [failureClass, owner])),
) as Readonly<Record<FailureClass, Owner>>;
