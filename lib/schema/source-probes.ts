import { z } from "zod";

const sourceProbesSchema = z.object({
  folder: z.string(),
  kind: z.enum(["harbor", "loose", "ledger"]),
  resultStamp: z.string().nullable(),
  trials: z.array(z.string()),
  sets: z.array(z.array(z.string())),
  uses: z.array(z.number().int()),
});

/** The paths whose state decides whether a job folder must be read again. */
export interface SourceProbes {
  /** Relative to the root with `/`; empty for the root itself. */
  readonly folder: string;
  readonly kind: "harbor" | "loose" | "ledger";
  /** The stamp of the job's result.json when that was read as one; null otherwise. */
  readonly resultStamp: string | null;
  /** Trial folders, or record files of a ledger, relative to `folder`, in order. */
  readonly trials: readonly string[];
  /** Distinct lists of probes, relative to a trial folder. */
  readonly sets: readonly (readonly string[])[];
  /** For each trial, the index of its list in `sets`. */
  readonly uses: readonly number[];
}

/** Probes as the text that is stored. */
export function formatSourceProbes(probes: SourceProbes): string {
  return JSON.stringify(probes);
}

/** Probes that were stored; null for any other text. */
export function parseSourceProbes(text: string): SourceProbes | null {
  try {
    return sourceProbesSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
