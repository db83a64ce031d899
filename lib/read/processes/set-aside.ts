import { LRUCache } from "lru-cache";

import type { FileVersion, SetAsideFile } from "@/lib/read/loader/large-files";

import type { EndCause } from "./limited-process";

/** The oldest file is evicted, and read again on the next request. */
export const MOST_FILES = 1_000;

export class SetAsideFiles {
  /** By path. `cost` is null while the file is still read. */
  private readonly files = new LRUCache<string, FileVersion & { readonly cost: string | null }>({
    max: MOST_FILES,
  });

  list(): readonly SetAsideFile[] {
    return [...this.files.rvalues()].filter((file): file is SetAsideFile => typeof file?.cost === "string");
  }

  /** Returns true if the file is set aside: at once for memory or time, else the second time. */
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
    this.files.set(file.path, { ...file, cost });
    return cost !== null;
  }
}
