import { watchFreeProcessors } from "./free-processors";
import { KnownNames } from "./known-names";
import { LimitedProcess, type ProcessEnd } from "./limited-process";
import { type PoolRequest, ProcessEndedError, RemoteError } from "./pool-request";
import type { Order, Report } from "./protocol";
import { MOST_FILES, SetAsideFiles } from "./set-aside";

export interface PoolOptions {
  /** The bundled program that they run, see `serveOrders`. */
  readonly script: string;
  /** JavaScript heap in MiB for usual work, and for a request that needs more, which gets a process of its own. */
  readonly memoryMb: number;
  readonly largeMemoryMb: number;
  /** Whether one that gets more memory also gets much room for short-lived values, see {@link LimitedOptions}. */
  readonly isLargeRoomy?: boolean;
  /** Time for one large file, and between two reports of progress or the whole of a request without any. Milliseconds. */
  readonly fileMs: number;
  readonly requestMs: number;
  /** Processes at the same time; one more while work waits although processors are idle, as a slow disk makes them. */
  readonly nUsual: number;
  readonly nMost: number;
  /** A process that had nothing to do for this long ends. Milliseconds. */
  readonly idleMs: number;
  /** The same of one with much memory, which may have grown to several times what others need; with 0 it is gone before anybody goes on with its answer. */
  readonly largeIdleMs: number;
}

/** How long what is asked of a name fails after it ran out of time. Milliseconds. */
const REFUSE_MS = 300_000;
const OUT_OF_TIME = "they took too long and are retried in a few minutes";

/** How often it is looked at whether the processes wait for the disk. */
const WATCH_MS = 500;
/** Processors that are free, as a share of the usual processes, when the disk and not the work is what everybody waits for. */
const FREE_SHARE = 0.4;
/** Ends of processes that one request may cause besides two for each file that is set aside. */
const MOST_VAIN_ENDS = 5;

interface Job<Request, Answer> extends PoolRequest<Request> {
  isLarge: boolean;
  /** Processes that ended over it, and files that were set aside for that. */
  nEnds: number;
  nSetAside: number;
  /** Things done this time, and the most that were done and told at any time. */
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
  /** Ends it when it had nothing to do. */
  idling: NodeJS.Timeout | undefined;
}

/** Processes that work side by side within limits; a file that ends one is set aside, and the request made again. */
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

  /** Processes that are there, at work or idle. */
  get nProcesses(): number {
    return this.members.size;
  }

  /**
   * Has a request carried out. @throws RemoteError, the process's own error, or ProcessEndedError when processes ended over
   * it
   */
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

  /** Ends all processes; what they were at is never answered. */
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
    // A process at work keeps the program alive; one that waits does not.
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
      // An idle process of the other kind makes room.
      const idle = this.findIdle(!isLarge);
      // What needs little memory is often done at once, and never waits until what needs much is done.
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
    // Whoever waits for the answer goes on after this.
    if (idleMs === 0) this.onIdle(member);
  }

  /** What is done once more after a process ended is not told once more. */
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

  /** What a process that ended was at is done again with more memory, then without the file that it was at. */
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
    // The system may have taken it for its memory, or it had just gone; if not, the second try tells where it ends.
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

  /** Adds a process whenever processors are idle although work waits, as while everybody waits for a disk. */
  private createWatcher(): () => void {
    const countFree = watchFreeProcessors();
    return () => {
      if (countFree() <= FREE_SHARE * this.options.nUsual) return;
      this.nWanted++;
      this.dispatch();
    };
  }
}
