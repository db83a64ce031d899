import { isSince, parseVersion } from "@/lib/core/domain/harbor-era";
import type { JobRecord } from "@/lib/core/domain/job";
import type { Trial } from "@/lib/core/domain/trial";
import { listExceptions } from "@/lib/core/domain/trial-failure";
import type { Figure, FigureKind } from "@/lib/core/domain/verification";
import { type ErrorPolicy, findErrorPolicy, type PolicyOverride, type PyValue } from "@/lib/core/scoring";

import { formatPython } from "./compare-numbers";
import { buildFigure, makeSubject } from "./figure";

const NOT_RECORDED = "Harbor always writes this figure. It is missing from the trial's result.json.";

/**
 * Verifies what Harbor records of each trial since 0.26: `reward_valid`, and the policy of each exception with the job's
 * overrides. Trials of older versions give no figure. lock.json names the Harbor that began the job, so no trial is older.
 */
export function verifyValidity(job: JobRecord, trials: readonly Trial[]): Figure[] {
  const begun = parseVersion(job.harborVersion);
  const areVersioned =
    job.scoringRule === "harbor-0.26" && job.rebuilt === null && begun !== null && isSince(begun, [0, 26, 0]);
  return trials.flatMap((trial) => {
    const { isRewardValid } = trial;
    const recordedValidity = trial.recordedValidity ?? (areVersioned ? "absent" : null);
    if (recordedValidity === null || trial.rewardsProblem !== null) return [];
    const recorded = recordedValidity === "absent" ? undefined : recordedValidity === "valid";
    const policies = listExceptions(trial).flatMap((exception, index) => {
      const path = `exceptions[${index}].${exception.type}`;
      const { policyOverride, configuredOverride, recordedPolicy } = exception;
      const override = judge(
        trial,
        "error-policy",
        `${path}.policy_override`,
        toPython(policyOverride),
        toPython(configuredOverride),
      );
      return [
        ...(policyOverride === null && configuredOverride === null ? [] : [override]),
        judge(
          trial,
          "error-policy",
          `${path}.policy`,
          recordedPolicy === null ? undefined : toPython(recordedPolicy),
          toPython(findErrorPolicy(exception)),
        ),
      ];
    });
    return [judge(trial, "reward-valid", "reward_valid", recorded, isRewardValid), ...policies];
  });
}

function judge(
  trial: Trial,
  kind: FigureKind,
  path: string,
  recorded: PyValue | undefined,
  recomputed: PyValue,
): Figure {
  const subject = makeSubject(kind, `${trial.key}/${path}`, trial.groupKey, [trial]);
  if (recorded === undefined) return buildFigure(subject, "mismatch", { recomputed }, NOT_RECORDED);
  const [stated, computed] = [formatPython(recorded), formatPython(recomputed)];
  if (stated === computed) return buildFigure(subject, "exact", { recorded, recomputed }, null);
  const reason = `result.json records ${stated ?? "nothing"}. The trial's exceptions and rewards give ${computed ?? "nothing"}.`;
  return buildFigure(subject, "mismatch", { recorded, recomputed }, reason);
}

function toPython(policy: ErrorPolicy | PolicyOverride | null): PyValue {
  if (policy === null) return null;
  const flags = [
    ["should_retry", policy.shouldRetry],
    ["should_grade", policy.shouldGrade],
    ["has_valid_reward", policy.hasValidReward],
  ] as const;
  return new Map(flags.flatMap(([name, flag]) => (flag === undefined ? [] : [[name, flag] as const])));
}

/** Returns the types of a trial's exceptions that make its reward invalid since Harbor 0.26, each once. */
export function listDisqualifying(trial: Pick<Trial, "exception" | "steps">): readonly string[] {
  const types = listExceptions(trial).flatMap((exception) =>
    findErrorPolicy(exception).hasValidReward ? [] : [exception.type],
  );
  return [...new Set(types)];
}
