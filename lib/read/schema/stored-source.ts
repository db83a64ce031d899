import { z } from "zod";

const sourceProbesSchema = z.object({
  folder: z.string(),
  kind: z.enum(["harbor", "loose", "ledger", "served"]),
  resultStamp: z.string().nullable(),
  trials: z.array(z.string()),
  sets: z.array(z.array(z.string())),
  uses: z.array(z.number().int()),
});

/** Paths whose state decides whether a job must be read again. */
export type SourceProbes = z.infer<typeof sourceProbesSchema>;

export const parseSourceProbes = storedParserOf(sourceProbesSchema);

const configuredNamesSchema = z.object({
  taskPath: z.string().nullable(),
  taskName: z.string().nullable(),
  /** `agent.name`, `agent.import_path` and `agent.model_name` joined; null without a readable config. */
  agent: z.string().nullable(),
});

/** Task and agent names in configs and locks, before a run converts them to result names. */
export type ConfiguredNames = z.infer<typeof configuredNamesSchema>;

const storedStampsSchema = z.object({
  /** Stamp and index into `configured` by trial; null for a trial to be read again. */
  trials: z.array(z.tuple([z.string(), z.number().int()]).nullable()),
  configured: z.array(configuredNamesSchema),
});

export type StoredStamps = z.infer<typeof storedStampsSchema>;

export const parseStoredStamps = storedParserOf(storedStampsSchema);

function storedParserOf<T>(schema: z.ZodType<T>) {
  return (text: string): T | null => {
    try {
      return schema.safeParse(JSON.parse(text)).data ?? null;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  };
}
