import { type FSWatcher, watch } from "node:fs";

/** Folders watched at most: each costs the system memory, and polling sees the others. */
const MOST_FOLDERS = 4_000;

/** Watches folders for entries that come, go or are rewritten. Not recursive: that fails without a word on large trees. */
export class FolderWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly onChange: (folder: string) => void;
  private isExhausted = false;

  constructor(onChange: (folder: string) => void) {
    this.onChange = onChange;
  }

  /** Watches these folders and no others. A folder that cannot be watched is left to polling. */
  update(folders: readonly string[]): void {
    const wanted = new Set(folders.slice(0, MOST_FOLDERS));
    for (const [folder, watcher] of this.watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
    for (const folder of wanted) if (!this.watchers.has(folder) && !this.isExhausted) this.add(folder);
  }

  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private add(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.onChange(folder));
      watcher.on("error", () => {
        watcher.close();
        this.watchers.delete(folder);
      });
      this.watchers.set(folder, watcher);
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
      // The system's own limit: asking again for each of the others would only cost time.
      this.isExhausted = error.code === "ENOSPC" || error.code === "EMFILE";
    }
  }
}
