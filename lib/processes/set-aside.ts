import type { ChildProcess } from "node:child_process";

import type { FileVersion, SetAsideFile } from "@/lib/loader/large-files";

/** How V8 ends a program that has no memory left, where it does not abort it. */
const OUT_OF_MEMORY_CODE = 134;
/** Files that are remembered; more than anybody has. */
const MOST_FILES = 1_000;

/** What ended a process. */
export type EndCause = "memory" | "time" | "unknown";

/** What ended a process that is gone, unless `isOutOfTime` says that its time was over. */
export function findEndCause({ exitCode, signalCode }: ChildProcess, isOutOfTime: boolean): EndCause {
  if (isOutOfTime) return "time";
  return signalCode === "SIGABRT" || exitCode === OUT_OF_MEMORY_CODE ? "memory" : "unknown";
}

/** The files that ended processes, each in the version that did. */
export class SetAsideFiles {
  private readonly files = new Map<string, SetAsideFile>();

  /** All of them, oldest first. */
  list(): readonly SetAsideFile[] {
    return [...this.files.values()];
  }

  /** @param limits - MiB of heap and milliseconds a file that the process had */
  add(
    file: FileVersion,
    cause: EndCause,
    limits: { readonly memoryMb: number; readonly fileMs: number },
  ): void {
    const costs: Readonly<Record<EndCause, string>> = {
      memory: `more than ${limits.memoryMb.toLocaleString("en-US")} MiB of memory`,
      time: `more than ${limits.fileMs / 1000} s`,
      unknown: "down the process that read it",
    };
    this.files.set(file.path, { ...file, cost: costs[cause] });
    const [oldest] = this.files.keys();
    if (this.files.size > MOST_FILES && oldest !== undefined) this.files.delete(oldest);
  }
}
