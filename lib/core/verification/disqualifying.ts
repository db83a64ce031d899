import type { Trial } from "@/lib/core/domain/trial";
import { listExceptions } from "@/lib/core/domain/trial-failure";
import { findErrorPolicy } from "@/lib/core/scoring";

/** Returns the types of a trial's exceptions that make its reward invalid since Harbor 0.26, each once. */
export function listDisqualifying(trial: Pick<Trial, "exception" | "steps">): readonly string[] {
  const types = listExceptions(trial).flatMap((exception) =>
    findErrorPolicy(exception).hasValidReward ? [] : [exception.type],
  );
  return [...new Set(types)];
}
