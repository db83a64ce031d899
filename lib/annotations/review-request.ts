import { z } from "zod";

import { ValidationError } from "@/lib/domain/app-error";
import type { Outcome } from "@/lib/domain/trial";

import { OUTCOMES } from "@/lib/domain/trial";

const key = z.string().min(1).max(1000);

const saveSchema = z.object({
  jobKey: key,
  trialKey: key,
  // Checked by the store, which gives a sentence per field.
  draft: z.unknown(),
  baseVersionId: z.string().max(100).nullable(),
  saveId: z.uuid().nullable(),
  outcomeSeen: z.enum(OUTCOMES),
  // Python writes whole numbers of up to 4300 digits.
  rewardSeen: z.string().max(5000).nullable(),
  thenNext: z.boolean(),
});

// Nobody has a name before the first review.
const nextSchema = z.object({ jobKey: key, trialKey: key, reviewerId: z.string().max(1000) });
const undoSchema = z.object({ jobKey: key, trialKey: key, reviewerId: key, versionId: z.string().max(100) });

/** A save as the form sends it; `draft` is still unchecked. */
export interface SaveRequest {
  readonly jobKey: string;
  readonly trialKey: string;
  readonly draft: unknown;
  /** Head of the reviewer's chain that the form shows; null when there is none. */
  readonly baseVersionId: string | null;
  /** UUID of this save, so that sending it again stores it once; null leaves it to the store. */
  readonly saveId: string | null;
  /** What the page printed when the reviewer judged, which may be older than what is on disk now. */
  readonly outcomeSeen: Outcome;
  readonly rewardSeen: string | null;
  /** Whether to name the next trial to judge. */
  readonly thenNext: boolean;
}

/** A wish to go to the next trial that a reviewer has not judged. */
export type NextRequest = Readonly<z.output<typeof nextSchema>>;

/** A wish to take a version back. */
export type UndoRequest = Readonly<z.output<typeof undoSchema>>;

/** @throws ValidationError when the request does not have the shape of a save */
export function parseSaveRequest(request: unknown): SaveRequest {
  return parseRequest(saveSchema, request);
}

/** @throws ValidationError when the request does not have the shape of an undo */
export function parseUndoRequest(request: unknown): UndoRequest {
  return parseRequest(undoSchema, request);
}

/** @throws ValidationError when the request does not have the shape of a way to the next trial */
export function parseNextRequest(request: unknown): NextRequest {
  return parseRequest(nextSchema, request);
}

function parseRequest<T>(schema: z.ZodType<T>, request: unknown): T {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  throw new ValidationError("The page is out of date. Reload it; the draft is kept in this browser.", {});
}
