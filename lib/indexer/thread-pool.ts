import { cpus } from "node:os";
import { type ResourceLimits, Worker } from "node:worker_threads";

import type { DatabaseTarget } from "@/lib/database";
import { StoreError, type StoreFailure } from "@/lib/domain/app-error";

import type { Executor } from "./executor";
import type { ReaderData, ReaderReply, ReaderRequest } from "./thread-messages";

/** Threads at most; a cold disk answers several at once, and more of them only wait for each other. */
const MOST_THREADS = 8;
/** How often it is looked at whether the threads wait for the disk. */
const WATCH_MS = 500;
/** Share of the processors' time below which the disk, and not the work, is what everybody waits for. */
const BUSY_SHARE = 0.6;

/** A folder of more trials is read by a thread of its own without a limit, since a job is held whole while it is read. */
const LARGE_JOB_TRIALS = 4_000;
/** A thread that had nothing to do for this long ends: it holds some tens of megabytes, and starts in a tenth of a second. */
const IDLE_MS = 10_000;

/** Without limits every thread lets garbage pile up to several times what it needs. */
const LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 12 };

interface Job {
  readonly request: ReaderRequest;
  /** Whether it needs a thread without limits. */
  isLarge: boolean;
  readonly onTrials: (n: number) => void;
  readonly settle: (reply: ReaderReply) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** Whether it may use memory without limit, for a job with very many trials; ended when that is done. */
  readonly isLarge: boolean;
  job: Job | null;
  /** Ends it while it has no job. */
  rest: NodeJS.Timeout | null;
}

/** Threads that read folders side by side, each with a connection of its own. Started when there is work for them. */
export class ThreadPool implements Executor {
  private readonly script: string;
  private readonly target: DatabaseTarget;
  private readonly nCores: number;
  private readonly idleMs: number;
  private readonly threads: Thread[] = [];
  private readonly waiting: Job[] = [];
  private watch: NodeJS.Timeout | null = null;
  private nWanted: number;

  constructor(script: string, target: DatabaseTarget, nCores: number, idleMs = IDLE_MS) {
    this.script = script;
    this.target = target;
    this.nCores = Math.max(1, nCores);
    this.idleMs = idleMs;
    this.nWanted = this.nCores;
  }

  /** Threads that are there, at work or idle. */
  get nThreads(): number {
    return this.threads.length;
  }

  isUnchanged: Executor["isUnchanged"] = async (task) => {
    const reply = await this.run({ kind: "check", task }, () => undefined);
    return reply.kind === "checked" && reply.isUnchanged;
  };

  read: Executor["read"] = async (task, onTrials) => {
    const reply = await this.run({ kind: "read", task }, onTrials);
    if (reply.kind !== "read") throw new Error(`A reading thread answered ${reply.kind}.`);
    return reply.outcome;
  };

  readFindings: Executor["readFindings"] = async (task, onTrials) => {
    await this.run({ kind: "findings", task }, onTrials);
  };

  close = async (): Promise<void> => {
    if (this.watch !== null) clearInterval(this.watch);
    this.watch = null;
    for (const { rest } of this.threads) if (rest !== null) clearTimeout(rest);
    await Promise.all(this.threads.splice(0).map(({ worker }) => worker.terminate()));
  };

  private run(request: ReaderRequest, onTrials: (n: number) => void): Promise<ReaderReply> {
    return new Promise((settle, reject) => {
      this.waiting.push({ request, isLarge: isLargeJob(request), onTrials, settle, reject });
      this.dispatch();
    });
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const [job] = this.waiting;
      if (job === undefined) break;
      const thread = this.findIdle(job.isLarge) ?? this.startThread(job.isLarge);
      if (thread === null) break;
      this.waiting.shift();
      thread.job = job;
      if (thread.rest !== null) clearTimeout(thread.rest);
      thread.rest = null;
      // A thread at work keeps the program alive; one that waits does not.
      thread.worker.ref();
      thread.worker.postMessage(job.request);
    }
    if (this.waiting.length > 0) this.watch ??= setInterval(this.createWatcher(), WATCH_MS).unref();
    else if (this.watch !== null) {
      clearInterval(this.watch);
      this.watch = null;
    }
  }

  private findIdle(isLarge: boolean): Thread | undefined {
    return this.threads.find((thread) => thread.job === null && thread.isLarge === isLarge);
  }

  private startThread(isLarge: boolean): Thread | null {
    // An idle thread of the other kind makes room.
    if (this.threads.length >= this.nWanted) {
      const idle = this.findIdle(!isLarge);
      if (idle === undefined) return null;
      this.end(idle);
    }
    const data: ReaderData = { role: "reader", target: this.target };
    const worker = new Worker(this.script, {
      workerData: data,
      ...(isLarge ? {} : { resourceLimits: LIMITS }),
    });
    const thread: Thread = { worker, isLarge, job: null, rest: null };
    worker.on("message", (reply: ReaderReply) => this.onReply(thread, reply));
    worker.on("error", (error: Error) => this.onEnd(thread, error));
    worker.on("exit", () => this.onEnd(thread, new Error("A reading thread ended.")));
    this.threads.push(thread);
    return thread;
  }

  private onReply(thread: Thread, reply: ReaderReply): void {
    const { job } = thread;
    if (job === null) return;
    if (reply.kind === "trials") {
      job.onTrials(reply.n);
      return;
    }
    thread.job = null;
    thread.worker.unref();
    thread.rest = setTimeout(() => this.end(thread), this.idleMs).unref();
    if (reply.kind === "failed") job.reject(toError(reply));
    else job.settle(reply);
    this.dispatch();
    if (thread.isLarge && this.findIdle(true) === thread) this.end(thread);
  }

  private end(thread: Thread): void {
    if (thread.rest !== null) clearTimeout(thread.rest);
    const at = this.threads.indexOf(thread);
    if (at !== -1) this.threads.splice(at, 1);
    void thread.worker.terminate();
  }

  private onEnd(thread: Thread, error: Error): void {
    const at = this.threads.indexOf(thread);
    if (at === -1) return;
    this.threads.splice(at, 1);
    const { job } = thread;
    if (job !== null && !job.isLarge && isOutOfMemory(error)) {
      job.isLarge = true;
      this.waiting.push(job);
    } else job?.reject(error);
    this.dispatch();
  }

  /**
   * Adds a thread whenever those at work leave processors idle, as they do while they wait for a disk. Processors that
   * other programs keep busy are not idle: more threads would only take more memory there.
   */
  private createWatcher(): () => void {
    let before = measureTimes();
    return () => {
      const now = measureTimes();
      const elapsedMs = now.atMs - before.atMs;
      const ownMs = now.ownMs - before.ownMs;
      const freeMs = cpus().length * elapsedMs - (now.allMs - before.allMs);
      const neededMs = this.nCores * elapsedMs;
      before = now;
      const isIdle = ownMs < BUSY_SHARE * neededMs && freeMs > (1 - BUSY_SHARE) * neededMs;
      if (!isIdle || this.nWanted >= MOST_THREADS) return;
      this.nWanted++;
      this.dispatch();
    };
  }
}

/** Milliseconds since some moment, and processor time spent since then by this program and by all. */
function measureTimes(): { readonly atMs: number; readonly ownMs: number; readonly allMs: number } {
  const { user, system } = process.cpuUsage();
  const allMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { atMs: performance.now(), ownMs: (user + system) / 1000, allMs };
}

function isOutOfMemory(error: Error): boolean {
  return "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function isLargeJob(request: ReaderRequest): boolean {
  return request.kind === "read" && request.task.discovered.trialFolders.length > LARGE_JOB_TRIALS;
}

function toError({ message, code, stack }: ReaderReply & { readonly kind: "failed" }): Error {
  if (isStoreFailure(code)) return new StoreError(code, message);
  const error = new Error(message);
  if (stack !== null) error.stack = stack;
  return error;
}

function isStoreFailure(code: string | null): code is StoreFailure {
  return code?.startsWith("store_") ?? false;
}
