import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, dirname } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import { isBucketAddress } from "@/lib/core/domain/bucket";
import type { Summation } from "@/lib/core/scoring";
import { type MirrorStatus, type RunningMirror, startMirror } from "@/lib/read/buckets";
import { prepareRoots } from "@/lib/read/catalog";
import type { LoadRoot } from "@/lib/read/loader";
import { type DatabaseTarget, type DataEnvironment, resolveDataFolder } from "@/lib/store/database";
import {
  type IndexStore,
  openIndexStore,
  readIndexState,
  readTotals,
  resolveIndexTarget,
  returnLease,
} from "@/lib/store/tables";

import { type Engine, startCoordinator } from "./coordinator";
import { Indexer, type IndexerOptions } from "./indexer";
import { nameHolder } from "./lease-keeper";
import { type IndexStatus, NO_STATUS } from "./progress";
import { SourceReader } from "./reader";

export interface OpenIndexOptions {
  /** Folders that hold jobs, at any depth, and addresses of buckets (`s3://bucket/prefix`), which need `script`. */
  readonly roots: readonly string[];
  readonly summation?: Summation | undefined;
  /** Selects the data folder or database, see `resolveTarget`. */
  readonly environment: DataEnvironment;
  /** The bundled `main.ts` of this folder; without it everything runs in this process, which is for tests. */
  readonly script?: string | undefined;
  /** Number of reading processes; the number of processors by default. */
  readonly nProcesses?: number | undefined;
  /**
   * True if the first page may show data of an earlier run before the folders are scanned. Otherwise a scan of many trials
   * competes for the processors and delays that page by seconds.
   */
  readonly isPatient?: boolean | undefined;
  /** True (the default) if verifiers' details and analyses are read after all results. */
  readonly withDerivedDetails?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

export interface OpenIndex {
  readonly store: IndexStore;
  readonly roots: readonly LoadRoot[];
  readonly status: () => IndexStatus;
  readonly subscribe: (listener: (status: IndexStatus) => void) => () => void;
  /** Call on each page view: settles once the index matches the disk. Cheap after a recent scan. */
  readonly scanIfDue: () => Promise<void>;
  /** Scans now, including folders whose reading failed. */
  readonly refresh: () => Promise<void>;
  /** Also rereads all derived details, whose changes no result shows. */
  readonly rescan: () => Promise<void>;
  readonly settle: () => Promise<void>;
  readonly prioritise: (jobRowId: number) => void;
  /** Stops the work and lets another program take over; idempotent. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the index of some folders and starts to update it; data of an earlier run can be read at once. If the data folder is not
 * writable, the index goes to a temporary folder, as `status().notice` tells. A damaged index is rebuilt, since it only holds
 * derived data.
 *
 * @throws StoreError when no index can be opened at all
 */
export async function openIndex(options: OpenIndexOptions): Promise<OpenIndex> {
  const listeners = new Set<(status: IndexStatus) => void>();
  let current = NO_STATUS;
  const publish = (change: Partial<IndexStatus>) => {
    current = { ...current, ...change };
    for (const listener of listeners) listener(current);
  };
  const dataFolder = resolveDataFolder(options.environment);
  const buckets = new OpenBuckets({
    ...{ roots: options.roots, dataFolder, environment: options.environment, script: options.script },
    onStatus: publish,
    onNews: () => void engine.carryOut({ kind: "refresh" }),
  });
  const roots = prepareRoots(buckets.folders);
  const summation = options.summation ?? "cpython-3.12";
  const scope = { roots: roots.map(({ path }) => path), summation };
  const { store, notice, dispose } = await openSomewhere(resolveIndexTarget(scope, options.environment));
  const { isFinished, ...state } = await readIndexState(store);
  const isPatient =
    options.isPatient === true && isFinished && (await readTotals(store)).nTrials > PATIENT_TRIALS;
  current = { ...NO_STATUS, ...state, notice };
  const onStatus = (status: IndexStatus) => publish({ ...status, notice, ...buckets.status() });
  const shared = {
    roots,
    summation,
    withDerivedDetails: options.withDerivedDetails ?? true,
    dataFolder,
  };
  const { target } = store;
  const { script, nProcesses = availableParallelism(), now = Date.now } = options;
  const engine =
    script === undefined
      ? startHere({ ...shared, store, executor: new SourceReader(store), now, onStatus })
      : startCoordinator(
          { ...shared, target, isPatient, script, nProcesses, holder: nameHolder() },
          onStatus,
        );
  buckets.scanIfDue();
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await buckets.close();
    await engine.close();
    // A killed coordinator did not return its lease.
    await returnLease(store, nameHolder()).catch(() => undefined);
    await store.close();
    dispose();
  };
  return {
    store,
    roots,
    status: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    scanIfDue: () => {
      buckets.scanIfDue();
      return engine.carryOut({ kind: "scan" });
    },
    refresh: () => {
      void buckets.scan();
      return engine.carryOut({ kind: "refresh" });
    },
    rescan: async () => {
      void buckets.scan();
      await engine.carryOut({ kind: "forget-derived-details" });
      await engine.carryOut({ kind: "refresh" });
    },
    settle: () => engine.carryOut({ kind: "settle" }),
    prioritise: (jobRowId) => void engine.carryOut({ kind: "prioritise", jobRowId }),
    close: () => (closing ??= close()),
  };
}

/** Fewer trials are scanned in the time in which the pages' code loads. */
const PATIENT_TRIALS = 20_000;

interface Opened {
  readonly store: IndexStore;
  readonly notice: string | null;
  readonly dispose: () => void;
}

/** Failures that another data folder can solve. */
const UNWRITABLE: ReadonlySet<string> = new Set(["store_read_only", "store_full", "store_unavailable"]);

async function openSomewhere(target: DatabaseTarget): Promise<Opened> {
  const keep = () => undefined;
  try {
    return { store: await openIndexStore(target), notice: null, dispose: keep };
  } catch (error) {
    if (!(error instanceof StoreError) || target.engine === "postgres") throw error;
    if (!UNWRITABLE.has(error.code)) throw error;
    const folder = await mkdtemp(join(tmpdir(), "assay-index-"));
    const store = await openIndexStore({ ...target, file: join(folder, "index.sqlite") });
    const notice = `${error.message} Until then the index is kept in ${folder} and rebuilt at every start.`;
    const dispose = () => rmSync(folder, { recursive: true, force: true });
    // Also runs when a signal ends the program before it closes the index.
    process.once("exit", dispose);
    return { store, notice, dispose };
  }
}

function startHere(options: IndexerOptions): Engine {
  const indexer = new Indexer(options);
  return {
    carryOut: async (order) => {
      if (order.kind === "scan") await indexer.scan();
      else if (order.kind === "refresh") await indexer.scan("retry");
      else if (order.kind === "forget-derived-details") await indexer.forgetDerivedDetails();
      else if (order.kind === "settle") await indexer.settle();
      else indexer.prioritise(order.jobRowId);
    },
    close: async () => {
      await indexer.release();
      await indexer.settle();
    },
  };
}

/** Minimum pause between listings in ms, longer for slow ones, since every page of a listing costs money. */
const PAUSE_MS = 30_000;
/** Listing takes at most 1/20 of the time. */
const PAUSE_SHARE = 20;

type BucketStatus = Pick<IndexStatus, "nFilesFetched" | "nFilesToFetch" | "nFilesListed">;

interface OpenBucketsOptions {
  readonly roots: readonly string[];
  readonly dataFolder: string;
  readonly environment: DataEnvironment;
  readonly script: string | undefined;
  readonly onStatus: (status: BucketStatus) => void;
  readonly onNews: () => void;
}

/** The buckets of an index, each mirrored in a folder and listed again while pages are in use. */
class OpenBuckets {
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
      throw new StoreError("store_unavailable", "The program that fetches buckets is missing.");
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
