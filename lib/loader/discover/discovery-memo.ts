import { LRUCache } from "lru-cache";

import type { LoadIssue } from "@/lib/domain/load-issue";
import type { ForeignDocument, HarborDocument } from "@/lib/schema/recognise";

import { statGuarded, stampFile } from "../file-stamp";
import type { LoadRoot } from "./load-root";

/** A folder changed more recently may change again within the same clock tick. */
const SETTLED_MS = 60_000;

export type DocumentKind = HarborDocument | ForeignDocument;

export interface Recognition {
  /** Null if unknown or unreadable. */
  readonly kind: DocumentKind | null;
  readonly issue: LoadIssue | null;
}

interface Remembered<T> {
  readonly stamp: string;
  readonly value: T;
}

/** Limit for files and for job folders. Larger roots are searched again each time. */
const MAX_REMEMBERED = 200_000;
/** `max` would preallocate the cache, which takes longer than reading a job of 100 trials. */
const LIMIT = { maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 };

/** Caches what discovery found in one root, so that the next run checks only changes. */
export class DiscoveryMemo {
  private readonly kinds = new LRUCache<string, Remembered<Recognition>>(LIMIT);
  private readonly trialFolders = new LRUCache<string, Remembered<readonly string[]>>(LIMIT);

  /** Calls `recognise` only if `file` changed. */
  recallKind(root: LoadRoot, file: string, recognise: () => Recognition): Recognition {
    const stamp = stampFile(root, file);
    const known = this.kinds.get(file);
    if (known?.stamp === stamp) return known.value;
    const value = recognise();
    this.kinds.set(file, { stamp, value });
    return value;
  }

  rememberKind(file: string, stamp: string, value: DocumentKind): void {
    this.kinds.set(file, { stamp, value: { kind: value, issue: null } });
  }

  /** Returns null if the folder must be listed again. */
  recallTrialFolders(folder: string, stamp: string): readonly string[] | null {
    const known = this.trialFolders.get(folder);
    return known?.stamp === stamp ? known.value : null;
  }

  /** Only for jobs that contain nothing else. */
  rememberTrialFolders(folder: string, stamp: string, value: readonly string[]): void {
    this.trialFolders.set(folder, { stamp, value });
  }
}

/** Returns a stamp that changes with the entries; take it before listing. Settled if unchanged for a minute. */
export function stampListing(root: LoadRoot, folder: string) {
  const stat = statGuarded(root, folder);
  if (stat.kind !== "there") return { stamp: "", isSettled: false };
  const { mtimeNs, mtimeMs, ctimeNs, ino } = stat.stats;
  // ctime reveals entries added before mtime was set back, as by a copy.
  const stamp = `${mtimeNs}:${ctimeNs}:${ino}`;
  return { stamp, isSettled: Date.now() - Number(mtimeMs) > SETTLED_MS };
}
