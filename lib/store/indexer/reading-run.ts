import { StoreError } from "@/lib/core/domain/app-error";
import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { waitFor } from "@/lib/core/domain/wait-for";
import { stampSource } from "@/lib/read/loader";
import { toStoreError } from "@/lib/store/database";
import { markUnfinished } from "@/lib/store/tables";

import type { KnownSource } from "./find-sources";
import { describeFailure } from "./issue-rows";
import { computePace, type IndexStatus } from "./progress";
import type { IndexerOptions } from "./reader";

/** How often pages see the progress of a long reading. */
const PUBLISH_EVERY_MS = 1000;
const REPORT_EVERY_MS = 200;
/** After a long reading, a job is not read again for four times as long. A large running job would keep a core busy. */
const LONG_READING_MS = 2_000;
const PAUSE_SHARE = 4;

interface ReadingRunOptions extends Pick<
  IndexerOptions,
  "store" | "executor" | "summation" | "now" | "patienceMs"
> {
  readonly onProgress: (progress: Partial<IndexStatus>) => void;
  /** Called with every folder that was written to the index or failed. */
  readonly onRead: (source: KnownSource) => Promise<void>;
  /** Called when a background reading ends, so that pages are notified. */
  readonly onLateEnd: () => void;
}

interface Failure {
  readonly issue: LoadIssue;
  /** Stamp of its files before the reading. Null after the first reading, since the files may have been half written. */
  readonly stamp: string | null;
}

/**
 * Reads folders into the index and remembers failures. Slow readings continue in the background, so that changes of other folders
 * are found meanwhile.
 */
export class ReadingRun {
  private readonly options: ReadingRunOptions;
  private readonly failures = new Map<number, Failure>();
  private readonly working = new Map<number, Promise<void>>();
  private readonly pausedUntil = new Map<number, number>();
  private fault: Error | null = null;
  private startedAt = 0;
  private reportedAt = 0;
  private nTrialsRead = 0;
  private nTrialsToRead = 0;

  constructor(options: ReadingRunOptions) {
    this.options = options;
  }

  get isAtWork(): boolean {
    return this.working.size > 0;
  }

  isReading({ id }: KnownSource): boolean {
    return this.working.has(id);
  }

  isPaused({ id }: KnownSource): boolean {
    return this.options.now() < (this.pausedUntil.get(id) ?? 0);
  }

  async settle(): Promise<void> {
    await Promise.all(this.working.values());
  }

  listFailures(): readonly LoadIssue[] {
    return [...this.failures.values()].map(({ issue }) => issue);
  }

  hasFailed({ id }: KnownSource): boolean {
    return this.failures.has(id);
  }

  /** Retries a failed folder only after a change, since it would fail again. */
  mayReadNow({ id, root, discovered }: KnownSource): boolean {
    const stamp = this.failures.get(id)?.stamp ?? null;
    return stamp === null || stamp !== stampSource(root, discovered);
  }

  forget(id: number): void {
    this.failures.delete(id);
    this.pausedUntil.delete(id);
  }

  /**
   * Reads these folders in parallel; settles when all are done, or the rest runs in the background. None of them may be at work.
   *
   * @param publish - called now and then while this waits, never concurrently
   */
  async readAll(sources: readonly KnownSource[], publish: () => Promise<void>): Promise<void> {
    if (sources.length > 0) {
      this.addToRead(sources);
      await markUnfinished(this.options.store);
      await this.start(sources, publish);
    }
    const { fault } = this;
    this.fault = null;
    if (fault !== null) throw fault;
  }

  private addToRead(sources: readonly KnownSource[]): void {
    if (!this.isAtWork) {
      this.startedAt = performance.now();
      this.nTrialsRead = 0;
      this.nTrialsToRead = 0;
    }
    for (const { discovered } of sources) this.nTrialsToRead += discovered.trialFolders.length;
    this.reportedAt = performance.now();
    const { nTrialsRead, nTrialsToRead } = this;
    this.options.onProgress({ phase: "reading", nTrialsRead, nTrialsToRead });
  }

  private async start(sources: readonly KnownSource[], publish: () => Promise<void>): Promise<void> {
    const { patienceMs, onLateEnd } = this.options;
    let isWaitedFor = true;
    let publishedAt = performance.now();
    const telling: { now: Promise<void> | null } = { now: null };
    const tell = async (): Promise<void> => {
      if (!isWaitedFor || performance.now() - publishedAt < PUBLISH_EVERY_MS) return;
      publishedAt = performance.now();
      telling.now ??= publish().finally(() => (telling.now = null));
      await telling.now;
    };
    const all = sources.map((source) => {
      const work = this.readOne(source, tell)
        .catch((error: unknown) => (this.fault ??= error instanceof Error ? error : new Error(String(error))))
        .then(() => {
          this.working.delete(source.id);
          if (!isWaitedFor) onLateEnd();
        });
      this.working.set(source.id, work);
      return work;
    });
    const done = Promise.all(all);
    await (patienceMs === undefined ? done : waitFor(done, patienceMs));
    isWaitedFor = false;
    // Calls must not overlap.
    await telling.now;
  }

  private async readOne(source: KnownSource, tell: () => Promise<void>): Promise<void> {
    const { store, executor, summation, now, onRead } = this.options;
    const { id, root, discovered } = source;
    const stamp = this.hasFailed(source) ? stampSource(root, discovered) : null;
    const task = { sourceId: id, root, discovered, summation, nowMs: now() };
    // The first progress, since a reading may wait for others before it begins.
    let beganAt = Number.NaN;
    const onTrials = (n: number) => {
      if (Number.isNaN(beganAt)) beganAt = now();
      this.onTrials(n);
    };
    try {
      await executor.run({ kind: "read", task }, onTrials);
      this.failures.delete(id);
    } catch (error) {
      if (toStoreError(error, store.target) instanceof StoreError) throw error;
      this.failures.set(id, { issue: describeFailure(root, discovered.folder, error), stamp });
    }
    const readMs = now() - beganAt;
    if (readMs > LONG_READING_MS) this.pausedUntil.set(id, now() + PAUSE_SHARE * readMs);
    await onRead(source);
    await tell();
  }

  private onTrials(n: number): void {
    this.nTrialsRead += n;
    const at = performance.now();
    if (at - this.reportedAt < REPORT_EVERY_MS) return;
    this.reportedAt = at;
    const { nTrialsRead, nTrialsToRead, startedAt } = this;
    this.options.onProgress({ nTrialsRead, ...computePace(nTrialsRead, nTrialsToRead, at - startedAt) });
  }
}
