import { LRUCache } from "lru-cache";

import type { JobEntry } from "@/lib/core/domain/catalog";
import type { TrialRecord } from "@/lib/core/domain/trial";
import type { Summation } from "@/lib/core/scoring";
import { boundEntry, verifyDraft } from "@/lib/read/catalog";
import {
  completeTrial,
  describeSource,
  describeTrials,
  type DiscoveredJob,
  type HeldTrial,
  isSourceUnchanged,
  type JobReading,
  type KnownTrials,
  type LoadRoot,
  MemoryBudget,
  readJobByTrial,
  type SourceFingerprint,
  StoredTrials,
  StringPool,
  TrialHolder,
} from "@/lib/read/loader";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent, isParentBehind } from "@/lib/read/processes/with-parent";
import { type IndexStore, readStoredReading, type SourceContent, writeSource } from "@/lib/store/tables";

import { prepareContent } from "./prepare-content";
import { ProgressReport } from "./progress-report";
import { type DerivedDetailsTask, readJobDerivedDetails } from "./read-derived-details";
import { type FailuresTask, readJobFailures } from "./read-failures";
import { readJobScans, type ScanTask } from "./read-scans";
import { readJobTexts } from "./read-texts";

export interface SourceTask {
  readonly sourceId: number;
  readonly root: LoadRoot;
  readonly discovered: DiscoveredJob;
  readonly summation: Summation;
  readonly nowMs: number;
}

export interface CheckTask {
  readonly root: LoadRoot;
  readonly fingerprint: SourceFingerprint;
  readonly nowMs: number;
}

/** Limit of kept trials of running jobs: when a trial ends, only that trial is read. */
const MOST_KEPT_TRIALS = 20_000;

export class SourceReader implements Executor {
  private readonly store: IndexStore;
  private readonly kept = new LRUCache<number, JobReading>({
    maxSize: MOST_KEPT_TRIALS,
    sizeCalculation: ({ trials }) => Math.max(1, trials.size),
  });

  constructor(store: IndexStore) {
    this.store = store;
  }

  isUnchanged({ root, fingerprint, nowMs }: CheckTask): Promise<boolean> {
    return Promise.resolve(isSourceUnchanged(root, fingerprint, nowMs));
  }

  /** @throws StoreError when the store cannot be written */
  async read(task: SourceTask, onTrials: (n: number) => void): Promise<void> {
    const report = new ProgressReport(onTrials);
    const previous = this.kept.get(task.sourceId) ?? (await this.restore(task.sourceId));
    // Drops the cached reading while writing, which takes long and as much memory again.
    this.kept.delete(task.sourceId);
    const { content, running } = await readSource(task, previous, report);
    report.tell();
    await hearOfParent();
    await writeSource(this.store, content);
    report.tell();
    if (running !== null) this.kept.set(task.sourceId, running);
  }

  /** @throws StoreError when the store cannot be read or written */
  async readDerivedDetails(task: DerivedDetailsTask, onTrials: (n: number) => void): Promise<void> {
    await readJobDerivedDetails(this.store, task, onTrials);
  }

  /** @throws StoreError when the store cannot be read or written */
  async readFailures(task: FailuresTask, onTrials: (n: number) => void): Promise<void> {
    await readJobFailures(this.store, task, onTrials);
  }

  /** @throws StoreError when the store cannot be read or written */
  async readTexts(task: DerivedDetailsTask, onTrials: (n: number) => void): Promise<void> {
    await readJobTexts(this.store, task, onTrials);
  }

  /** @throws StoreError when the store cannot be read or written */
  async readScans(task: ScanTask, onTrials: (n: number) => void): Promise<void> {
    await readJobScans(this.store, task, onTrials);
  }

  private async restore(sourceId: number): Promise<KnownTrials | null> {
    return readStoredReading(
      this.store,
      sourceId,
      // This program wrote it, see readSource.
      ({ fingerprint, description }) =>
        new StoredTrials(JSON.parse(fingerprint) as SourceFingerprint, description),
    );
  }
}

/** Reads, verifies and summarizes one folder, without writing. `running` holds the cached trials of a running job. */
async function readSource(
  { sourceId, root, discovered, summation, nowMs }: SourceTask,
  previous: JobReading | KnownTrials | null,
  report: ProgressReport,
): Promise<{ readonly content: SourceContent; readonly running: JobReading | null }> {
  const onTrial = () => report.add();
  const context = { root, pool: new StringPool(), budget: new MemoryBudget(), nowMs, onTrial };
  const steps = readJobByTrial(context, discovered, previous);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) if (isParentBehind()) await hearOfParent();
  const reading = step.value;
  leaveTrial();
  report.tell();
  // Serialized now, while the least memory is in use.
  const fingerprint = JSON.stringify(describeSource(reading));
  report.tell();
  const cutFolders = new Set<string>();
  const holder = new TrialHolder(new StringPool());
  const form = { complete: completeTrial, hold: (trial: TrialRecord) => holder.holdTrial(trial) };
  const jobs = reading.drafts.map((draft) => {
    const entry = verifyDraft(root, draft, draft.job.name, { summation });
    report.tell();
    const bound = boundEntry(entry, root, form);
    report.tell();
    for (const cut of bound.cutFolders) cutFolders.add(cut);
    return prepareContent(dropStated(bound.entry), root.label, summation, () => report.goOn());
  });
  return {
    content: { sourceId, fingerprint, trials: describeTrials(reading, cutFolders), jobs },
    running: reading.drafts.some(({ job }) => job.state === "running") ? reading : null,
  };
}

/** Drops the recorded values, which are as large as the job. */
function dropStated(entry: JobEntry<HeldTrial>): JobEntry<HeldTrial> {
  const { recorded, ...job } = entry.job;
  const groups = recorded?.groups.map((group) => ({ ...group, rewardStats: null, exceptionStats: null }));
  const kept = recorded && { ...recorded, groups: groups ?? [] };
  return { ...entry, job: { ...job, recorded: kept, plan: null, resultBytes: null } };
}

/** Runs the work in this process, or in child processes. */
export interface Executor {
  readonly isUnchanged: (task: CheckTask) => Promise<boolean>;
  /** @throws StoreError when the store cannot be written; any other error is a bug */
  readonly read: (task: SourceTask, onTrials: (n: number) => void) => Promise<void>;
  /**
   * @throws StoreError when the store cannot be read or written; any other error is a bug. This also holds for the methods below.
   */
  readonly readDerivedDetails: (task: DerivedDetailsTask, onTrials: (n: number) => void) => Promise<void>;
  readonly readFailures: (task: FailuresTask, onTrials: (n: number) => void) => Promise<void>;
  readonly readTexts: (task: DerivedDetailsTask, onTrials: (n: number) => void) => Promise<void>;
  readonly readScans: (task: ScanTask, onTrials: (n: number) => void) => Promise<void>;
}
