import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, dirname } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import { isBucketAddress } from "@/lib/core/domain/bucket";
import type { Summation } from "@/lib/core/scoring";
import { type RunningMirror, startMirror } from "@/lib/read/buckets";
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
import { Indexer, nameHolder } from "./indexer";
import { type IndexStatus, NO_STATUS } from "./progress";
import { type IndexerOptions, SourceReader } from "./reader";

export interface OpenIndexOptions {
  /** Folders that hold jobs, at any depth, and addresses of buckets (`s3://bucket/prefix`), which need `script`. */
  readonly roots: readonly string[];
  readonly summation?: Summation | undefined;
  /** Selects the data folder or database, see `resolveTarget`. */
  readonly environment: DataEnvironment;
  /** The bundled `main.ts` of this folder; without it everything runs in this process, which is for tests. */
  readonly script?: string | undefined;
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
 */
export async function openIndex(options: OpenIndexOptions): Promise<OpenIndex> {
  const listeners = new Set<(status: IndexStatus) => void>();
  let current = NO_STATUS;
  const publish = (change: Partial<IndexStatus>) => {
    current = { ...current, ...change };
    for (const listener of listeners) listener(current);
  };
  const dataFolder = resolveDataFolder(options.environment);
  const buckets: OpenBuckets = new OpenBuckets(
    options,
    dataFolder,
    () => publish(buckets.status()),
    () => void engine.carryOut({ kind: "refresh" }),
  );
  const roots = prepareRoots(buckets.folders);
  const summation = options.summation ?? "cpython-3.12";
  const scope = { roots: roots.map(({ path }) => path), summation };
  const { store, notice, dispose } = await openSomewhere(resolveIndexTarget(scope, options.environment));
  const { isFinished, ...state } = await readIndexState(store);
  const isPatient =
    options.isPatient === true && isFinished && (await readTotals(store)).nTrials > PATIENT_TRIALS;
  current = { ...NO_STATUS, ...state, notice };
  const onStatus = (status: IndexStatus) => publish({ ...status, notice, ...buckets.status() });
  const { target } = store;
  const { script, nProcesses = availableParallelism(), now = Date.now, withDerivedDetails = true } = options;
  const shared = { roots, summation, withDerivedDetails, dataFolder };
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

/** Failures that another data folder can solve. */
const UNWRITABLE: ReadonlySet<string> = new Set(["store_read_only", "store_full", "store_unavailable"]);

async function openSomewhere(target: DatabaseTarget) {
  try {
    return { store: await openIndexStore(target), notice: null, dispose: () => undefined };
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

/** The buckets of an index, each mirrored in a folder and listed again while pages are in use. */
class OpenBuckets {
  /** The opened folders, with the mirror's in place of a bucket. */
  readonly folders: readonly string[];
  private readonly mirrors: readonly RunningMirror[];
  private readonly onNews: () => void;
  private dueAt = Number.NEGATIVE_INFINITY;
  private scanning: Promise<void> | null = null;
  private isClosed = false;

  /** @throws ValidationError for an invalid address, StoreError when no process can be started for a bucket */
  constructor(
    { roots, environment, script }: OpenIndexOptions,
    dataFolder: string,
    onStatus: () => void,
    onNews: () => void,
  ) {
    this.onNews = onNews;
    const opened = roots.map((address) => {
      if (!isBucketAddress(address)) return address;
      if (script === undefined)
        throw new StoreError("store_unavailable", "The program that fetches buckets is missing.");
      const program = join(dirname(script), "buckets.js");
      return startMirror({ address, dataFolder, environment, script: program, onStatus });
    });
    this.folders = opened.map((root) => (typeof root === "string" ? root : root.folder));
    this.mirrors = opened.filter((root) => typeof root !== "string");
  }

  status() {
    const total = { nFilesFetched: 0, nFilesToFetch: 0, nFilesListed: 0 };
    for (const { phase, nFetched, nToFetch, nListed } of this.mirrors.map((mirror) => mirror.status())) {
      if (phase === "listing") total.nFilesListed += nListed;
      if (phase !== "fetching") continue;
      total.nFilesFetched += nFetched;
      total.nFilesToFetch += nToFetch;
    }
    return total;
  }

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
    if (this.mirrors.length > 0 && !this.isClosed) this.onNews();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.mirrors.map((mirror) => mirror.close()));
  }
}
