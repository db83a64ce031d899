import { z } from "zod";

import { computeReviewerKey, DRAFT_LIMITS } from "@/lib/core/domain/annotation";
import { SUGGESTION_ANSWERS, SUGGESTION_LIMITS } from "@/lib/core/domain/suggestion";
import { TRIAGE_LIMITS } from "@/lib/core/domain/triage-note";
import { toColumnText } from "@/lib/store/database";

import { refuseHidden } from "../issues";
import type { NewStatement } from "../statements/statement";
import { prepareAnswer } from "../triage/answers";
import { clusterSchema, line, type Note } from "../triage/note-rows";
import { name, time } from "./line-fields";

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
