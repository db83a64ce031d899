import { hostname } from "node:os";
import { join } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { toStoreError } from "@/lib/store/database";
import {
  LEASE_MS,
  addSource,
  deleteSources,
  forgetDerivedDetails,
  markIndexDamaged,
  markUnfinished,
  readIndexState,
  readRootIssues,
  returnLease,
  takeLease,
  writeScanTime,
} from "@/lib/store/tables";

import { DerivedDetailsRun, FailureRules, RULES_FILE } from "./derived-details-run";
import { FolderFinder, type FoundSources, type KnownSource } from "./find-sources";
import { prepareFoundSource } from "./prepare-content";
import { type IndexStatus, NO_STATUS } from "./progress";
import { publish } from "./publish";
import type { IndexerOptions } from "./reader";
import { ReadingRun } from "./reading-run";

/** `onTaken` is called after another program held the lease: the known index state may be outdated. */
type LeaseOptions = Required<Pick<IndexerOptions, "store" | "holder" | "now">> & {
  readonly onTaken: () => void;
};

/**
 * `all`: everything. `retry`: everything, including unchanged folders whose reading failed. A set: what is in or above these
 * folders (absolute paths).
 */
export type ScanScope = "all" | "retry" | ReadonlySet<string>;

/**
 * Keeps the index of some folders up to date: finds changed jobs, has them read, and publishes generations. Scans run one at a
 * time; a request during a scan starts another after it.
 */
export class Indexer {
  status: IndexStatus = NO_STATUS;
  /** Duration of the last search for changes, without reading; ms. */
  scanMs = 0;
  private readonly options: IndexerOptions;
  private readonly finder: FolderFinder;
  private readonly reading: ReadingRun;
  private readonly derivedDetails: DerivedDetailsRun;
  private readonly rules: FailureRules;
  private readonly lease: LeaseKeeper;
  private rootIssueText: string | null = null;
  private isMarked = false;
  private isTelling = false;
  private running: Promise<void> = Promise.resolve();

  constructor(options: IndexerOptions) {
    this.options = options;
    const { store, executor, roots, now } = options;
    this.lease = new LeaseKeeper({
      store,
      holder: options.holder ?? nameHolder(),
      now,
      onTaken: () => this.forget(),
    });
    this.finder = new FolderFinder(roots);
    const onProgress = (progress: Partial<IndexStatus>) => this.report(progress);
    this.reading = new ReadingRun({
      ...options,
      onProgress,
      onRead: ({ id }) => this.finder.reload(store, id),
      onLateEnd: () => this.tellLateEnd(),
    });
    this.rules = new FailureRules(join(options.dataFolder, RULES_FILE));
    this.derivedDetails = new DerivedDetailsRun({
      store,
      executor,
      roots,
      rules: this.rules,
      dataFolder: options.dataFolder,
      mayWrite: () => this.lease.take(),
      onProgress,
    });
  }

  listWatchedFolders(): readonly string[] {
    return this.finder.listWatchedFolders();
  }

  /**
   * Scans the folders; settles when the index is current, or `status.failure` is set. A folder that takes longer than `patienceMs`
   * is skipped by this and later scans until it is read.
   */
  scan(scope: ScanScope = "all"): Promise<void> {
    const next = this.running.then(() => this.scanOnce(scope));
    this.running = next;
    return next;
  }

  prioritise(jobRowId: number): void {
    this.derivedDetails.prioritise(jobRowId);
  }

  /** Rereads all derived details at the next scan. No stamp detects an analysis written long after its result. */
  async forgetDerivedDetails(): Promise<void> {
    await this.running;
    if (await this.lease.take()) await forgetDerivedDetails(this.options.store);
  }

  async settle(): Promise<void> {
    let last: Promise<void>;
    do {
      last = this.running;
      await last;
      await this.reading.settle();
      await this.derivedDetails.settle();
      // A scan that began meanwhile may have found more.
    } while (last !== this.running || this.reading.isAtWork);
  }

  async release(): Promise<void> {
    await this.lease.release(() => this.derivedDetails.stop());
  }

  /** Runs a scan that finds nothing to read, and so publishes what was read. */
  private tellLateEnd(): void {
    if (this.isTelling || this.lease.isReleased) return;
    this.isTelling = true;
    void this.scan(new Set());
  }

  private async scanOnce(scope: ScanScope): Promise<void> {
    const hasNews = this.isTelling;
    this.isTelling = false;
    this.lease.hold();
    try {
      await this.derivedDetails.stop();
      if (await this.lease.take()) {
        await this.update(scope, hasNews);
        if (this.options.withDerivedDetails) this.derivedDetails.start();
      } else await this.follow();
    } catch (thrown) {
      const error = toStoreError(thrown, this.options.store.target);
      // The store may be behind the known state.
      this.forget();
      this.report({ phase: "failed", failure: this.describeFault(error), ...NO_PACE });
    } finally {
      if (!this.reading.isAtWork || this.lease.isReleased) this.lease.stopHolding();
    }
  }

  /** Another program writes; only its publications are shown. */
  private async follow(): Promise<void> {
    this.scanMs = 0;
    const { isFinished: _, ...state } = await readIndexState(this.options.store);
    this.forget();
    this.report({ ...state, phase: "following", isComplete: state.scannedAtMs > 0, failure: null });
  }

  private forget(): void {
    this.finder.forget();
    this.rootIssueText = null;
  }

  private async update(scope: ScanScope, hasNews: boolean): Promise<void> {
    const { store, withDerivedDetails } = this.options;
    await this.finder.loadOnce(store);
    const { isFinished, ...state } = await readIndexState(store);
    this.reportScan({ ...state, phase: "finding", nTrialsRead: 0, nTrialsToRead: 0, ...NO_PACE });
    const findingAt = performance.now();
    const { added, gone, known, issues: found } = this.finder.find();
    const issues = [...found, ...this.rules.read()];
    const foundMs = performance.now() - findingAt;
    const { listed, hasChanged } = await this.list({ added, gone, issues }, state.generation === 0);
    this.reportScan({ phase: "checking" });
    const checkingAt = performance.now();
    const changed = [...listed, ...(await this.findChanged(known, scope))];
    this.scanMs = foundMs + performance.now() - checkingAt;
    await this.reading.readAll(changed, () => this.publish(issues, false));
    const isFound = withDerivedDetails && (await this.derivedDetails.readFew());
    const isDone = !this.reading.isAtWork;
    const isStale = hasNews || changed.length > 0 || hasChanged || isFound || (isDone && !isFinished);
    if (isStale) await this.publish(issues, isDone);
    else await writeScanTime(store, this.options.now());
    const { generation, scannedAtMs } = await readIndexState(store);
    const done = isDone ? { phase: "current" as const, isComplete: true, ...NO_PACE } : {};
    this.report({ phase: "reading", generation, scannedAtMs, failure: null, ...done });
  }

  /** Lists found sources in the index, since the jobs list is useful before trials are read. @returns the new sources */
  private async list({ added, gone, issues }: Omit<FoundSources, "known">, isFirst: boolean) {
    const { store, roots } = this.options;
    const isOther = added.length > 0 || gone.length > 0 || (isFirst && roots.length > 0);
    if (isOther) await markUnfinished(store);
    const idsGone = gone.map(({ id }) => id);
    await deleteSources(store, idsGone);
    for (const id of idsGone) this.reading.forget(id);
    const listed: KnownSource[] = [];
    for (const { root, discovered } of added) {
      const id = await addSource(store, prepareFoundSource(root, discovered));
      listed.push(this.finder.add(id, root, discovered));
    }
    const rootIssues = [...issues, ...this.reading.listFailures()];
    this.rootIssueText ??= JSON.stringify(await readRootIssues(store));
    const hasChanged = isOther || JSON.stringify(rootIssues) !== this.rootIssueText;
    if (hasChanged) await this.publish(issues, false);
    return { listed, hasChanged };
  }

  /** Reports a scan only while no folder is read, since reading progress matters more. */
  private reportScan(change: Partial<IndexStatus>): void {
    if (!this.reading.isAtWork) this.report(change);
  }

  private async publish(issues: readonly LoadIssue[], isFinished: boolean): Promise<void> {
    const { store, roots, now } = this.options;
    // Another program took over, for example while this machine slept, and publishes itself.
    if (!(await this.lease.take())) return;
    const rootIssues = [...issues, ...this.reading.listFailures()];
    const generation = await publish(store, {
      roots,
      rootIssues,
      scannedAtMs: now(),
      isFinished,
    });
    this.rootIssueText = JSON.stringify(rootIssues);
    this.derivedDetails.markPublished();
    this.report({ generation });
  }

  private async findChanged(
    known: readonly KnownSource[],
    scope: ScanScope,
  ): Promise<readonly KnownSource[]> {
    const { executor, now } = this.options;
    const verdicts = await Promise.all(
      known.map(async (source) => {
        if (this.reading.isReading(source)) return false;
        if (this.reading.hasFailed(source)) return scope === "retry" || this.reading.mayReadNow(source);
        if (scope !== "retry" && this.reading.isPaused(source)) return false;
        if (source.fingerprint === null || source.hasNewFolders) return true;
        if (typeof scope !== "string" && !scope.has(source.path)) return false;
        const { root, fingerprint } = source;
        const task = { root, fingerprint, nowMs: now() };
        return !(await executor.run({ kind: "check", task }, () => undefined));
      }),
    );
    return known.filter((_, index) => verdicts[index]);
  }

  private describeFault(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    if (!(error instanceof StoreError))
      return `Scanning the folders failed (${reason}). This is a bug in Assay.`;
    const { target } = this.options.store;
    if (error.code !== "store_corrupt" || target.engine === "postgres") return reason;
    // Only once: another start may have created a new index by now.
    if (!this.isMarked) markIndexDamaged(target);
    this.isMarked = true;
    return `The index ${target.file} is damaged. Start Assay again to rebuild it from the folders.`;
  }

  private report(change: Partial<IndexStatus>): void {
    this.status = { ...this.status, ...change };
    this.options.onStatus(this.status);
  }
}

const NO_PACE = { rate: null, secondsLeft: null } as const;

class LeaseKeeper {
  isReleased = false;
  private readonly options: LeaseOptions;
  private renewal: NodeJS.Timeout | null = null;

  constructor(options: LeaseOptions) {
    this.options = options;
  }

  async take(): Promise<boolean> {
    const { store, holder, now, onTaken } = this.options;
    const state = await takeLease(store, holder, now(), isDeadHolder);
    if (state === "taken") onTaken();
    return state !== "other";
  }

  /** Renews the lease until {@link stopHolding}, since a scan or reading may outlast it. */
  hold(): void {
    const renew = () => void this.take().catch(() => undefined);
    this.renewal ??= setInterval(renew, LEASE_MS / 3).unref();
  }

  stopHolding(): void {
    if (this.renewal !== null) clearInterval(this.renewal);
    this.renewal = null;
  }

  async release(stopWork: () => Promise<void>): Promise<void> {
    this.isReleased = true;
    this.stopHolding();
    await stopWork();
    await returnLease(this.options.store, this.options.holder);
  }
}

export function nameHolder(): string {
  return `${hostname()}:${process.pid}`;
}

function isDeadHolder(holder: string): boolean {
  const at = holder.lastIndexOf(":");
  const pid = Number(holder.slice(at + 1));
  if (holder.slice(0, at) !== hostname() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
