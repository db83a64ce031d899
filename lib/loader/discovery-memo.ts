import { lstatSync } from "node:fs";

import type { ForeignDocument, HarborDocument } from "@/lib/schema/recognise";

import { statFile } from "./file-access";
import type { LoadRoot } from "./load-root";

/** A folder that changed more recently than this may change again within the same tick of its clock. */
const SETTLED_MS = 60_000;

/** Every kind of document that discovery tells apart. */
export type DocumentKind = HarborDocument | ForeignDocument;

interface Remembered<T> {
  readonly stamp: string;
  readonly value: T;
}

/** What a discovery learnt about one root, so that the next one looks only into what changed. */
export class DiscoveryMemo {
  private readonly kinds = new Map<string, Remembered<DocumentKind | null>>();
  private readonly trialFolders = new Map<string, Remembered<readonly string[]>>();

  /** The kind of document that `read` found in `file`, read again only when the file changed. */
  recallKind(root: LoadRoot, file: string, read: () => DocumentKind | null): DocumentKind | null {
    const state = statFile(root, file);
    const stamp = state.kind === "file" ? state.stamp : state.kind;
    const known = this.kinds.get(file);
    if (known?.stamp === stamp) return known.value;
    const value = read();
    this.kinds.set(file, { stamp, value });
    return value;
  }

  /** The trial folders of a job folder whose own entries did not change; null when they have to be listed. */
  recallTrialFolders(root: LoadRoot, folder: string): readonly string[] | null {
    const known = this.trialFolders.get(folder);
    return known !== undefined && known.stamp === stampFolder(root, folder).stamp ? known.value : null;
  }

  /** Keeps the trial folders of a job that holds nothing else, once its folder has been quiet for a while. */
  rememberTrialFolders(root: LoadRoot, folder: string, value: readonly string[]): void {
    const { stamp, mtimeMs } = stampFolder(root, folder);
    if (Date.now() - mtimeMs > SETTLED_MS) this.trialFolders.set(folder, { stamp, value });
    else this.trialFolders.delete(folder);
  }
}

function stampFolder(root: LoadRoot, folder: string): { stamp: string; mtimeMs: number } {
  const stats = lstatSync(`${root.path}/${folder}`, { throwIfNoEntry: false });
  if (stats === undefined) return { stamp: "", mtimeMs: Infinity };
  return { stamp: `${stats.mtimeMs}:${stats.ino}`, mtimeMs: stats.mtimeMs };
}
