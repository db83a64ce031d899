import { toStoreError } from "@/lib/database";
import { StoreError } from "@/lib/domain/app-error";
import type { LoadIssue } from "@/lib/domain/load-issue";
import { stampSource } from "@/lib/loader";
import type { Summation } from "@/lib/scoring";
import { type IndexStore, markUnfinished } from "@/lib/store";

import { describeFailure } from "./describe-failure";
import type { Executor } from "./executor";
import type { KnownSource } from "./find-sources";
import { computePace, type IndexStatus } from "./progress";

/** How often pages see what a long reading has got so far. */
const PUBLISH_EVERY_MS = 1000;
const REPORT_EVERY_MS = 200;

/** What reading folders needs. */
export interface ReadingRunOptions {
  readonly store: IndexStore;
  readonly executor: Executor;
  readonly summation: Summation;
  /** The clock; milliseconds since 1970-01-01. */
  readonly now: () => number;
  readonly onProgress: (progress: Partial<IndexStatus>) => void;
  /** Called with every folder once the index has what was read of it, or its reading failed. */
  readonly onRead: (source: KnownSource) => Promise<void>;
}

/** A folder whose reading failed for a reason of ours. */
interface Failure {
  readonly issue: LoadIssue;
  /** What its files were before the reading; null after the first one, since they may have been half written. */
  readonly stamp: string | null;
}

/** Reads folders into the index, and remembers those whose reading failed. */
export class ReadingRun {
  private readonly options: ReadingRunOptions;
  private readonly failures = new Map<number, Failure>();

  constructor(options: ReadingRunOptions) {
    this.options = options;
  }

  /** Issues of the folders whose last reading failed. */
  listFailures(): readonly LoadIssue[] {
    return [...this.failures.values()].map(({ issue }) => issue);
  }

  /** Whether the last reading of a source failed. */
  hasFailed({ id }: KnownSource): boolean {
    return this.failures.has(id);
  }

  /** Whether a folder whose reading failed may go better now: what failed once fails again while nothing changes. */
  mayReadNow({ id, root, discovered }: KnownSource): boolean {
    const stamp = this.failures.get(id)?.stamp ?? null;
    return stamp === null || stamp !== stampSource(root, discovered);
  }

  /** A source is gone, and what failed of it. */
  forget(id: number): void {
    this.failures.delete(id);
  }

  /**
   * Reads these folders side by side; settles when none is at work any more.
   *
   * @param publish - called now and then while the reading lasts, never twice at the same time
   * @throws StoreError when the index cannot be written
   */
  async readAll(sources: readonly KnownSource[], publish: () => Promise<void>): Promise<void> {
    if (sources.length === 0) return;
    const { store, onProgress, onRead } = this.options;
    const startedAt = performance.now();
    let publishedAt = startedAt;
    let reportedAt = startedAt;
    let publishing: Promise<void> | null = null;
    let nTrialsRead = 0;
    const nTrialsToRead = sources.reduce((sum, { discovered }) => sum + discovered.trialFolders.length, 0);
    onProgress({ phase: "reading", nTrialsRead, nTrialsToRead });
    await markUnfinished(store);
    const onTrials = (n: number) => {
      nTrialsRead += n;
      const at = performance.now();
      if (at - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = at;
      onProgress({ nTrialsRead, ...computePace(nTrialsRead, nTrialsToRead, at - startedAt) });
    };
    await settleAll(
      sources.map(async (source) => {
        await this.read(source, onTrials);
        await onRead(source);
        if (performance.now() - publishedAt < PUBLISH_EVERY_MS) return;
        publishedAt = performance.now();
        publishing ??= publish().finally(() => (publishing = null));
        await publishing;
      }),
    );
  }

  private async read(source: KnownSource, onTrials: (n: number) => void): Promise<void> {
    const { store, executor, summation, now } = this.options;
    const { id, root, discovered } = source;
    const stamp = this.hasFailed(source) ? stampSource(root, discovered) : null;
    try {
      await executor.read({ sourceId: id, root, discovered, summation, nowMs: now() }, onTrials);
      this.failures.delete(id);
    } catch (error) {
      if (toStoreError(error, store.target) instanceof StoreError) throw error;
      this.failures.set(id, { issue: describeFailure(root, discovered.folder, error), stamp });
    }
  }
}

/** Like Promise.all, but nothing is still at work when it rejects. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
