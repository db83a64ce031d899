import { cpus } from "node:os";

import { LRUCache } from "lru-cache";

import { LimitedProcess, type ProcessEnd, MOST_FILES, SetAsideFiles } from "./limited-process";
import type { Order, Report } from "./protocol";

interface PoolRequest<Request> {
  readonly request: Request;
  /** True if it needs `largeMemoryMb` from the start. */
  readonly isLarge?: boolean;
  /** Requests of one affinity run one at a time, preferably in one process. After a timeout they fail for a while. */
  readonly affinity?: string | undefined;
  readonly onProgress?: ((n: number) => void) | undefined;
}

/** A process ended without an answer, and the file that it was reading is unknown. */
export class ProcessEndedError extends Error {}

/** An error that a process reported. `code` is that of its class, if any. */
export class RemoteError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null, stack: string | null) {
    super(message);
    this.code = code;
    if (stack !== null) this.stack = stack;
  }
}

export interface PoolOptions {
  readonly script: string;
  /** JavaScript heap in MiB. A request that needs `largeMemoryMb` gets its own process. */
  readonly memoryMb: number;
  readonly largeMemoryMb: number;
  readonly isLargeRoomy?: boolean;
  /**
   * Time limit for one large file, in milliseconds. `requestMs` limits the time between two progress reports, or without any the
   * whole request.
   */
  readonly fileMs: number;
  readonly requestMs: number;
  /** Processes at a time. Up to `nMost` run if work waits while processors are idle, as with a slow disk. */
  readonly nUsual: number;
  readonly nMost: number;
  /** Milliseconds without work after which a process ends. */
  readonly idleMs: number;
  /**
   * As `idleMs`, for processes with `largeMemoryMb`, which may have grown to several times the others. 0 ends them before the
   * caller receives the answer.
   */
  readonly largeIdleMs: number;
}

/** Milliseconds for which requests of an affinity fail after a timeout. */
const REFUSE_MS = 300_000;
const OUT_OF_TIME = "they took too long and are retried in a few minutes";

const WATCH_MS = 500;
/** Idle processors, as a share of `nUsual`, above which the disk is taken for the bottleneck. */
const FREE_SHARE = 0.4;
/** Process ends allowed for one request, in addition to two for each file that is set aside. */
const MOST_VAIN_ENDS = 5;

interface Job<Request, Answer> extends PoolRequest<Request> {
  isLarge: boolean;
  /** Processes that ended during this job, and files set aside because of it. */
  nEnds: number;
  nSetAside: number;
  /** Items done in this attempt, and the most reported in any attempt. */
  nDone: number;
  nReported: number;
  readonly settle: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Member<Request, Answer> {
  readonly process: LimitedProcess<Report<Answer>>;
  readonly isLarge: boolean;
  job: Job<Request, Answer> | null;
  affinity: string | undefined;
  idling: NodeJS.Timeout | undefined;
}

/** Runs processes in parallel within limits. Sets aside a file that ends a process, then repeats the request. */
export class ProcessPool<Request, Answer> {
  private readonly options: PoolOptions;
  private readonly members = new Set<Member<Request, Answer>>();
  private readonly waiting = new Set<Job<Request, Answer>>();
  private readonly setAside = new SetAsideFiles();
  private readonly names = new KnownNames();
  private watch: NodeJS.Timeout | undefined;
  private nWanted: number;
  private isClosed = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.nWanted = options.nUsual;
  }

  get nProcesses(): number {
    return this.members.size;
  }

  /** @throws RemoteError for an error that the process reported; ProcessEndedError if processes ended over the request */
  run(request: PoolRequest<Request>): Promise<Answer> {
    return new Promise((settle, reject) => {
      const known = this.names.recall(request.affinity);
      if (known.refusedUntil > performance.now()) {
        reject(new ProcessEndedError(OUT_OF_TIME));
        return;
      }
      const isLarge = request.isLarge ?? known.isLarge;
      this.waiting.add({
        ...request,
        isLarge,
        nEnds: 0,
        nSetAside: 0,
        nDone: 0,
        nReported: 0,
        settle,
        reject,
      });
      this.dispatch();
    });
  }

  /** Requests in progress are never settled. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.watch);
    await Promise.all([...this.members].map((member) => this.end(member)));
  }

  private dispatch(): void {
    if (this.isClosed) return;
    let isLargeFull = false;
    for (const job of this.waiting) {
      if (this.isAtWork(job.affinity) || (job.isLarge && isLargeFull)) continue;
      const member = this.findIdle(job.isLarge, job.affinity) ?? this.start(job.isLarge);
      if (member === null && !job.isLarge) break;
      if (member === null) {
        isLargeFull = true;
        continue;
      }
      this.waiting.delete(job);
      this.assign(member, job);
    }
    if (this.waiting.size > 0 && this.nWanted < this.options.nMost) {
      this.watch ??= setInterval(this.createWatcher(), WATCH_MS).unref();
    } else {
      clearInterval(this.watch);
      this.watch = undefined;
    }
  }

  private isAtWork(affinity: string | undefined): boolean {
    return affinity !== undefined && [...this.members].some(({ job }) => job?.affinity === affinity);
  }

  private assign(member: Member<Request, Answer>, job: Job<Request, Answer>): void {
    member.job = job;
    member.affinity = job.affinity;
    clearTimeout(member.idling);
    member.process.hold(true);
    member.process.giveTime(this.options.requestMs);
    member.process.send({
      request: job.request,
      setAside: this.setAside.list(),
      isSecondTry: job.nEnds > 0,
    } satisfies Order<Request>);
  }

  private findIdle(isLarge: boolean, affinity?: string): Member<Request, Answer> | undefined {
    const idle = [...this.members].filter((member) => member.job === null && member.isLarge === isLarge);
    return idle.find((member) => affinity !== undefined && member.affinity === affinity) ?? idle[0];
  }

  private start(isLarge: boolean): Member<Request, Answer> | null {
    if (this.members.size >= this.nWanted) {
      const idle = this.findIdle(!isLarge);
      // Small requests are often done at once, so they never wait for large ones.
      const isReserved = !isLarge && [...this.members].every((member) => member.isLarge);
      if (idle === undefined ? !isReserved : isLarge && this.members.size > this.nWanted) return null;
      if (idle !== undefined) void this.end(idle);
    }
    const { script, memoryMb, largeMemoryMb, isLargeRoomy = true, fileMs } = this.options;
    const member: Member<Request, Answer> = {
      process: new LimitedProcess({
        script,
        memoryMb: isLarge ? largeMemoryMb : memoryMb,
        isRoomy: isLarge && isLargeRoomy,
        fileMs,
        onMessage: (report) => this.onReport(member, report),
        onEnd: (end) => this.onEnd(member, end),
      }),
      isLarge,
      job: null,
      affinity: undefined,
      idling: undefined,
    };
    this.members.add(member);
    return member;
  }

  private onReport(member: Member<Request, Answer>, report: Report<Answer>): void {
    const { job } = member;
    if (job === null) return;
    if (report.kind === "progress") {
      this.onProgress(job, report.n);
      member.process.giveTime(this.options.requestMs);
      return;
    }
    member.job = null;
    member.process.rest();
    member.process.hold(false);
    const idleMs = member.isLarge ? this.options.largeIdleMs : this.options.idleMs;
    member.idling = setTimeout(() => this.onIdle(member), idleMs).unref();
    if (report.kind === "done") job.settle(report.answer);
    else job.reject(new RemoteError(report.message, report.code, report.stack));
    this.dispatch();
    if (idleMs === 0) this.onIdle(member);
  }

  /** Skips items of a repeated job that were already reported. */
  private onProgress(job: Job<Request, Answer>, n: number): void {
    job.nDone += n;
    if (job.nDone <= job.nReported) return;
    job.onProgress?.(job.nDone - job.nReported);
    job.nReported = job.nDone;
  }

  private onIdle(member: Member<Request, Answer>): void {
    if (member.job !== null) return;
    void this.end(member);
    this.nWanted = Math.max(this.options.nUsual, this.members.size);
  }

  private end(member: Member<Request, Answer>): Promise<void> {
    clearTimeout(member.idling);
    this.members.delete(member);
    return member.process.end();
  }

  private onEnd(member: Member<Request, Answer>, end: ProcessEnd): void {
    void this.end(member);
    if (member.job !== null) this.retry(member.job, end);
    this.dispatch();
  }

  /** Repeats a job whose process ended, first with more memory, then without the file that it was reading. */
  private retry(job: Job<Request, Answer>, { cause, file, how }: ProcessEnd): void {
    const { memoryMb, largeMemoryMb, fileMs } = this.options;
    const isHopeless = job.nSetAside >= MOST_FILES || job.nEnds >= 2 * job.nSetAside + MOST_VAIN_ENDS;
    if (cause === "memory" && !job.isLarge && largeMemoryMb > memoryMb) {
      job.isLarge = true;
      this.names.remember(job.affinity, { isLarge: true });
    } else if (file !== null && !isHopeless) {
      const limits = { memoryMb: job.isLarge ? largeMemoryMb : memoryMb, fileMs };
      if (this.setAside.add(file, cause, limits)) job.nSetAside++;
    } else if (cause === "time" && job.affinity !== undefined) {
      job.reject(new ProcessEndedError(OUT_OF_TIME));
      this.refuse(job.affinity);
      return;
    }
    // The system may have killed it for its memory. A second attempt reports where it ends.
    else if (job.nEnds > 0) {
      job.reject(new ProcessEndedError(`a reading process ended ${how}`));
      return;
    }
    job.nEnds++;
    job.nDone = 0;
    this.waiting.add(job);
  }

  private refuse(affinity: string): void {
    this.names.remember(affinity, { refusedUntil: performance.now() + REFUSE_MS });
    for (const job of this.waiting) {
      if (job.affinity !== affinity) continue;
      this.waiting.delete(job);
      job.reject(new ProcessEndedError(OUT_OF_TIME));
    }
  }

  private createWatcher(): () => void {
    const countFree = watchFreeProcessors();
    return () => {
      if (countFree() <= FREE_SHARE * this.options.nUsual) return;
      this.nWanted++;
      this.dispatch();
    };
  }
}

/** Returns a function that computes how many processors of this machine were idle since its last call, such as 1.5. */
function watchFreeProcessors(): () => number {
  let before = measureTimes();
  return () => {
    const now = measureTimes();
    const busy = (now.busyMs - before.busyMs) / (now.atMs - before.atMs);
    before = now;
    return cpus().length - busy;
  };
}

/** Returns milliseconds since an arbitrary moment, and the busy time of all processors since then, including other programs. */
function measureTimes(): { readonly atMs: number; readonly busyMs: number } {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { atMs: performance.now(), busyMs };
}

interface KnownName {
  readonly isLarge: boolean;
  /** Requests fail until this time on the clock of `performance`; 0 if the name never timed out. */
  readonly refusedUntil: number;
}

/** The oldest name is evicted and then treated as new. */
const MOST_NAMES = 1_000;
const UNKNOWN: KnownName = { isLarge: false, refusedUntil: 0 };

class KnownNames {
  private readonly names = new LRUCache<string, KnownName>({ max: MOST_NAMES });

  recall(name: string | undefined): KnownName {
    return (name === undefined ? undefined : this.names.get(name)) ?? UNKNOWN;
  }

  remember(name: string | undefined, news: Partial<KnownName>): void {
    if (name === undefined) return;
    this.names.set(name, { ...this.recall(name), ...news });
  }
}
