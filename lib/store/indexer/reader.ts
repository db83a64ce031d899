import type { JobEntry } from "@/lib/core/domain/catalog";
import type { Summation } from "@/lib/core/scoring";
import { boundEntry, verifyDraft } from "@/lib/read/catalog";
import {
  describeSource,
  type DiscoveredJob,
  isSourceUnchanged,
  type LoadRoot,
  MemoryBudget,
  readJobByTrial,
  type SourceFingerprint,
} from "@/lib/read/loader";
import { leaveTrial } from "@/lib/read/loader/large-files";
import { hearOfParent, isParentBehind } from "@/lib/read/processes/serve";
import type { DatabaseTarget } from "@/lib/store/database";
import { type IndexStore, type SourceContent, writeSource } from "@/lib/store/tables";

import { prepareContent } from "./prepare-content";
import { type IndexStatus, ProgressReport } from "./progress";
import { type DerivedDetailsTask, readJobDerivedDetails } from "./read-derived-details";
import { type FailuresTask, readJobFailures } from "./read-failures";
import { readJobScans, readJobTexts, type ScanTask } from "./read-texts";

export interface SourceTask {
  readonly sourceId: number;
  readonly root: LoadRoot;
  readonly discovered: DiscoveredJob;
  readonly summation: Summation;
  readonly nowMs: number;
}

export type ReadingRequest =
  | {
      readonly kind: "check";
      readonly task: Pick<SourceTask, "root" | "nowMs"> & { readonly fingerprint: SourceFingerprint };
    }
  | { readonly kind: "read"; readonly task: SourceTask }
  | { readonly kind: "failures"; readonly task: FailuresTask }
  | { readonly kind: "derived-details" | "texts"; readonly task: DerivedDetailsTask }
  | { readonly kind: "scans"; readonly task: ScanTask };

export type ReaderRequest = ReadingRequest & { readonly target: DatabaseTarget };

/** Reads in this process, or in child processes. */
export interface Executor {
  /** @returns for a check, true if the folder is unchanged; else false when the job changed meanwhile */
  readonly run: (request: ReadingRequest, onTrials: (n: number) => void) => Promise<boolean>;
}

export interface IndexerOptions {
  readonly store: IndexStore;
  readonly executor: Executor;
  readonly roots: readonly LoadRoot[];
  readonly summation: Summation;
  readonly withDerivedDetails: boolean;
  readonly dataFolder: string;
  /** Name under which the program holds the lease; {@link nameHolder} by default. */
  readonly holder?: string;
  readonly now: () => number;
  /** A scan waits this long for readings, then leaves the rest to run in the background; ms, no limit by default. */
  readonly patienceMs?: number | undefined;
  readonly onStatus: (status: IndexStatus) => void;
}

export class SourceReader implements Executor {
  private readonly store: IndexStore;

  constructor(store: IndexStore) {
    this.store = store;
  }

  run(request: ReadingRequest, onTrials: (n: number) => void): Promise<boolean> {
    switch (request.kind) {
      case "check": {
        const { root, fingerprint, nowMs } = request.task;
        return Promise.resolve(isSourceUnchanged(root, fingerprint, nowMs));
      }
      case "read":
        return this.read(request.task, onTrials);
      case "derived-details":
        return readJobDerivedDetails(this.store, request.task, onTrials);
      case "failures":
        return readJobFailures(this.store, request.task, onTrials);
      case "texts":
        return readJobTexts(this.store, request.task, onTrials);
      case "scans":
        return readJobScans(this.store, request.task, onTrials);
    }
  }

  private async read(task: SourceTask, onTrials: (n: number) => void): Promise<boolean> {
    const report = new ProgressReport(onTrials);
    const content = await readSource(task, report);
    report.tell();
    await hearOfParent();
    const isWritten = await writeSource(this.store, content);
    report.tell();
    return isWritten;
  }
}

async function readSource(
  { sourceId, root, discovered, summation, nowMs }: SourceTask,
  report: ProgressReport,
): Promise<SourceContent> {
  const steps = readJobByTrial({ root, budget: new MemoryBudget(), nowMs }, discovered);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    report.add();
    if (isParentBehind()) await hearOfParent();
  }
  const reading = step.value;
  leaveTrial();
  report.tell();
  // Serialized now, while the least memory is in use.
  const fingerprint = JSON.stringify(describeSource(reading));
  report.tell();
  const jobs = reading.drafts.map((draft) => {
    const entry = verifyDraft(root, draft, draft.job.name, { summation });
    report.tell();
    const bound = boundEntry(entry, root);
    report.tell();
    return prepareContent(dropStated(bound), root.label, summation, () => report.goOn());
  });
  return { sourceId, fingerprint, jobs };
}

/** Drops the recorded values, which are as large as the job. */
function dropStated(entry: JobEntry): JobEntry {
  const { recorded, ...job } = entry.job;
  const groups = recorded?.groups.map((group) => ({ ...group, rewardStats: null, exceptionStats: null }));
  const kept = recorded && { ...recorded, groups: groups ?? [] };
  return { ...entry, job: { ...job, recorded: kept, plan: null, resultBytes: null } };
}
