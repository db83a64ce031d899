import type { FileVersion, SetAsideFile } from "@/lib/loader/large-files";

import type { ProcessEnd } from "./limited-process";

/** Files that are remembered; more than anybody has. */
const MOST_FILES = 1_000;

/** The files that ended processes, each in the version that did. */
export class SetAsideFiles {
  private readonly files = new Map<string, SetAsideFile>();
  private readonly suspects = new Set<string>();

  /** All of them, oldest first. */
  list(): readonly SetAsideFile[] {
    return [...this.files.values()];
  }

  /**
   * Takes note of a file that a process was at when it ended. One that used up memory or time is set aside; without a cause only
   * the second time, since the first process may have been ended by anybody.
   *
   * @param limits - MiB of heap and milliseconds a file that the process had
   */
  add(
    file: FileVersion,
    cause: ProcessEnd["cause"],
    limits: { readonly memoryMb: number; readonly fileMs: number },
  ): void {
    const name = `${file.stamp} ${file.path}`;
    if (cause === "unknown" && !this.suspects.has(name)) {
      this.suspects.add(name);
      return;
    }
    this.suspects.delete(name);
    const costs: Readonly<Record<ProcessEnd["cause"], string>> = {
      memory: `more than ${limits.memoryMb.toLocaleString("en-US")} MiB of memory`,
      time: `more than ${limits.fileMs / 1000} s`,
      unknown: "down the process that read it, twice",
    };
    this.files.set(file.path, { ...file, cost: costs[cause] });
    const [oldest] = this.files.keys();
    if (this.files.size > MOST_FILES && oldest !== undefined) this.files.delete(oldest);
  }
}
