import { type FSWatcher, existsSync, watch } from "node:fs";

import type { Indexer } from "./indexer";

/** Minimum pause between full scans in ms, longer for slow scans. */
const PAUSE_MS = 2000;
/** Scans of large trees take at most 1/20 of the time. */
const PAUSE_SHARE = 20;
/** How long pages count as viewed after the last request. */
const ATTENTION_MS = 20_000;
/** Writes come in bursts, which are read once. */
const GATHER_MS = 120;

export type Scanner = Pick<Indexer, "scan" | "scanMs" | "listWatchedFolders">;

export interface Clock {
  readonly now: () => number;
  /** Runs `run` once after `ms` unless cancelled by the returned function. Does not keep the process alive. */
  readonly after: (ms: number, run: () => void) => () => void;
}

const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Decides when to scan: at once on a file system event, and periodically for missed changes (deep inside a trial, on network
 * disks, too many folders). Never while no page is viewed.
 */
export class CurrentKeeper {
  private readonly scanner: Scanner;
  private readonly clock: Clock;
  private readonly watch: FolderWatch;
  private readonly changed = new Set<string>();
  private cancel: (() => void) | null = null;
  private askedAt = Number.NEGATIVE_INFINITY;
  private scanAt = Number.NEGATIVE_INFINITY;
  private scanning: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    scanner: Scanner,
    clock: Clock = SYSTEM_CLOCK,
    watch?: ConstructorParameters<typeof FolderWatch>[1],
  ) {
    this.scanner = scanner;
    this.clock = clock;
    this.watch = new FolderWatch((folder) => {
      this.changed.add(folder);
      // Brings a later scan forward.
      if (this.changed.size === 1) this.stopWaiting();
      this.schedule();
    }, watch);
  }

  /** Settles once the folders' state is known, which is at once unless a scan is due. */
  async scanIfDue(): Promise<void> {
    this.askedAt = this.clock.now();
    if (this.scanning === null && (this.changed.size > 0 || this.askedAt >= this.scanAt)) this.scan();
    else this.schedule();
    await this.scanning;
  }

  async refresh(): Promise<void> {
    await this.scanning;
    this.scanAt = Number.NEGATIVE_INFINITY;
    this.scan(true);
    await this.scanning;
  }

  close(): void {
    this.isClosed = true;
    this.stopWaiting();
    this.watch.close();
  }

  private stopWaiting(): void {
    this.cancel?.();
    this.cancel = null;
  }

  private schedule(): void {
    if (this.cancel !== null || this.scanning !== null || this.isClosed) return;
    if (!this.isWatched()) return;
    const wait = this.changed.size > 0 ? GATHER_MS : Math.max(0, this.scanAt - this.clock.now());
    this.cancel = this.clock.after(wait, () => {
      this.cancel = null;
      if (this.scanning === null && this.isWatched()) this.scan();
    });
  }

  private isWatched(): boolean {
    return this.clock.now() <= this.askedAt + ATTENTION_MS;
  }

  private scan(isRetry = false): void {
    this.stopWaiting();
    const isDue = this.clock.now() >= this.scanAt;
    const scope = isRetry ? "retry" : isDue ? "all" : new Set(this.changed);
    this.changed.clear();
    this.scanning = this.scanner.scan(scope).finally(() => {
      this.scanning = null;
      if (this.isClosed) return;
      if (isDue) this.scanAt = this.clock.now() + Math.max(PAUSE_MS, PAUSE_SHARE * this.scanner.scanMs);
      this.watch.update(this.scanner.listWatchedFolders());
      this.schedule();
    });
  }
}

/** Each watch costs system memory; polling covers other folders. */
const MOST_FOLDERS = 4_000;

/** Calls back with every change of a folder's entries. @throws the system's error when it cannot be watched */
type WatchFolder = (folder: string, onEvent: () => void) => Pick<FSWatcher, "close" | "on">;

const watchBySystem: WatchFolder = (folder, onEvent) => watch(folder, { persistent: false }, onEvent);

/** Watches folder entries. Not recursive: that fails silently on large trees. */
export class FolderWatch {
  private readonly watchers = new Map<string, ReturnType<WatchFolder>>();
  private readonly onChange: (folder: string) => void;
  private readonly watchFolder: WatchFolder;
  private isExhausted = false;

  constructor(onChange: (folder: string) => void, watchFolder: WatchFolder = watchBySystem) {
    this.onChange = onChange;
    this.watchFolder = watchFolder;
  }

  update(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, MOST_FOLDERS));
    for (const folder of this.watchers.keys()) if (!wanted.has(folder)) this.drop(folder);
    for (const folder of wanted) if (!this.watchers.has(folder) && !this.isExhausted) this.add(folder);
  }

  close(): void {
    for (const folder of this.watchers.keys()) this.drop(folder);
  }

  private drop(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  private add(folder: string): void {
    try {
      const watcher = this.watchFolder(folder, () => {
        // A folder that returns under its name is another folder, which needs a new watch.
        if (!existsSync(folder)) this.drop(folder);
        this.onChange(folder);
      });
      watcher.on("error", () => this.drop(folder));
      this.watchers.set(folder, watcher);
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
      // A system limit: trying the other folders would only cost time.
      this.isExhausted = error.code === "ENOSPC" || error.code === "EMFILE";
    }
  }
}
