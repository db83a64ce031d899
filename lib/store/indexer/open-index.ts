import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";
import type { Summation } from "@/lib/core/scoring";
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

import { OpenBuckets } from "./buckets";
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
    onNews: () => void engine.refresh(),
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
      return engine.scanIfDue();
    },
    refresh: () => {
      void buckets.scan();
      return engine.refresh();
    },
    rescan: async () => {
      void buckets.scan();
      await engine.forgetDerivedDetails();
      await engine.refresh();
    },
    settle: () => engine.settle(),
    prioritise: (jobRowId) => engine.prioritise(jobRowId),
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
    const notice = `${error.message} Until then the index is kept in ${folder} and made again at every start.`;
    const dispose = () => rmSync(folder, { recursive: true, force: true });
    // Also runs when a signal ends the program before it closes the index.
    process.once("exit", dispose);
    return { store, notice, dispose };
  }
}

function startHere(options: IndexerOptions): Engine {
  const indexer = new Indexer(options);
  return {
    scanIfDue: () => indexer.scan(),
    refresh: () => indexer.scan("retry"),
    forgetDerivedDetails: () => indexer.forgetDerivedDetails(),
    settle: () => indexer.settle(),
    prioritise: (jobRowId) => indexer.prioritise(jobRowId),
    close: async () => {
      await indexer.release();
      await indexer.settle();
    },
  };
}
