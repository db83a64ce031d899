import { z } from "zod";

import {
  computeReviewerKey,
  DRAFT_LIMITS,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import { TAG_LIMITS } from "@/lib/core/domain/imported-tag";
import { SUGGESTION_ANSWERS, SUGGESTION_LIMITS } from "@/lib/core/domain/suggestion";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";
import { toColumnText } from "@/lib/store/database";

import { tagEvidenceSchema } from "../evidence-schema";
import { refuseHidden } from "../issues";
import type { NewStatement } from "../statements/statement";
import { prepareAnswer } from "../triage/answers";
import { clusterSchema, line, type Note } from "../triage/notes";
import { limit, name, text, time } from "./line-fields";
import { LINE_SCHEMAS } from "./lines";

const person = line(DRAFT_LIMITS.reviewerId).pipe(
  z
    .string()
    .refine((given) => computeReviewerKey(given) !== "", "It has no name.")
    .superRefine(refuseHidden),
);

export const answerSchema = z
  .object({
    trial_id: name.nullable(),
    job_id: name.nullable(),
    trial_name: name.pipe(z.string().min(1, "It is empty.")),
    job_name: name,
    suggester: z.string().min(1, "It is empty.").max(SUGGESTION_LIMITS.suggester).transform(toColumnText),
    version: z.string().max(SUGGESTION_LIMITS.version).transform(toColumnText),
    answer: z.enum(SUGGESTION_ANSWERS),
    reviewer_id: person,
    timestamp: time,
  })
  .transform(({ trial_id, job_id, trial_name, job_name, reviewer_id, timestamp, ...body }) =>
    prepareAnswer({
      author: reviewer_id,
      actor: null,
      at: timestamp,
      body: {
        trial: { trialId: trial_id, jobUuid: job_id, trialName: trial_name, jobName: job_name },
        ...body,
      },
    }),
  );

const change = {
  target: z.string().min(1, "It is empty.").max(TRIAGE_LIMITS.target).transform(toColumnText),
  author: person,
  timestamp: time,
};

export type NewNote = NewStatement<Note>;

export const noteSchema = z
  .discriminatedUnion("kind", [
    z.object({
      ...change,
      kind: z.literal("named"),
      text: line(TRIAGE_LIMITS.name)
        .pipe(z.string().min(1, "It is empty.").superRefine(refuseHidden))
        .nullable(),
      about: clusterSchema,
    }),
    z.object({
      ...change,
      kind: z.literal("dismissed"),
      text: line(TRIAGE_LIMITS.reason).pipe(z.string().min(1, "It is empty.")),
      about: z.object({ title: line(TRIAGE_LIMITS.about) }),
    }),
    z.object({
      ...change,
      kind: z.literal("restored"),
      text: z.null(),
      about: z.object({ reason: line(TRIAGE_LIMITS.reason) }).nullable(),
    }),
  ])
  .transform(({ target: subject, author, timestamp: at, ...body }): NewNote => ({
    kind: "triage_note",
    subject,
    author,
    actor: null,
    at,
    body,
  }));

const label = (most: number) =>
  z
    .string()
    .transform((given) => toColumnText(given).normalize("NFC").replace(/\s+/gu, " ").trim())
    .pipe(z.string().min(1, "It is empty.").max(most, limit(most)).superRefine(refuseHidden));

/** A tag from another tool. Only Assay's exports include ids and a schema. */
export const tagSchema = z.object({
  schema: z.literal(LINE_SCHEMAS.tag).optional(),
  trial: name.pipe(z.string().min(1, "It is empty.")),
  trial_id: name.nullish(),
  job: name.nullish(),
  job_id: name.nullish(),
  category: label(TAG_LIMITS.category),
  description: text(TAG_LIMITS.description).nullish(),
  source: label(TAG_LIMITS.source),
  evidence: z
    .unknown()
    .optional()
    .transform((given): unknown => (typeof given === "string" ? [given] : (given ?? [])))
    .pipe(tagEvidenceSchema),
});

export type TagFields = z.output<typeof tagSchema>;

export type FindTrials = (names: ReadonlySet<string>) => Promise<readonly TrialIdentity[]>;

type LineTrial = TrialIdentity | string;

/**
 * `open` is null without open folders, as in a command. The line must then name the job; its trial matches once a folder has it.
 */
export function findLineTrial(fields: TagFields, open: readonly TrialIdentity[] | null): LineTrial {
  const { schema, trial, trial_id: trialId, job, job_id: jobUuid } = fields;
  const stated =
    job == null
      ? null
      : { trialId: trialId ?? null, jobUuid: jobUuid ?? null, trialName: trial, jobName: job };
  if (open === null)
    return (
      stated ??
      "job: It is missing. Name the job of the trial, or import the file on the page, which knows the open folders."
    );
  const [found, ...others] = open.filter(
    (one) =>
      (one.trialName === trial && (stated === null || isSameTrial(one, stated) || one.jobUuid === job)) ||
      (one.trialId === trial && (job == null || one.jobName === job || one.jobUuid === job)),
  );
  if (found === undefined) {
    if (schema !== undefined && stated !== null) return stated;
    const of = job == null ? "" : ` in a job ${quote(job)}`;
    return `trial: No open folder has a trial ${quote(trial)}${of}.`;
  }
  // Copies of one trial count as one.
  if (others.every((other) => isSameTrial(found, other))) return found;
  return `trial: ${String(others.length + 1)} trials of the open folders are called ${quote(trial)}. Name the job too.`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100).toWellFormed()}…` : text);
}
