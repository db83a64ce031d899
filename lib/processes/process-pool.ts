import { cpus } from "node:os";

import { LimitedProcess, type ProcessEnd } from "./limited-process";
import type { Order, Report } from "./protocol";
import { SetAsideFiles } from "./set-aside";

/** What a process may use. */
export interface ProcessLimits {
  /** JavaScript heap in MiB for usual work, and for a request that needs more, which gets a process of its own. */
  readonly memoryMb: number;
  readonly largeMemoryMb: number;
  /** Time for one large file, and between two reports of progress or the whole of a request without any. Milliseconds. */
  readonly fileMs: number;
  readonly requestMs: number;
}

/** How a pool starts and keeps its processes. */
export interface PoolOptions {
  /** The bundled program that they run, see `serveOrders`. */
  readonly script: string;
  readonly limits: ProcessLimits;
  /** Processes at the same time: this many, and up to `most` while they leave processors idle, as a slow disk makes them. */
  readonly nUsual: number;
  readonly nMost: number;
  /** A process that had nothing to do for this long ends. Milliseconds. */
  readonly idleMs: number;
}

/** A request with what is known of it. */
export interface PoolRequest<Request> {
  readonly request: Request;
  /** Whether it needs much memory from the start. */
  readonly isLarge?: boolean;
  /**
   * Requests of one name are carried out one after the other, by the process that had the last of them when it is idle, since it
   * may remember. When one of them runs out of time, the next ones fail for a while.
   */
  readonly affinity?: string | undefined;
  /** Takes the number of things done since the last call. */
  readonly onProgress?: ((n: number) => void) | undefined;
}

/** A process ended without an answer, and nobody knows at which file. */
export class ProcessEndedError extends Error {}

/** An error that a process met; `code` is the one of its class where it had one. */
export class RemoteError extends Error {
  readonly code: string | null;

  constructor(message: string, code: string | null, stack: string | null) {
    super(message);
    this.code = code;
    if (stack !== null) this.stack = stack;
  }
}

/** A process with much memory that had nothing to do for this long ends. Milliseconds. */
const LARGE_IDLE_MS = 2_000;
/** Names that are known to need much memory or time; more than anybody looks at. */
const MOST_NAMES = 1_000;
const OUT_OF_TIME = "they took too long, and are tried again in some minutes";

/** How often it is looked at whether the processes wait for the disk. */
const WATCH_MS = 500;
/** Share of the processors' time that is free when the disk, and not the work, is what everybody waits for. */
const FREE_SHARE = 0.4;
/** Files of one request that may end a process before the request fails. */
const MOST_CRASHES = 20;

/** How long what is asked of a name fails after it ran out of time. Milliseconds. */
const REFUSE_MS = 300_000;

interface Job<Request, Answer> extends PoolRequest<Request> {
  isLarge: boolean;
  isSecondTry: boolean;
  nCrashes: number;
  readonly settle: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

interface Member<Request, Answer> {
  readonly process: LimitedProcess<Report<Answer>>;
  readonly isLarge: boolean;
  job: Job<Request, Answer> | null;
  affinity: string | null;
  /** Ends it when it had nothing to do. */
  idling: NodeJS.Timeout | undefined;
  /** Ends it when its request takes too long. */
  working: NodeJS.Timeout | undefined;
}

/**
 * Processes that work side by side on what nobody vouches for, each within limits. One that is ended by a file is replaced, the
 * file is set aside in this version, and the request is made again without it. Started when there is work for them.
 */
export class ProcessPool<Request, Answer> {
  private readonly options: PoolOptions;
  private readonly members: Member<Request, Answer>[] = [];
  private readonly waiting: Job<Request, Answer>[] = [];
  private readonly setAside = new SetAsideFiles();
  private readonly large = new Set<string>();
  /** Names that ran out of time, and when they may be asked again. */
  private readonly refused = new Map<string, number>();
  private watch: NodeJS.Timeout | null = null;
  private nWanted: number;
  private isClosed = false;

  constructor(options: PoolOptions) {
    this.options = options;
    this.nWanted = Math.max(1, options.nUsual);
  }

  /** Processes that are there, at work or idle. */
  get nProcesses(): number {
    return this.members.length;
  }

  /**
   * Has a request carried out.
   *
   * @throws RemoteError when the process met an error
   * @throws ProcessEndedError when processes ended over it
   */
  run(request: PoolRequest<Request>): Promise<Answer> {
    return new Promise((settle, reject) => {
      if (this.isRefused(request.affinity)) {
        reject(new ProcessEndedError(OUT_OF_TIME));
        return;
      }
      this.waiting.push({
        ...request,
        isLarge: request.isLarge ?? (request.affinity !== undefined && this.large.has(request.affinity)),
        isSecondTry: false,
        nCrashes: 0,
        settle,
        reject,
      });
      this.dispatch();
    });
  }

  /** Ends all processes; what they were at is never answered. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stopWatching();
    await Promise.all([...this.members].map((member) => this.end(member)));
  }

  private dispatch(): void {
    for (let at = 0; !this.isClosed && at < this.waiting.length;) {
      const job = this.waiting[at];
      if (job === undefined) break;
      if (this.isAtWork(job.affinity)) {
        at++;
        continue;
      }
      const member = this.findIdle(job) ?? this.start(job.isLarge);
      if (member === null) break;
      this.waiting.splice(at, 1);
      this.assign(member, job);
    }
    if (this.waiting.length > 0 && this.nWanted < this.options.nMost)
      this.watch ??= setInterval(this.createWatcher(), WATCH_MS).unref();
    else this.stopWatching();
  }

  private isAtWork(affinity: string | undefined): boolean {
    return affinity !== undefined && this.members.some(({ job }) => job?.affinity === affinity);
  }

  private isRefused(affinity: string | undefined): boolean {
    return affinity !== undefined && (this.refused.get(affinity) ?? 0) > performance.now();
  }

  private assign(member: Member<Request, Answer>, job: Job<Request, Answer>): void {
    member.job = job;
    member.affinity = job.affinity ?? null;
    clearTimeout(member.idling);
    // A process at work keeps the program alive; one that waits does not.
    member.process.hold(true);
    member.process.send({
      request: job.request,
      setAside: this.setAside.list(),
      isSecondTry: job.isSecondTry,
    } satisfies Order<Request>);
    this.watchTime(member);
  }

  private watchTime(member: Member<Request, Answer>): void {
    clearTimeout(member.working);
    member.working = setTimeout(() => member.process.stopInTime(), this.options.limits.requestMs).unref();
  }

  private findIdle({ isLarge, affinity }: Job<Request, Answer>): Member<Request, Answer> | undefined {
    const idle = this.members.filter((member) => isIdle(member) && member.isLarge === isLarge);
    return idle.find((member) => affinity !== undefined && member.affinity === affinity) ?? idle[0];
  }

  private start(isLarge: boolean): Member<Request, Answer> | null {
    // An idle process of the other kind makes room.
    if (this.members.length >= this.nWanted) {
      const idle = this.members.find((member) => isIdle(member) && member.isLarge !== isLarge);
      if (idle === undefined) return null;
      void this.end(idle);
    }
    const { script, limits } = this.options;
    const member: Member<Request, Answer> = {
      process: new LimitedProcess({
        script,
        memoryMb: isLarge ? limits.largeMemoryMb : limits.memoryMb,
        isRoomy: isLarge,
        fileMs: limits.fileMs,
        onMessage: (report) => this.onReport(member, report),
        onEnd: (end) => this.onEnd(member, end),
      }),
      isLarge,
      job: null,
      affinity: null,
      idling: undefined,
      working: undefined,
    };
    this.members.push(member);
    return member;
  }

  private onReport(member: Member<Request, Answer>, report: Report<Answer>): void {
    const { job } = member;
    if (job === null) return;
    if (report.kind === "progress") {
      job.onProgress?.(report.n);
      this.watchTime(member);
      return;
    }
    clearTimeout(member.working);
    member.job = null;
    member.process.leaveFile();
    member.process.hold(false);
    // One that was given much memory may have grown to several times what others need.
    const idleMs = Math.min(this.options.idleMs, member.isLarge ? LARGE_IDLE_MS : Infinity);
    member.idling = setTimeout(() => void this.end(member), idleMs).unref();
    if (report.kind === "done") job.settle(report.answer);
    else job.reject(new RemoteError(report.message, report.code, report.stack));
    this.dispatch();
  }

  private end(member: Member<Request, Answer>): Promise<void> {
    this.remove(member);
    return member.process.end();
  }

  private remove(member: Member<Request, Answer>): void {
    clearTimeout(member.idling);
    clearTimeout(member.working);
    const at = this.members.indexOf(member);
    if (at !== -1) this.members.splice(at, 1);
  }

  private onEnd(member: Member<Request, Answer>, end: ProcessEnd): void {
    this.remove(member);
    if (member.job !== null) this.retry(member, member.job, end);
    this.dispatch();
  }

  /** What a process that ended was at is done again with more memory, then without the file that it was at. */
  private retry(
    member: Member<Request, Answer>,
    job: Job<Request, Answer>,
    { cause, file, code }: ProcessEnd,
  ): void {
    const { memoryMb, largeMemoryMb, fileMs } = this.options.limits;
    job.nCrashes++;
    if (cause === "memory" && !job.isLarge && largeMemoryMb > memoryMb) this.enlarge(job);
    else if (file !== null && job.nCrashes <= MOST_CRASHES)
      this.setAside.add(file, cause, { memoryMb: member.isLarge ? largeMemoryMb : memoryMb, fileMs });
    else if (cause === "time" && job.affinity !== undefined) {
      this.refuse(job.affinity);
      job.reject(new ProcessEndedError(OUT_OF_TIME));
      return;
    }
    // The system may have taken it for its memory, or it had just gone; if not, the second try tells where it ends.
    else if (job.isSecondTry) {
      const how = { memory: "for want of memory", time: "after too long a time", unknown: `with ${code}` };
      job.reject(new ProcessEndedError(`a reading process ended ${how[cause]}`));
      return;
    }
    job.isSecondTry = true;
    this.waiting.push(job);
  }

  private refuse(affinity: string): void {
    if (this.refused.size >= MOST_NAMES) this.refused.clear();
    this.refused.set(affinity, performance.now() + REFUSE_MS);
    for (const job of this.waiting.filter((one) => one.affinity === affinity)) {
      this.waiting.splice(this.waiting.indexOf(job), 1);
      job.reject(new ProcessEndedError(OUT_OF_TIME));
    }
  }

  /** This needs much memory, and so does whatever else is asked of the same thing. */
  private enlarge(job: Job<Request, Answer>): void {
    job.isLarge = true;
    if (job.affinity === undefined) return;
    if (this.large.size >= MOST_NAMES) this.large.clear();
    this.large.add(job.affinity);
  }

  /**
   * Adds a process whenever processors are idle although work waits, as they are while everybody waits for a disk. Processors
   * that other programs keep busy are not idle: more processes would only take more memory there.
   */
  private createWatcher(): () => void {
    let before = measureTimes();
    return () => {
      const now = measureTimes();
      const elapsedMs = now.atMs - before.atMs;
      const freeMs = cpus().length * elapsedMs - (now.busyMs - before.busyMs);
      before = now;
      if (freeMs <= FREE_SHARE * this.options.nUsual * elapsedMs || this.nWanted >= this.options.nMost)
        return;
      this.nWanted++;
      this.dispatch();
    };
  }

  private stopWatching(): void {
    if (this.watch !== null) clearInterval(this.watch);
    this.watch = null;
  }
}

/** Whether a process waits for work; asked again after anything that may have given it some. */
function isIdle({ job }: { readonly job: object | null }): boolean {
  return job === null;
}

/** Milliseconds since some moment, and time since then that the processors were at work for anybody. */
function measureTimes(): { readonly atMs: number; readonly busyMs: number } {
  const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  return { atMs: performance.now(), busyMs };
}
