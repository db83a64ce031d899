import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

import { prepareRoots } from "@/lib/catalog";
import { type DatabaseTarget, type DataEnvironment, resolveDataFolder } from "@/lib/database";
import { StoreError } from "@/lib/domain/app-error";
import type { LoadRoot } from "@/lib/loader";
import type { Summation } from "@/lib/scoring";
import {
  type IndexStore,
  openIndexStore,
  readIndexState,
  readTotals,
  resolveIndexTarget,
  returnLease,
} from "@/lib/store";

import { OpenBuckets } from "./buckets";
import { type Engine, startCoordinator } from "./coordinator";
import { Indexer, type IndexerOptions } from "./indexer";
import { nameHolder } from "./lease-keeper";
import { type IndexStatus, NO_STATUS } from "./progress";
import { SourceReader } from "./reader";

/** Which folders to open, and where to keep what is known of them. */
export interface OpenIndexOptions {
  /** Folders that hold jobs, at any depth, and addresses of buckets (`s3://bucket/prefix`), which need `script`. */
  readonly roots: readonly string[];
  readonly summation?: Summation | undefined;
  /** Where the data folder or database is, see `resolveTarget`. */
  readonly environment: DataEnvironment;
  /** The bundled `main.ts` of this folder; without it everything happens in this process, which is for tests. */
  readonly script?: string | undefined;
  /** Reading processes; as many as there are processors by default. */
  readonly nProcesses?: number | undefined;
  /**
   * Whether the first scan may show what an earlier run knew of many trials, and be followed by a scan of the folders: the
   * two would compete for the processors otherwise, and the first page would be seconds late.
   */
  readonly isPatient?: boolean | undefined;
  /** Whether verifiers' details and analyses are read too, once all results are; true unless said otherwise. */
  readonly withDerivedDetails?: boolean | undefined;
  /** The clock, where it is not a process's own; milliseconds since 1970-01-01. */
  readonly now?: (() => number) | undefined;
}

/** The index of some folders, kept up to date while somebody looks. */
export interface OpenIndex {
  readonly store: IndexStore;
  readonly roots: readonly LoadRoot[];
  readonly status: () => IndexStatus;
  /** Calls back with every change of status until the function it gives is called. */
  readonly subscribe: (listener: (status: IndexStatus) => void) => () => void;
  /** Somebody looks at a page: settles once the index says what is on disk. Cheap when it was looked at a moment ago. */
  readonly scanIfDue: () => Promise<void>;
  /** Looks at everything now, and reads folders again whose reading failed. */
  readonly refresh: () => Promise<void>;
  /** The same, and has all derived details read again, which no change of a result tells of. */
  readonly rescan: () => Promise<void>;
  /** Settles when nothing is left to read, derived details included. */
  readonly settle: () => Promise<void>;
  /** A page waits for the derived details of this job. */
  readonly prioritise: (jobRowId: number) => void;
  /** Ends the work on it and lets another program take over; once, however often it is called. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the index of some folders and starts to bring it up to date; what an earlier run knew can be read at once.
 *
 * A data folder that cannot be written is no reason to show nothing: the index is then kept in a temporary folder, which
 * `status().notice` says. A damaged index is thrown away and made again, since it holds nothing but what the folders say.
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
    // One that was ended in the middle of its work did not return it.
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

/** Fewer trials than this are looked at in the time that the pages' code takes to load. */
const PATIENT_TRIALS = 20_000;

interface Opened {
  readonly store: IndexStore;
  readonly notice: string | null;
  readonly dispose: () => void;
}

/** Failures of a data folder that another folder helps against. */
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
    // Also where a signal ends the program before it closes the index.
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
