import { z } from "zod";

const id = z.string().min(1).max(100);

const scope = { queue: z.string().max(4_096).nullable(), jobs: z.array(z.string().max(4_096)).max(1_000) };

export const DECISION_REQUESTS = {
  save: z.object({
    ...scope,
    /** Version ids of all judgments that the decider saw: they name the trial, of which the page may hide the rest. */
    sources: z.array(id).min(1).max(1_000),
    // Checked by the store, which gives a sentence per field.
    draft: z.unknown(),
    /** Decision that stood when this one was begun; null when none did. */
    baseDecisionId: id.nullable(),
    /** Whether to name the next conflict to decide. */
    thenNext: z.boolean(),
  }),
  undo: z.object({ decisionId: id }),
} as const;

export type DecisionRequest<Kind extends keyof typeof DECISION_REQUESTS> = z.output<
  (typeof DECISION_REQUESTS)[Kind]
>;
