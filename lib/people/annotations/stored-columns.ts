import { z } from "zod";

import { OUTCOMES } from "@/lib/core/domain/trial";

import { readFirstIssue } from "./issues";

export const timeColumn = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "not a time");

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
  /** An outcome of a later release reads as `unscored`. */
  outcomeSeen: z.string().pipe(z.enum(OUTCOMES).catch("unscored")),
  rewardSeen: z.string().nullable(),
});

export function describeWrongColumn(error: z.ZodError): string {
  const { field, message } = readFirstIssue(error);
  const [column = "", ...inside] = (field || "kind").split(".");
  const place = inside.length === 0 ? "" : `${inside.join(".")}: `;
  return `with a wrong column ${column} (${place}${message.replace(/\.$/, "")})`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
