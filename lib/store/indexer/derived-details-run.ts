import { StoreError } from "@/lib/core/domain/app-error";
import type { LoadRoot } from "@/lib/read/loader";
import {
  fingerprintScanners,
  prepareScannerSet,
  readOwnScanners,
  type ScannerSource,
} from "@/lib/read/scanners";
import { toStoreError } from "@/lib/store/database";
import {
  countPendingTrials,
  finishFailures,
  finishScans,
  finishTexts,
  type IndexStore,
  type LateReading,
  markUnclassified,
  nextGeneration,
  type PendingJob,
  readPendingJob,
  readScannerSetFingerprint,
  writeScannerSet,
} from "@/lib/store/tables";

import type { FailureRules } from "./failure-rules";
import { describeFailure, describeUnclassified, prepareIssueRows } from "./issue-rows";
import type { IndexStatus } from "./progress";
import { type DerivedDetailsTask, failJobDerivedDetails } from "./read-derived-details";
import type { Executor, ReadingRequest } from "./reader";

/** How often pages see derived details during a long reading. */
const PUBLISH_EVERY_MS = 1000;
/** The same for texts and scans, which fewer pages show, and for failure classes, which are recounted over all trials. */
const TELL_EVERY_MS = 5000;
const READINGS: readonly LateReading[] = ["hasDerivedDetails", "failureRules", "hasTexts", "hasScans"];
const QUIET_READINGS = READINGS.slice(0, 2);
/** Up to this many trials are read before the scan ends, so that pages of small folders never show partial data. */
const FEW_TRIALS = 1_000;
const NONE: ReadonlySet<number> = new Set();

interface DerivedDetailsRunOptions {
  readonly store: IndexStore;
  readonly executor: Executor;
  readonly roots: readonly LoadRoot[];
  readonly rules: FailureRules;
  readonly dataFolder: string;
  readonly mayWrite: () => Promise<boolean>;
  readonly onProgress: (progress: Partial<IndexStatus>) => void;
}

/**
 * Reads derived details, then failure classes, searched texts and scans, after all results. One job at a time, so that pages keep
 * a processor; scans of folders interrupt it between jobs. A job that cannot be read gets an issue and is skipped until it is read
 * again.
 */
export class DerivedDetailsRun {
  private readonly options: DerivedDetailsRunOptions;
  private readonly first = new Set<number>();
  private readonly failed = new Set<number>();
  private ownScanners: readonly ScannerSource[] = [];
  private working: Promise<void> | null = null;
  private publishing: Promise<void> | null = null;
  private isStopped = true;
  /** True if the caller notifies pages. */
  private isQuiet = false;
  private isUnpublished = false;

  constructor(options: DerivedDetailsRunOptions) {
    this.options = options;
  }

  prioritise(jobRowId: number): void {
    this.first.add(jobRowId);
  }

  start(): void {
    this.isStopped = false;
    this.isQuiet = false;
    this.continue();
  }

  /** Reads what is left if that is little. @returns true if pages must be notified */
  async readFew(): Promise<boolean> {
    const { store, rules } = this.options;
    const n = Math.max(
      await countPendingTrials(store, "hasDerivedDetails", this.failed),
      await countPendingTrials(store, "failureRules", new Set(), rules.set.version),
    );
    if (n > 0 && n <= FEW_TRIALS) {
      this.isStopped = false;
      this.isQuiet = true;
      this.continue();
      await this.working;
    }
    return this.isUnpublished;
  }

  markPublished(): void {
    this.isUnpublished = false;
  }

  /** Starts no job and writes no generation after this; finishes the job in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    // If it failed, the work has ended too, and the next scan meets the same fault.
    await this.publishing?.catch(() => undefined);
  }

  async settle(): Promise<void> {
    while (this.working !== null) await this.working;
  }

  private continue(): void {
    this.working ??= this.work()
      // The next scan meets the same fault and reports it.
      .catch(() => (this.isStopped = true))
      .then((isDone) => {
        this.working = null;
        // Restarted after it saw that it was to stop.
        if (!isDone && !this.isStopped) this.continue();
      });
  }

  /** @returns false when it was stopped before the end */
  private async work(): Promise<boolean> {
    const { store, roots, mayWrite, onProgress } = this.options;
    const nDerivedDetailsToRead = await countPendingTrials(store, "hasDerivedDetails", this.failed);
    let nDerivedDetailsRead = 0;
    let publishedAt = performance.now();
    let areScannersKnown = false;
    let areRulesKnown = false;
    let before: LateReading | null = null;
    const onTrials = (n: number) => {
      nDerivedDetailsRead += n;
      onProgress({
        nDerivedDetailsRead,
        nDerivedDetailsToRead: Math.max(nDerivedDetailsRead, nDerivedDetailsToRead),
      });
    };
    try {
      for (;;) {
        if (this.isStopped) return false;
        if (!(await mayWrite())) return true;
        if (!this.isQuiet && !areScannersKnown) await this.updateScanners();
        areScannersKnown ||= !this.isQuiet;
        if (!areRulesKnown) await this.updateRules();
        areRulesKnown = true;
        const next = await this.findNext();
        const root = next === null ? undefined : roots[next.job.root];
        if (next === null || root === undefined) break;
        if (isDue(before, next.reading, performance.now() - publishedAt)) {
          publishedAt = performance.now();
          await this.publish();
        }
        await this.read({ root, job: next.job }, next.reading, onTrials);
        this.isUnpublished = true;
        before = next.reading;
      }
      await this.publish();
      return true;
    } finally {
      if (nDerivedDetailsToRead > 0) onProgress({ nDerivedDetailsRead: 0, nDerivedDetailsToRead: 0 });
    }
  }

  /** Order: all derived details, then failure classes, texts, and scans last. */
  private async findNext(): Promise<{ readonly job: PendingJob; readonly reading: LateReading } | null> {
    const { store, rules } = this.options;
    for (const reading of this.isQuiet ? QUIET_READINGS : READINGS) {
      const except = reading === "hasDerivedDetails" ? this.failed : NONE;
      const job = await readPendingJob(store, reading, this.first, except, rules.set.version);
      if (job !== null) return { job, reading };
    }
    return null;
  }

  private async read(
    task: DerivedDetailsTask,
    reading: LateReading,
    onTrials: (n: number) => void,
  ): Promise<void> {
    const { store, executor, rules } = this.options;
    const requests: Readonly<Record<LateReading, ReadingRequest>> = {
      hasDerivedDetails: { kind: "derived-details", task },
      failureRules: { kind: "failures", task: { ...task, rules: rules.set } },
      hasTexts: { kind: "texts", task },
      hasScans: { kind: "scans", task: { ...task, own: this.ownScanners } },
    };
    // Search pages show the progress of the other readings.
    const tell = reading === "hasDerivedDetails" ? onTrials : this.publishNowAndThen();
    try {
      await executor.run(requests[reading], tell);
    } catch (error) {
      if (toStoreError(error, store.target) instanceof StoreError) throw error;
      await this.fail(task, reading, error);
    }
  }

  private publishNowAndThen(): () => void {
    let publishedAt = performance.now();
    return () => {
      if (performance.now() - publishedAt < TELL_EVERY_MS) return;
      publishedAt = performance.now();
      this.isUnpublished = true;
      void this.publish().catch(() => undefined);
    };
  }

  /** Keeps what was read before the failure: it identifies trials, and the rest counts as unclassified. */
  private async fail(task: DerivedDetailsTask, reading: LateReading, error: unknown): Promise<void> {
    const { store, rules } = this.options;
    const { root, job } = task;
    if (reading === "hasDerivedDetails") {
      this.failed.add(job.version);
      await failJobDerivedDetails(store, task, describeFailure(root, job.folder, error));
    } else if (reading === "failureRules") {
      const issue = describeUnclassified(root, job.folder, error);
      const scope = { root, folder: job.folder, trials: [], origin: "failures" as const };
      await finishFailures(store, job, rules.set.version, prepareIssueRows([issue], scope));
    } else if (reading === "hasTexts") await finishTexts(store, job);
    else await finishScans(store, job, () => []);
  }

  private async updateScanners(): Promise<void> {
    const { store, dataFolder } = this.options;
    const own = readOwnScanners(dataFolder);
    const fingerprint = fingerprintScanners(own);
    this.ownScanners = own;
    if (fingerprint === (await readScannerSetFingerprint(store))) return;
    await writeScannerSet(store, prepareScannerSet(own));
  }

  private async updateRules(): Promise<void> {
    const { store, rules } = this.options;
    if (!(await markUnclassified(store, rules.set.version))) return;
    this.isUnpublished = true;
    await this.publish();
  }

  private async publish(): Promise<void> {
    if (this.isStopped || this.isQuiet || !this.isUnpublished) return;
    this.isUnpublished = false;
    const write = async () =>
      this.options.onProgress({ generation: await nextGeneration(this.options.store) });
    this.publishing = write();
    await this.publishing;
  }
}

/** True if pages are notified before the next job: the end of a kind of reading is not delayed by the next kind. */
function isDue(before: LateReading | null, next: LateReading, sinceMs: number): boolean {
  if (before === null) return false;
  return before !== next || sinceMs >= (before === "hasDerivedDetails" ? PUBLISH_EVERY_MS : TELL_EVERY_MS);
}
