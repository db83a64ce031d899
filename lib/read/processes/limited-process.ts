import { type ChildProcess, fork } from "node:child_process";

import { LRUCache } from "lru-cache";

import type { FileVersion, SetAsideFile } from "@/lib/read/loader/large-files";

import type { AtFile } from "./protocol";

export interface LimitedOptions<Message> {
  readonly script: string;
  readonly args?: readonly string[];
  /** JavaScript heap in MiB. */
  readonly memoryMb: number;
  /** True lifts the limit on V8's young generation, which then grows to several times what most work needs. */
  readonly isRoomy?: boolean;
  readonly fileMs: number;
  /** True passes the AWS credentials to the process. */
  readonly mayReachBuckets?: boolean;
  readonly onMessage: (message: Message) => void;
  readonly onEnd: (end: ProcessEnd) => void;
}

export type EndCause = "memory" | "time" | "unknown";

export interface ProcessEnd {
  readonly cause: EndCause;
  /** The large file being read; null if none, or if the work as a whole took too long. */
  readonly file: FileVersion | null;
  /** Completes "it ended", such as "out of memory". */
  readonly how: string;
}

const BUCKET_SECRETS = /^AWS_/u;
const OIDC_SECRETS = /^ASSAY_OIDC_/u;
/** Exit code of V8 when it is out of memory and does not abort. */
const OUT_OF_MEMORY_CODE = 134;

/**
 * A child process with limits on memory and time. It keeps this program alive only after {@link hold}, receives bucket credentials
 * only with `mayReachBuckets` and never OIDC secrets, and must exit when its channel closes.
 */
export class LimitedProcess<Message> {
  private readonly child: ChildProcess;
  private readonly options: LimitedOptions<Message>;
  private file: FileVersion | null = null;
  /** On the clock of `performance`. */
  private fileEndsAt = Infinity;
  private workEndsAt = Infinity;
  private timer: NodeJS.Timeout | undefined;
  /** False once it ended or {@link end} was called; later messages are ignored. */
  private isHeard = true;

  constructor(options: LimitedOptions<Message>) {
    this.options = options;
    const { script, args = [], memoryMb, isRoomy = false, mayReachBuckets = false } = options;
    const isPassedOn = (name: string): boolean =>
      !OIDC_SECRETS.test(name) && (mayReachBuckets || !BUCKET_SECRETS.test(name));
    this.child = fork(script, args, {
      // Without a limit, garbage grows to several times what a process needs.
      execArgv: [`--max-old-space-size=${memoryMb}`, ...(isRoomy ? [] : ["--max-semi-space-size=4"])],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: {
        ...(Object.fromEntries(
          Object.entries(process.env).filter(([name]) => isPassedOn(name)),
        ) as NodeJS.ProcessEnv),
        // By default each thread of Linux has its own heap: 45 MB more for a large job.
        MALLOC_ARENA_MAX: "1",
        MALLOC_MMAP_THRESHOLD_: "131072",
      },
    });
    this.hold(false);
    this.child.on("message", (message: Message | AtFile) => {
      if (!this.isHeard) return;
      if (isAtFile(message)) this.enterFile(message.file);
      else options.onMessage(message);
    });
    this.child.on("error", () => this.onGone());
    this.child.on("exit", () => this.onGone());
  }

  send(message: object): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  hold(isHeld: boolean): void {
    const change = isHeld ? "ref" : "unref";
    this.child[change]();
    this.child.channel?.[change]();
  }

  /** Limits the work to this many milliseconds from now. A timeout blames no file. */
  giveTime(ms: number): void {
    this.workEndsAt = performance.now() + ms;
    this.setTimer();
  }

  /** Clears all time limits, even if the process did not report the end of its file. */
  rest(): void {
    this.workEndsAt = Infinity;
    this.enterFile(null);
  }

  /** Kills the process without calling `onEnd`; resolves when it is gone. */
  async end(): Promise<void> {
    this.isHeard = false;
    this.rest();
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null)
      return;
    const gone = new Promise<void>((settle) => this.child.once("exit", () => settle()));
    this.child.ref();
    this.child.kill("SIGKILL");
    await gone;
  }

  private enterFile(file: FileVersion | null): void {
    this.file = file;
    this.fileEndsAt = file === null ? Infinity : performance.now() + this.options.fileMs;
    this.setTimer();
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const endsAt = Math.min(this.fileEndsAt, this.workEndsAt);
    if (endsAt === Infinity) return;
    // While this program was busy, a message that extends the time may have arrived. Read it first.
    const onTime = () => setImmediate(() => this.checkTime());
    this.timer = setTimeout(onTime, Math.max(0, endsAt - performance.now())).unref();
  }

  private checkTime(): void {
    if (performance.now() < Math.min(this.fileEndsAt, this.workEndsAt)) this.setTimer();
    else this.finish("time", "after its time limit", this.fileEndsAt <= this.workEndsAt ? this.file : null);
  }

  private onGone(): void {
    const { exitCode, signalCode } = this.child;
    if (signalCode === "SIGABRT" || exitCode === OUT_OF_MEMORY_CODE)
      this.finish("memory", "out of memory", this.file);
    else this.finish("unknown", `with ${signalCode ?? exitCode ?? "no code"}`, this.file);
  }

  private finish(cause: EndCause, how: string, file: FileVersion | null): void {
    if (!this.isHeard) return;
    // It may still be alive, even after an error of its channel.
    void this.end();
    this.options.onEnd({ cause, how, file });
  }
}

function isAtFile(message: unknown): message is AtFile {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === "at-file";
}

/** The oldest file is evicted, and read again on the next request. */
export const MOST_FILES = 1_000;

export class SetAsideFiles {
  /** By path. `cost` is null while the file is still read. */
  private readonly files = new LRUCache<string, FileVersion & { readonly cost: string | null }>({
    max: MOST_FILES,
  });

  list(): readonly SetAsideFile[] {
    return [...this.files.rvalues()].filter((file): file is SetAsideFile => typeof file?.cost === "string");
  }

  /** Returns true if the file is set aside: at once for memory or time, else the second time. */
  add(
    file: FileVersion,
    cause: EndCause,
    limits: { readonly memoryMb: number; readonly fileMs: number },
  ): boolean {
    const isFirst = this.files.get(file.path)?.stamp !== file.stamp;
    const costs: Readonly<Record<EndCause, string | null>> = {
      memory: `more than ${limits.memoryMb.toLocaleString("en-US")} MiB of memory`,
      time: `more than ${limits.fileMs / 1000} s`,
      unknown: isFirst ? null : "down the process that read it, twice",
    };
    const cost = costs[cause];
    this.files.set(file.path, { ...file, cost });
    return cost !== null;
  }
}
