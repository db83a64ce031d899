import { z } from "zod";

import type { ErrorPolicy, PolicyOverride } from "@/lib/core/scoring";

const flag = z.boolean().nullish();

export const policySchema = z
  .object({ should_retry: flag, should_grade: flag, has_valid_reward: flag })
  .nullish();

type PolicyFile = z.infer<typeof policySchema>;

export function parsePolicyOverride(policy: PolicyFile): PolicyOverride | null {
  return policy
    ? {
        shouldRetry: policy.should_retry ?? undefined,
        shouldGrade: policy.should_grade ?? undefined,
        hasValidReward: policy.has_valid_reward ?? undefined,
      }
    : null;
}

export function parsePolicy(policy: PolicyFile): ErrorPolicy | null {
  const { shouldRetry, shouldGrade, hasValidReward } = parsePolicyOverride(policy) ?? {};
  const isWhole = shouldRetry !== undefined && shouldGrade !== undefined && hasValidReward !== undefined;
  return isWhole ? { shouldRetry, shouldGrade, hasValidReward } : null;
}
