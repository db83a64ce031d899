import { rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

import { type BucketAddress, findPathProblem } from "@/lib/core/domain/bucket";
import type { LoadIssue } from "@/lib/core/domain/load-issue";

import type { BucketClient, ListedObject } from "./client";
import { BucketError, STOPPING, describeFailure, describeStop } from "./failure";
import { type KnownObject, Listing, type Rank } from "./listing";
import { MirrorFiles, isImpossible, readCode } from "./mirror-files";
import { type BucketEnvironment, type MirrorPlace, type MirrorStatus, NO_STATUS } from "./place";
import { rankObject } from "./records";

export interface MirrorOptions {
  readonly address: BucketAddress;
  readonly place: MirrorPlace;
  readonly client: BucketClient;
  readonly environment: BucketEnvironment;
  /** Bytes. */
  readonly capacity: number;
  readonly onStatus: (status: MirrorStatus) => void;
  readonly pauseMs?: number;
  readonly mostListed?: number;
}

const N_WORKERS = 32;
const BATCH = 512;
/** Takes 13 minutes at the measured 13,000 a second, and as many inodes. */
const MOST_LISTED = 10_000_000;
/** Consecutive refusals after which all objects are assumed to be denied. */
const MOST_DENIED = 64;
const MOST_BROUGHT = 3_000;
/** Share of the capacity. Larger files are fetched only when a page of their trial is opened. */
const UNASKED_SHARE = 1 / 20;

/** Fetches results first, then other files that fit. Evicts the least recently used files for new ones. */
export class Mirror {
  private readonly options: MirrorOptions;
  private readonly listing: Listing;
  private readonly files: MirrorFiles;
  private readonly fetching = new Map<string, Promise<boolean>>();
  private readonly issues = new MirrorIssues();
  private heldBytes: number;
  private nDenied = 0;
  private nAtWork = 0;
  private running: Promise<void> = Promise.resolve();
  private isClosed = false;
  private status: MirrorStatus;

  /** @throws SQLite's `SQLITE_BUSY` if another process uses this folder */
  constructor(options: MirrorOptions) {
    this.options = options;
    this.listing = new Listing(options.place.listing);
    this.files = new MirrorFiles(options.place);
    this.heldBytes = this.listing.count().heldBytes;
    this.status = { ...NO_STATUS, isComplete: this.listing.isComplete };
  }

  /** Never throws for the bucket: `problem` has the reason. */
  scan(): Promise<void> {
    this.running = this.running.then(() => this.scanOnce());
    return this.running;
  }

  fill(): Promise<void> {
    this.running = this.running.then(() => this.guard(() => this.fetchOthers()));
    return this.running;
  }

  async bring(folder: string): Promise<void> {
    const below = `${this.options.address.prefix}${folder}/`;
    this.listing.touchBelow(below, Date.now());
    const missing = this.listing.listMissingBelow(below, MOST_BROUGHT);
    if (missing.length > 0) await this.guard(() => this.fetchAll(missing));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.options.client.close();
    await this.running;
    this.listing.close();
  }

  private async scanOnce(): Promise<void> {
    if (this.isClosed) return;
    this.issues.reset();
    this.nDenied = 0;
    this.report({ phase: "listing", nListed: 0, nFetched: 0, nToFetch: 0, problem: null });
    await this.guard(async () => {
      await this.list();
      this.report({ phase: "fetching", nToFetch: this.listing.count().nRecordsMissing });
      await this.fetchMissing("record");
      this.listing.markComplete();
      this.report({ isComplete: true });
    });
  }

  /** Errors become the mirror's `problem` until a scan succeeds. */
  private async guard(work: () => Promise<unknown>): Promise<void> {
    this.nAtWork++;
    try {
      await work();
    } catch (error) {
      if (this.isClosed) return;
      const { address, environment } = this.options;
      const issue = describeStop(error, address.text, environment);
      this.issues.noteStop(issue);
      this.report({ problem: issue.detail });
    } finally {
      this.nAtWork--;
    }
    if (this.isClosed) return;
    if (this.nAtWork === 0) this.report({ phase: "idle" });
    this.writeState();
  }

  private async list(): Promise<void> {
    const { client, mostListed = MOST_LISTED } = this.options;
    const isFirst = !this.listing.isComplete;
    const after = this.listing.begin();
    if (after !== "") this.report({ nListed: this.listing.count().nObjects });
    for await (const { objects, nGarbled } of client.list(after)) {
      if (this.isClosed) throw new BucketError("unreachable", "");
      if (nGarbled > 0)
        this.issues.note("object_refused", "", `${nGarbled} keys of the listing cannot be read.`);
      const accepted = objects.flatMap((object) => this.accept(object));
      // First, so that every noted object has a file even if the process ends here.
      for (const object of this.listing.findChanged(accepted)) this.placeNew(object, isFirst);
      this.listing.note(accepted);
      this.report({ nListed: this.status.nListed + objects.length });
      if (this.status.nListed > mostListed) throw new BucketError("endless", "");
    }
    for (const keys of this.listing.end()) for (const key of keys) this.files.remove(this.toPath(key));
    this.heldBytes = this.listing.count().heldBytes;
  }

  private accept(object: ListedObject): readonly (ListedObject & { readonly rank: Rank })[] {
    const { prefix } = this.options.address;
    const path = object.key.startsWith(prefix) ? object.key.slice(prefix.length) : object.key;
    // Some tools write this for a folder.
    if (object.size === 0 && (path === "" || path.endsWith("/"))) return [];
    const problem = object.key.startsWith(prefix) ? findPathProblem(path) : "is not below the opened prefix";
    if (problem === null) return [{ ...object, rank: rankObject(path, object.size) }];
    this.issues.note("object_refused", "", `The key ${JSON.stringify(object.key.slice(0, 200))} ${problem}.`);
    return [];
  }

  /** The old version of a record stays until the new one arrives, because records are fetched next. */
  private placeNew(object: KnownObject, isFirst: boolean): void {
    const path = this.toPath(object.key);
    if (rankObject(path, object.size) === "record" && (isFirst || object.held !== "")) return;
    this.leave(object);
  }

  private leave(object: KnownObject): void {
    const path = this.toPath(object.key);
    try {
      this.files.putPlaceholder(path, object);
    } catch (error) {
      if (!isImpossible(error)) throw error;
      this.listing.setTried(object.key);
      this.issues.note("object_refused", path, "It cannot be a file here: another key makes it a folder.");
    }
    if (object.held !== "") this.setHeld(object, "");
  }

  private async fetchMissing(rank: Rank, mostBytes?: number): Promise<void> {
    for (;;) {
      const missing = this.listing.listMissing(rank, BATCH, mostBytes);
      if (missing.length === 0 || this.isClosed) return;
      const isAll = await this.fetchAll(missing, rank === "other");
      if (!isAll) return;
    }
  }

  private async fetchOthers(): Promise<void> {
    if (this.isClosed || this.status.problem !== null) return;
    const counts = this.listing.count();
    this.report({ phase: "fetching", nFetched: 0, nToFetch: counts.nOthersMissing });
    await this.fetchMissing("other", this.options.capacity * UNASKED_SHARE);
    const { nOthersMissing, othersMissingBytes } = this.listing.count();
    if (nOthersMissing === 0) return;
    const megabytes = Math.ceil(othersMissingBytes / 1e6);
    const detail = `${nOthersMissing} files (${megabytes} MB) are not kept here, since they are too many or too large. They are fetched when a page of their trial is opened. Until then, search, failure classes and details do not include them. ASSAY_BUCKET_CACHE_GB sets how much is kept.`;
    this.issues.note("object_not_fetched", "", detail);
  }

  /** @param isUnasked - true if nothing may be evicted for it. @returns false if it stopped early */
  private async fetchAll(objects: readonly KnownObject[], isUnasked = false): Promise<boolean> {
    const arrived: string[] = [];
    try {
      return await runPool(objects, N_WORKERS, async (object) => {
        if (this.isClosed || (isUnasked && object.size > this.options.capacity - this.heldBytes))
          return false;
        const path = this.toPath(object.key);
        if ((await this.fetchOnce(object)) && rankObject(path, object.size) === "other") arrived.push(path);
        this.report({ nFetched: this.status.nFetched + 1 });
        return true;
      });
    } finally {
      if (!this.isClosed) this.files.renewResults(arrived);
    }
  }

  private fetchOnce(object: KnownObject): Promise<boolean> {
    const known = this.fetching.get(object.key);
    if (known !== undefined) return known;
    const fetching = this.fetch(object).finally(() => this.fetching.delete(object.key));
    this.fetching.set(object.key, fetching);
    return fetching;
  }

  private async fetch(object: KnownObject): Promise<boolean> {
    const path = this.toPath(object.key);
    if (!this.makeRoom(object)) {
      this.leaveOut(object, "There is no space for it. ASSAY_BUCKET_CACHE_GB sets how much is kept.");
      return false;
    }
    // Reserved before the fetch, because others run concurrently.
    this.heldBytes += object.size;
    const part = this.files.openPart();
    try {
      await fetchObject(this.options.client, object, part, this.options.pauseMs);
      this.files.put(part, path, object);
      this.setHeld(object, object.etag);
      this.nDenied = 0;
      return true;
    } catch (error) {
      rmSync(part, { force: true });
      if (isImpossible(error)) {
        this.listing.setTried(object.key);
        this.leave(object);
        return false;
      }
      if (!(error instanceof BucketError) || this.isStopping(error)) throw error;
      const { problem, remedy } = describeFailure(error, "it", this.options.environment);
      this.leaveOut(object, `${problem} ${remedy}`);
      return false;
    } finally {
      this.heldBytes -= object.size;
    }
  }

  private isStopping({ kind }: BucketError): boolean {
    if (kind === "denied") this.nDenied++;
    return STOPPING.has(kind) || this.nDenied > MOST_DENIED;
  }

  private leaveOut(object: KnownObject, detail: string): void {
    this.listing.setTried(object.key);
    this.issues.note("object_not_fetched", this.toPath(object.key), detail);
    this.leave(object);
  }

  private makeRoom({ size }: ListedObject): boolean {
    const { capacity } = this.options;
    if (size > capacity) return false;
    while (this.heldBytes + size > capacity) {
      const [oldest] = this.listing.listEvictable(1);
      if (oldest === undefined) return false;
      this.leave(oldest);
    }
    return true;
  }

  private setHeld(object: KnownObject, held: string): void {
    if (object.held !== "") this.heldBytes -= object.size;
    if (held !== "") this.heldBytes += object.size;
    this.listing.setHeld(object.key, held, Date.now());
  }

  private toPath(key: string): string {
    return key.slice(this.options.address.prefix.length);
  }

  private writeState(): void {
    this.files.writeState({ isComplete: this.listing.isComplete, issues: this.issues.list() });
  }

  private report(change: Partial<MirrorStatus>): void {
    this.status = { ...this.status, ...change };
    this.options.onStatus(this.status);
  }
}

const MOST_BROKEN = 6;
/** Pause after a break; doubles each time, up to 16 times as long. */
const PAUSE_MS = 200;
/** Time limit of a body in addition to its size at {@link LEAST_RATE}, so that none occupies a worker forever. */
const LEAST_MS = 120_000;
/** Bytes per second. */
const LEAST_RATE = 20_000;
const DISK_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EIO", "EROFS", "EFBIG"]);

/**
 * Resumes after a broken body. Never writes more bytes than listed.
 *
 * @throws BucketError; `broken` if the body differs from the listing. The file is then incomplete.
 */
async function fetchObject(
  client: Pick<BucketClient, "read">,
  object: ListedObject,
  file: string,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const endsAt = performance.now() + LEAST_MS + (1000 * object.size) / LEAST_RATE;
  const handle = await open(file, "wx", 0o600);
  try {
    let at = 0;
    let nBroken = 0;
    while (at < object.size) {
      const before = at;
      try {
        for await (const chunk of await client.read(object, at)) {
          if (at + chunk.length > object.size || performance.now() > endsAt)
            throw new BucketError("broken", "TooMuch");
          await handle.write(chunk, 0, chunk.length, at);
          at += chunk.length;
        }
      } catch (error) {
        if (error instanceof BucketError || DISK_CODES.has(readCode(error))) throw error;
      }
      if (at >= object.size) break;
      nBroken = at > before ? 1 : nBroken + 1;
      if (nBroken > MOST_BROKEN) throw new BucketError("broken", "");
      await wait(pauseMs * 2 ** Math.min(nBroken, 4));
    }
  } finally {
    await handle.close();
  }
}

/**
 * After a failure no new work starts; the error is thrown once running work has finished.
 *
 * @param work - returns false to stop early
 * @returns true if all items were processed
 */
async function runPool<T>(
  items: readonly T[],
  nWorkers: number,
  work: (item: T) => Promise<boolean>,
): Promise<boolean> {
  const queue = items.values();
  let isStopped = false;
  const run = async (): Promise<void> => {
    for (const item of queue) {
      if (isStopped) return;
      try {
        if (!(await work(item))) isStopped = true;
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: nWorkers }, run));
  for (const one of ended) if (one.status === "rejected") await Promise.reject(one.reason as Error);
  return !isStopped;
}

const MOST_ISSUES = 20;

class MirrorIssues {
  private readonly issues: LoadIssue[] = [];
  private nIssues = 0;

  reset(): void {
    this.issues.length = 0;
    this.nIssues = 0;
  }

  note(code: LoadIssue["code"], path: string, detail: string): void {
    this.nIssues++;
    if (this.nIssues <= MOST_ISSUES) this.issues.push({ code, path, detail });
  }

  noteStop(issue: Pick<LoadIssue, "code" | "detail">): void {
    if (!this.issues.some(({ path, detail }) => path === "" && detail === issue.detail))
      this.issues.unshift({ ...issue, path: "" });
  }

  list(): readonly LoadIssue[] {
    const more = this.nIssues - MOST_ISSUES;
    if (more <= 0) return this.issues;
    return [
      ...this.issues,
      { code: "object_not_fetched", path: "", detail: `${more} more objects are not here.` },
    ];
  }
}
