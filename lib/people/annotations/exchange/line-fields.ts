import { z } from "zod";

import { type AnnotationSubject, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import { refuseHidden } from "../issues";

/** Limit for names from job folders, in UTF-16 units. Reviewer names have their own limit. */
const LONGEST_NAME = 5_000;
const LONGEST_ID = 200;

export const limit = (most: number) => `At most ${most.toLocaleString("en-US")} characters.`;
export const text = (most: number) => z.string().max(most, limit(most)).transform(toColumnText);
export const name = text(LONGEST_NAME);
export const id = text(LONGEST_ID).pipe(z.string().min(1, "It is empty."));
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** The format that saves write. Any other would sort differently. */
export const time = z.iso.datetime({
  error: "Not a time in UTC such as 2026-03-01T09:30:00.000Z.",
  precision: 3,
});

export const person = text(DRAFT_LIMITS.reviewerId)
  .refine((given) => given.trim() !== "", "It has no name.")
  .superRefine(refuseHidden);

export const subject = {
  trial_id: orNull(text(LONGEST_ID)),
  job_id: orNull(text(LONGEST_ID)),
  trial_name: name.pipe(z.string().min(1, "It is empty.")),
  job_name: name,
  root: name,
  task_name: name,
  agent: name,
  model: orNull(name),
  outcome_seen: z.enum(OUTCOMES),
  reward_seen: orNull(name),
};

const subjectSchema = z.object(subject);

export function readLineSubject(fields: z.output<typeof subjectSchema>): AnnotationSubject {
  return {
    trialId: fields.trial_id,
    jobUuid: fields.job_id,
    trialName: fields.trial_name,
    jobName: fields.job_name,
    rootLabel: fields.root,
    taskName: fields.task_name,
    agent: fields.agent,
    model: fields.model,
    outcomeSeen: fields.outcome_seen,
    rewardSeen: fields.reward_seen,
  };
}
