import { type FSWatcher, existsSync, watch } from "node:fs";

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
