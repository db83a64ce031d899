import { LRUCache } from "lru-cache";

import type { LoadIssue } from "@/lib/core/domain/load-issue";
import type { ForeignDocument, HarborDocument } from "@/lib/read/schema/recognise";

import { statGuarded, stampFile } from "../file-stamp";
import type { LoadRoot } from "./load-root";

/** A folder changed more recently may change again within the same clock tick. */
const SETTLED_MS = 60_000;

export type DocumentKind = HarborDocument | ForeignDocument;

export interface Recognition {
  readonly kind: DocumentKind | null;
  readonly issue: LoadIssue | null;
}

interface Remembered<T> {
  readonly stamp: string;
  readonly value: T;
}

const MAX_REMEMBERED = 200_000;
/** `max` would preallocate the cache, which takes longer than reading a job of 100 trials. */
const LIMIT = { maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 };

export class DiscoveryMemo {
  private readonly kinds = new LRUCache<string, Remembered<Recognition>>(LIMIT);
  private readonly trialFolders = new LRUCache<string, Remembered<readonly string[]>>(LIMIT);

  recallKind(root: LoadRoot, file: string, recognise: () => Recognition): Recognition {
    const stamp = stampFile(root, file);
    const known = this.kinds.get(file);
    if (known?.stamp === stamp) return known.value;
    const value = recognise();
    this.kinds.set(file, { stamp, value });
    return value;
  }

  recallTrialFolders(folder: string, stamp: string): readonly string[] | null {
    const known = this.trialFolders.get(folder);
    return known?.stamp === stamp ? known.value : null;
  }

  rememberTrialFolders(folder: string, stamp: string, value: readonly string[]): void {
    this.trialFolders.set(folder, { stamp, value });
  }
}

/** Returns a stamp that changes with the entries. Take it before listing. Settled if unchanged for a minute. */
export function stampListing(root: LoadRoot, folder: string) {
  const stat = statGuarded(root, folder);
  if (stat.kind !== "there") return { stamp: "", isSettled: false };
  const { mtimeNs, mtimeMs, ctimeNs, ino } = stat.stats;
  // ctime reveals entries added before mtime was set back, as by a copy.
  const stamp = `${mtimeNs}:${ctimeNs}:${ino}`;
  return { stamp, isSettled: Date.now() - Number(mtimeMs) > SETTLED_MS };
}
