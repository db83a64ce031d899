import { LRUCache } from "lru-cache";

import type { LoadIssue } from "@/lib/domain/load-issue";
import type { ForeignDocument, HarborDocument } from "@/lib/schema/recognise";

import { statGuarded, stampFile } from "../file-stamp";
import type { LoadRoot } from "./load-root";

/** A folder that changed more recently than this may change again within the same tick of its clock. */
const SETTLED_MS = 60_000;

export type DocumentKind = HarborDocument | ForeignDocument;

export interface Recognition {
  /** Null for a file of no known kind, and for one that cannot be read. */
  readonly kind: DocumentKind | null;
  /** Why it cannot be read; null when it can, or is not there. */
  readonly issue: LoadIssue | null;
}

interface Remembered<T> {
  readonly stamp: string;
  readonly value: T;
}

/** Of files and of job folders; a root with more is looked into again at each discovery. */
const MAX_REMEMBERED = 200_000;
/** With `max` the cache makes room for all of them at once, which takes longer than reading a job of a hundred trials. */
const LIMIT = { maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 };

/** What a discovery learnt about one root, so that the next one looks only into what changed. */
export class DiscoveryMemo {
  private readonly kinds = new LRUCache<string, Remembered<Recognition>>(LIMIT);
  private readonly trialFolders = new LRUCache<string, Remembered<readonly string[]>>(LIMIT);

  /** What `recognise` found of `file`, called again only when it changed. */
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

  /** The trial folders of a job folder whose own entries did not change; null when they have to be listed. */
  recallTrialFolders(folder: string, stamp: string): readonly string[] | null {
    const known = this.trialFolders.get(folder);
    return known?.stamp === stamp ? known.value : null;
  }

  /** Keeps the trial folders of a job that holds nothing else. */
  rememberTrialFolders(folder: string, stamp: string, value: readonly string[]): void {
    this.trialFolders.set(folder, { stamp, value });
  }
}

/**
 * A text that changes whenever an entry of a folder comes, goes or is replaced, to be taken before they are listed; settled
 * unless the folder changed within the last minute.
 */
export function stampListing(root: LoadRoot, folder: string) {
  const stat = statGuarded(root, folder);
  if (stat.kind !== "there") return { stamp: "", isSettled: false };
  const { mtimeNs, mtimeMs, ctimeNs, ino } = stat.stats;
  // The time of the last status change tells of entries that came before the other time was set back, as by a copy.
  const stamp = `${mtimeNs}:${ctimeNs}:${ino}`;
  return { stamp, isSettled: Date.now() - Number(mtimeMs) > SETTLED_MS };
}
