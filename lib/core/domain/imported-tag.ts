import type { TrialIdentity } from "./annotation";
import type { EvidenceAnchor } from "./review";

export type TagEvidence = string | EvidenceAnchor;

/** Equal categories from two tools are two tags. */
export interface ToolTag {
  readonly source: string;
  readonly category: string;
}

export interface ImportedTag extends ToolTag {
  readonly trial: TrialIdentity;
  readonly description: string | null;
  readonly evidence: readonly TagEvidence[];
}

/** Text lengths are in UTF-16 units. */
export const TAG_LIMITS = {
  source: 80,
  category: 80,
  description: 20_000,
  quote: 2_000,
  evidence: 50,
} as const;
