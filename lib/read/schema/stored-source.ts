import { z } from "zod";

const sourceProbesSchema = z.object({
  folder: z.string(),
  kind: z.enum(["harbor", "loose", "ledger", "served"]),
  trials: z.array(z.string()),
  sets: z.array(z.array(z.string())),
  uses: z.array(z.number().int()),
});

/** Parses the paths whose state decides whether a job must be read again; null if the stored text is damaged. */
export function parseSourceProbes(text: string): z.infer<typeof sourceProbesSchema> | null {
  try {
    return sourceProbesSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
