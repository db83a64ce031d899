import type { FileVersion, SetAsideFile } from "@/lib/loader/large-files";

import type { EndCause } from "./limited-process";

/** Files that are remembered. With one more the oldest is forgotten, and tried again by whoever reads it next. */
export const MOST_FILES = 1_000;

/** The files that ended processes, each in the version that did. */
export class SetAsideFiles {
  /** By path; `cost` is null of those that are still read. */
  private readonly files = new Map<string, FileVersion & { readonly cost: string | null }>();

  /** Those that are not to be read, oldest first. */
  list(): readonly SetAsideFile[] {
    return [...this.files.values()].filter((file): file is SetAsideFile => file.cost !== null);
  }

  /**
   * Takes note of a file that a process was at when it ended, and returns whether it is set aside: at once where it used up
   * memory or time, the second time otherwise.
   */
  add(
    file: FileVersion,
    cause: EndCause,
    limits: { readonly memoryMb: number; readonly fileMs: number },
  ): boolean {
    const isFirst = this.files.get(file.path)?.stamp !== file.stamp;
    const costs: Readonly<Record<EndCause, string | null>> = {
      memory: `more than ${limits.memoryMb.toLocaleString("en-US")} MiB of memory`,
      time: `more than ${limits.fileMs / 1000} s`,
      unknown: isFirst ? null : "down the process that read it, twice",
    };
    const cost = costs[cause];
    this.files.delete(file.path);
    this.files.set(file.path, { ...file, cost });
    const [oldest] = this.files.keys();
    if (this.files.size > MOST_FILES && oldest !== undefined) this.files.delete(oldest);
    return cost !== null;
  }
}
