import { z } from "zod";

const storedStampsSchema = z.object({
  trials: z.array(z.tuple([z.string(), z.number().int()]).nullable()),
  configured: z.array(
    z.object({
      taskPath: z.string().nullable(),
      taskName: z.string().nullable(),
      agent: z.string().nullable(),
    }),
  ),
});

/** What is stored of a job's trials so that a later process reads only those again that changed. */
export interface StoredStamps {
  /** For each trial its stamp and the place of its names in `configured`; null for a trial that is to be read again. */
  readonly trials: readonly (readonly [stamp: string, configured: number] | null)[];
  /** Distinct names of tasks and agents, see `ConfiguredNames` of lib/loader. */
  readonly configured: readonly {
    readonly taskPath: string | null;
    readonly taskName: string | null;
    readonly agent: string | null;
  }[];
}

/** Stamps as the text that is stored. */
export function formatStoredStamps(stamps: StoredStamps): string {
  return JSON.stringify(stamps);
}

/** Stamps that were stored; null for any other text. */
export function parseStoredStamps(text: string): StoredStamps | null {
  try {
    return storedStampsSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
