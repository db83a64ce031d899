import { z } from "zod";

import { TAG_LIMITS } from "@/lib/core/domain/imported-tag";
import { toColumnText } from "@/lib/store/database";

import { anchorSchema } from "../evidence-schema";

const quote = z
  .string()
  .transform(toColumnText)
  .pipe(z.string().max(TAG_LIMITS.quote, `At most ${TAG_LIMITS.quote.toLocaleString("en-US")} characters.`));

export const tagEvidenceSchema = z
  .array(z.union([quote, anchorSchema], "Expected a text, or a place as judgments have them."))
  .max(TAG_LIMITS.evidence, `At most ${String(TAG_LIMITS.evidence)} pieces of evidence.`);
