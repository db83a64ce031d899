import { z } from "zod";

import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import { TAG_LIMITS } from "@/lib/core/domain/imported-tag";
import { toColumnText } from "@/lib/store/database";

import { refuseHidden } from "../issues";
import { tagEvidenceSchema } from "../tags/evidence";
import { limit, name, text } from "./line-fields";
import { TAG_LINE_SCHEMA } from "./lines";

const label = (most: number) =>
  z
    .string()
    .transform((given) => toColumnText(given).normalize("NFC").replace(/\s+/gu, " ").trim())
    .pipe(z.string().min(1, "It is empty.").max(most, limit(most)).superRefine(refuseHidden));

/** A tag from another tool. Only Assay's exports include ids and a schema. */
export const tagSchema = z.object({
  schema: z.literal(TAG_LINE_SCHEMA).optional(),
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
