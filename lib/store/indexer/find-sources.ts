import type { LoadIssue } from "@/lib/core/domain/load-issue";
import { readMirrorState } from "@/lib/read/buckets";
import {
  type DiscoveredJob,
  discoverJobs,
  DiscoveryMemo,
  isSameSource,
  type LoadRoot,
  prepareIssue,
  type SourceFingerprint,
} from "@/lib/read/loader";
import { leaveLargeFile } from "@/lib/read/loader/large-files";
import { type IndexStore, readSource, readSources, type Stored } from "@/lib/store/tables";

export type KnownSource = ReturnType<typeof toKnown>;
export type FoundSources = ReturnType<FolderFinder["find"]>;

/** Showing part of a bucket would look like running jobs or lost trials. */
const PARTLY_FETCHED = "Its jobs are shown once all of their results have been fetched.";

interface Kept {
  readonly id: number;
  fingerprint: SourceFingerprint | null;
  /** The list compared last: discovery returns the same object while a folder is unchanged. */
  trialFolders: readonly string[] | null;
}

export class FolderFinder {
  private readonly roots: readonly LoadRoot[];
  private readonly memos: ReadonlyMap<LoadRoot, DiscoveryMemo>;
  private sources: Map<string, Kept> | null = null;
  private paths: readonly string[] = [];

  constructor(roots: readonly LoadRoot[]) {
    this.roots = roots;
    this.memos = new Map(roots.map((root) => [root, new DiscoveryMemo()]));
  }

  async loadOnce(store: IndexStore): Promise<void> {
    if (this.sources !== null) return;
    const sources = new Map<string, Kept>();
    for (const row of await readSources(store)) {
      sources.set(nameSource(row.root, row.kind, row.folder), {
        id: row.id,
        fingerprint: parseFingerprint(row),
        trialFolders: null,
      });
    }
    this.sources = sources;
  }

  /** Another program writes now, so known sources may be outdated. */
  forget(): void {
    this.sources = null;
  }

  find() {
    const issues: LoadIssue[] = [];
    const added: { readonly root: LoadRoot; readonly discovered: DiscoveredJob }[] = [];
    const known: KnownSource[] = [];
    const paths: string[] = [];
    const unseen = new Map(this.sources);
    for (const root of this.roots) {
      const mirror = readMirrorState(root.path);
      for (const { code, path, detail } of mirror?.issues ?? [])
        issues.push(prepareIssue(root, code, path, detail));
      if (mirror?.isComplete === false) {
        issues.push(prepareIssue(root, "object_not_fetched", "", PARTLY_FETCHED));
        continue;
      }
      const discovery = discoverJobs(root, this.memos.get(root));
      for (const issue of discovery.issues) issues.push(issue);
      paths.push(root.path);
      for (const discovered of discovery.jobs) {
        const name = nameSource(root.index, discovered.kind, discovered.folder);
        const kept = unseen.get(name);
        unseen.delete(name);
        if (kept === undefined) added.push({ root, discovered });
        else known.push(toKnown(kept, root, discovered));
        paths.push(locate(root, discovered.folder));
      }
    }
    leaveLargeFile();
    for (const name of unseen.keys()) this.sources?.delete(name);
    this.paths = paths;
    return { added, gone: [...unseen.values()], known, issues };
  }

  add(id: number, root: LoadRoot, discovered: DiscoveredJob): KnownSource {
    const kept: Kept = { id, fingerprint: null, trialFolders: null };
    this.sources?.set(nameSource(root.index, discovered.kind, discovered.folder), kept);
    return toKnown(kept, root, discovered);
  }

  async reload(store: IndexStore, id: number): Promise<void> {
    const row = await readSource(store, id);
    if (row === null) return;
    const kept = this.sources?.get(nameSource(row.root, row.kind, row.folder));
    if (kept === undefined) return;
    kept.fingerprint = parseFingerprint(row);
    kept.trialFolders = null;
  }

  listWatchedFolders(): readonly string[] {
    return this.paths;
  }
}

function toKnown(kept: Kept, root: LoadRoot, discovered: DiscoveredJob) {
  const { id, fingerprint } = kept;
  const isSame =
    fingerprint !== null &&
    (kept.trialFolders === discovered.trialFolders || isSameSource(discovered, fingerprint.probes));
  if (isSame) kept.trialFolders = discovered.trialFolders;
  const path = locate(root, discovered.folder);
  return { id, root, path, discovered, fingerprint, hasNewFolders: fingerprint !== null && !isSame };
}

function nameSource(root: number, kind: string, folder: string): string {
  return `${root}\0${kind}\0${folder}`;
}

function locate(root: LoadRoot, folder: string): string {
  return folder === "" ? root.path : `${root.path}/${folder}`;
}

function parseFingerprint({ fingerprint, state }: Stored<"sources">): SourceFingerprint | null {
  // oxlint-disable-next-line typescript/no-unsafe-return -- this program wrote it, see readSource
  return state === "read" ? JSON.parse(fingerprint) : null;
}
