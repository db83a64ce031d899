import type { Indexer } from "./indexer";
import { FolderWatch } from "./watch-folders";

/** Two looks at everything are at least this far apart, and farther where looking takes long. */
const PAUSE_MS = 2000;
/** Looking at large trees takes at most one part in this many of the time. */
const PAUSE_SHARE = 20;
/** How long after the last look somebody still counts as looking. */
const ATTENTION_MS = 20_000;
/** Writes come in bursts; what they change is read once. */
const GATHER_MS = 120;

/**
 * Decides when an indexer looks at its folders: at once when the system tells of a change, every now and then in case it
 * does not (changes deep inside a trial, network disks, too many folders to watch), and not at all while nobody looks.
 */
export class CurrentKeeper {
  private readonly indexer: Indexer;
  private readonly watch: FolderWatch;
  private readonly changed = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private scanAt = 0;
  private scanning: Promise<void> | null = null;

  constructor(indexer: Indexer) {
    this.indexer = indexer;
    this.watch = new FolderWatch((folder) => {
      this.changed.add(folder);
      if (this.changed.size === 1 && this.timer !== null) {
        clearTimeout(this.timer);
        this.timer = null;
      }
      this.schedule();
    });
  }

  /** Somebody looks: settles once what the folders hold is known, which is at once unless a look at them is due. */
  async look(): Promise<void> {
    this.lookedAt = performance.now();
    if (this.scanning === null && (this.changed.size > 0 || performance.now() >= this.scanAt)) this.scan();
    else this.schedule();
    await this.scanning;
  }

  /** Looks at everything now. */
  async refresh(): Promise<void> {
    await this.scanning;
    this.scanAt = 0;
    this.scan();
    await this.scanning;
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.lookedAt = Number.NEGATIVE_INFINITY;
    this.watch.close();
  }

  private schedule(): void {
    if (this.timer !== null || this.scanning !== null) return;
    const now = performance.now();
    if (now > this.lookedAt + ATTENTION_MS) return;
    const wait = this.changed.size > 0 ? GATHER_MS : Math.max(0, this.scanAt - now);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (this.scanning === null) this.scan();
    }, wait).unref();
  }

  private scan(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const startedAt = performance.now();
    const isDue = startedAt >= this.scanAt;
    const scope = isDue ? "all" : new Set(this.changed);
    this.changed.clear();
    this.scanning = this.indexer.scan(scope).finally(() => {
      this.scanning = null;
      const endedAt = performance.now();
      if (isDue) this.scanAt = endedAt + Math.max(PAUSE_MS, PAUSE_SHARE * (endedAt - startedAt));
      this.watch.update(this.indexer.listWatchedFolders());
      this.schedule();
    });
  }
}
