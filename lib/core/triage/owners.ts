import type { FailureClass } from "./classes";

/**
 * Parties that can fix failures, in the order of pages. `unexplained`: unknown until read. `benchmark`: the authors of task and
 * verifier. `environment`: its operators. `limits`: those who set time and budgets, or the agent that spends them. `agent`: its
 * authors. `no_evidence`: only the result was kept. `not_run`: there is no attempt.
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

export const OWNER_CLASSES: Readonly<Record<Owner, readonly FailureClass[]>> = {
  unexplained: ["unexplained"],
  benchmark: ["verifier", "task_broken"],
  environment: ["provider", "infrastructure"],
  limits: ["out_of_time", "out_of_context", "out_of_output", "out_of_turns", "out_of_budget"],
  agent: ["wrong_answer", "partial_credit", "stopped_early", "no_answer", "agent_crashed"],
  no_evidence: ["no_evidence"],
  not_run: ["cancelled", "missing", "unreadable"],
};

export const OWNER_OF = Object.fromEntries(
  OWNERS.flatMap((owner) => OWNER_CLASSES[owner].map((failureClass) => [failureClass, owner])),
) as Readonly<Record<FailureClass, Owner>>;
