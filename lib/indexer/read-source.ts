import { verifyDraft } from "@/lib/catalog";
import {
  describeSource,
  describeTrials,
  type DiscoveredJob,
  type JobReading,
  type KnownTrials,
  type LoadRoot,
  MemoryBudget,
  readJob,
  StringPool,
} from "@/lib/loader";
import type { Summation } from "@/lib/scoring";
import type { SourceContent } from "@/lib/store";

import { boundEntry } from "./bound-texts";
import { prepareContent } from "./prepare-content";

/** A folder to read, and how. */
export interface SourceTask {
  readonly sourceId: number;
  readonly root: LoadRoot;
  readonly discovered: DiscoveredJob;
  readonly summation: Summation;
  /** The clock that tells running jobs from interrupted ones; milliseconds since 1970-01-01. */
  readonly nowMs: number;
}

/** A folder that was read: what the index keeps of it, and what the next reading can go on from. */
export interface SourceReading {
  readonly content: SourceContent;
  readonly reading: JobReading;
}

/** Reads, verifies and summarises one folder. Pure but for reading: nothing is written. */
export function readSource(
  { sourceId, root, discovered, summation, nowMs }: SourceTask,
  previous: JobReading | KnownTrials | null,
  onTrial?: () => void,
): SourceReading {
  const context = { root, pool: new StringPool(), budget: new MemoryBudget(), nowMs, onTrial };
  const reading = readJob(context, discovered, previous);
  const cutFolders = new Set<string>();
  const jobs = reading.drafts.map((draft) => {
    const entry = verifyDraft(root, draft, draft.job.name, { summation });
    const bound = boundEntry(entry, root);
    for (const cut of bound.cutFolders) cutFolders.add(cut);
    return prepareContent(bound.entry, root.label);
  });
  return {
    content: {
      sourceId,
      fingerprint: JSON.stringify(describeSource(reading)),
      trials: describeTrials(reading, cutFolders),
      jobs,
    },
    reading,
  };
}
