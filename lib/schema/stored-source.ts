import { z } from "zod";

const sourceProbesSchema = z.object({
  /** Relative to the root with `/`; empty for the root itself. */
  folder: z.string(),
  kind: z.enum(["harbor", "loose", "ledger", "served"]),
  /** The stamp of the job's result.json when that was read as one; null otherwise. */
  resultStamp: z.string().nullable(),
  /** Trial folders, or record files of a ledger, relative to `folder`, in order. */
  trials: z.array(z.string()),
  /** Distinct lists of probes, relative to a trial folder. */
  sets: z.array(z.array(z.string())),
  /** For each trial, the index of its list in `sets`. */
  uses: z.array(z.number().int()),
});

/** The paths whose state decides whether a job folder must be read again. */
export type SourceProbes = z.infer<typeof sourceProbesSchema>;

/** Reads probes that were stored as JSON; null for any other text. */
export function parseSourceProbes(text: string): SourceProbes | null {
  return parseStored(sourceProbesSchema, text);
}

const configuredNamesSchema = z.object({
  taskPath: z.string().nullable(),
  taskName: z.string().nullable(),
  /** `agent.name`, `agent.import_path` and `agent.model_name` as one text; null without a readable config. */
  agent: z.string().nullable(),
});

/** Task and agent as configs and locks name them, before a run turns them into result names. */
export type ConfiguredNames = z.infer<typeof configuredNamesSchema>;

const storedStampsSchema = z.object({
  /** For each trial its stamp and the place of its names in `configured`; null for a trial that is to be read again. */
  trials: z.array(z.tuple([z.string(), z.number().int()]).nullable()),
  /** Distinct names of tasks and agents. */
  configured: z.array(configuredNamesSchema),
});

/** What is stored of some trials of a job so that a later process reads only those again that changed. */
export type StoredStamps = z.infer<typeof storedStampsSchema>;

/** Reads stamps that were stored as JSON; null for any other text. */
export function parseStoredStamps(text: string): StoredStamps | null {
  return parseStored(storedStampsSchema, text);
}

function parseStored<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
