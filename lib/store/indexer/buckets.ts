import { dirname, join } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import { isBucketAddress } from "@/lib/core/domain/bucket";
import { type MirrorStatus, type RunningMirror, startMirror } from "@/lib/read/buckets";
import type { DataEnvironment } from "@/lib/store/database";

import type { IndexStatus } from "./progress";

/** Minimum pause between listings in ms, longer for slow ones, since every page of a listing costs money. */
const PAUSE_MS = 30_000;
/** Listing takes at most 1/20 of the time. */
const PAUSE_SHARE = 20;

type BucketStatus = Pick<IndexStatus, "nFilesFetched" | "nFilesToFetch" | "nFilesListed">;

export interface OpenBucketsOptions {
  readonly roots: readonly string[];
  readonly dataFolder: string;
  readonly environment: DataEnvironment;
  readonly script: string | undefined;
  readonly onStatus: (status: BucketStatus) => void;
  readonly onNews: () => void;
}

/** The buckets of an index, each mirrored in a folder and listed again while pages are in use. */
export class OpenBuckets {
  readonly folders: readonly string[];
  private readonly mirrors: readonly RunningMirror[];
  private readonly options: OpenBucketsOptions;
  private dueAt = Number.NEGATIVE_INFINITY;
  private scanning: Promise<void> | null = null;
  private isClosed = false;

  /** @throws ValidationError for an invalid address, StoreError when no process can be started for a bucket */
  constructor(options: OpenBucketsOptions) {
    this.options = options;
    const mirrors: RunningMirror[] = [];
    this.folders = options.roots.map((root) => {
      if (!isBucketAddress(root)) return root;
      const mirror = this.start(root);
      mirrors.push(mirror);
      return mirror.folder;
    });
    this.mirrors = mirrors;
  }

  private start(address: string): RunningMirror {
    const { script, dataFolder, environment, onStatus } = this.options;
    if (script === undefined)
      throw new StoreError("store_unavailable", "Buckets are fetched by a program that is not here.");
    return startMirror({
      ...{ address, dataFolder, environment },
      script: join(dirname(script), "buckets.js"),
      onStatus: () => onStatus(this.status()),
    });
  }

  status(): BucketStatus {
    const sum = (read: (status: MirrorStatus) => number) =>
      this.mirrors.reduce((total, mirror) => total + read(mirror.status()), 0);
    return {
      nFilesFetched: sum(({ phase, nFetched }) => (phase === "fetching" ? nFetched : 0)),
      nFilesToFetch: sum(({ phase, nToFetch }) => (phase === "fetching" ? nToFetch : 0)),
      nFilesListed: sum(({ phase, nListed }) => (phase === "listing" ? nListed : 0)),
    };
  }

  /** Starts a listing unless one is recent; does not wait. */
  scanIfDue(): void {
    if (this.mirrors.length > 0 && performance.now() >= this.dueAt) void this.scan();
  }

  /** Lists now and settles when results are here. Other fitting files are fetched after that. */
  scan(): Promise<void> {
    this.scanning ??= this.scanAll().finally(() => {
      this.scanning = null;
    });
    return this.scanning;
  }

  private async scanAll(): Promise<void> {
    const startedAt = performance.now();
    this.dueAt = Number.POSITIVE_INFINITY;
    await Promise.all(this.mirrors.map((mirror) => mirror.scan()));
    const now = performance.now();
    this.dueAt = now + Math.max(PAUSE_MS, PAUSE_SHARE * (now - startedAt));
    this.tellNews();
    void Promise.all(this.mirrors.map((mirror) => mirror.fill())).then(() => this.tellNews());
  }

  private tellNews(): void {
    if (this.mirrors.length > 0 && !this.isClosed) this.options.onNews();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.mirrors.map((mirror) => mirror.close()));
  }
}
