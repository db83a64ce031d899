import { z } from "zod";

const id = z.string().min(1).max(100);

const scope = { queue: z.string().max(4_096).nullable(), jobs: z.array(z.string().max(4_096)).max(1_000) };

export const DECISION_REQUESTS = {
  save: z.object({
    ...scope,
    /** Version ids of all judgments that the decider saw. They identify the trial, which the page may hide. */
    sources: z.array(id).min(1).max(1_000),
    draft: z.unknown(),
    baseDecisionId: id.nullable(),
    /** UUID that makes retries idempotent; null lets the store choose. */
    saveId: z.uuid().nullable(),
    thenNext: z.boolean(),
  }),
  undo: z.object({ decisionId: id }),
} as const;

export type DecisionRequest<Kind extends keyof typeof DECISION_REQUESTS> = z.output<
  (typeof DECISION_REQUESTS)[Kind]
>;
