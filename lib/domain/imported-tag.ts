import type { TrialIdentity } from "./annotation";
import type { EvidenceAnchor } from "./review";

/** What shows that a tag is right: a quote, or a place of the trial. */
export type TagEvidence = string | EvidenceAnchor;

/** A category that another tool gave a trial. Equal categories of two tools are two tags. */
export interface ToolTag {
  /** Name of the tool. */
  readonly source: string;
  readonly category: string;
}

export interface ImportedTag extends ToolTag {
  readonly trial: TrialIdentity;
  readonly description: string | null;
  readonly evidence: readonly TagEvidence[];
}

/** Longest texts of an imported tag, in UTF-16 units, and most pieces of its evidence. */
export const TAG_LIMITS = {
  source: 80,
  category: 80,
  description: 20_000,
  quote: 2_000,
  evidence: 50,
} as const;
