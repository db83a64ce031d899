import { z } from "zod";

import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import { OUTCOMES } from "@/lib/core/domain/trial";

import { readFirstIssue } from "./issues";

export const timeColumn = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "not a time");

/** Columns that identify a trial. An outcome of a later release reads as `unscored`. */
export const SUBJECT_SHAPE = {
  trial_id: z.string().nullable(),
  job_id: z.string().nullable(),
  trial_name: z.string(),
  job_name: z.string(),
  root_label: z.string(),
  task_name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  outcome_seen: z.string().pipe(z.enum(OUTCOMES).catch("unscored")),
  reward_seen: z.string().nullable(),
};

export const trialSchema = z.object({
  trialId: z.string().nullable(),
  jobUuid: z.string().nullable(),
  trialName: z.string(),
  jobName: z.string(),
});

export const subjectSchema = trialSchema.extend({
  rootLabel: z.string(),
  taskName: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  outcomeSeen: SUBJECT_SHAPE.outcome_seen,
  rewardSeen: z.string().nullable(),
});

const columnsSchema = z.object(SUBJECT_SHAPE);

export function readSubject(row: z.output<typeof columnsSchema>): AnnotationSubject {
  return {
    trialId: row.trial_id,
    jobUuid: row.job_id,
    trialName: row.trial_name,
    jobName: row.job_name,
    rootLabel: row.root_label,
    taskName: row.task_name,
    agent: row.agent,
    model: row.model,
    outcomeSeen: row.outcome_seen,
    rewardSeen: row.reward_seen,
  };
}

export function describeWrongColumn(error: z.ZodError, whole = "kind"): string {
  const { field, message } = readFirstIssue(error);
  const [column = whole, ...inside] = field === "" ? [whole] : field.split(".");
  const place = inside.length === 0 ? "" : `${inside.join(".")}: `;
  return `with a wrong column ${column} (${place}${message.replace(/\.$/, "")})`;
}
